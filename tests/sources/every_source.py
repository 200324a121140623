"""The ways that columns reach `evaluate`: each makes a source of some columns, in a folder."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

Columns = Mapping[str, Any]
Rows = Literal["no rows", "NaN"]  # that not every source can hold


def table(columns: Columns) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def chunked(columns: Columns) -> pa.Table:
    """Text as a dictionary, and every column in pieces."""
    whole = table(columns)
    for place, column in enumerate(whole.schema):
        if pa.types.is_string(column.type):
            whole = whole.set_column(place, column.name, whole[place].dictionary_encode())
    third = len(whole) // 3
    return pa.concat_tables(
        [whole[:third], whole[third:third], whole[third:]], promote_options="permissive"
    )


def write_parquet(columns: Columns, path: Path) -> str:
    pq.write_table(table(columns), path, row_group_size=7)
    return str(path)


def partitioned(columns: Columns, folder: Path) -> str:
    """A file per day, and the day in the path."""
    whole = table(columns)
    for day, start in enumerate(range(0, max(len(whole), 1), 11)):
        (folder / f"day={day}").mkdir()
        pq.write_table(whole[start : start + 11], folder / f"day={day}" / "part.parquet")
    return str(folder / "day=*" / "*.parquet")


def rows_of(columns: Columns) -> list[tuple[Any, ...]]:
    return list(zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True))


def write_text(columns: Columns, path: Path, delimiter: str = ",") -> str:
    """Numbers as Python writes them, so that they can be read back to the bit."""
    lines = [delimiter.join(columns)]
    lines += [delimiter.join(map(_written, row)) for row in rows_of(columns)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def _written(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def write_json_lines(columns: Columns, path: Path) -> str:
    lines = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows_of(columns)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def database(columns: Columns, folder: Path) -> str:
    arrow = table(columns)  # noqa: F841  # DuckDB finds it by its name
    with duckdb.connect(str(folder / "log.duckdb")) as connection:
        connection.execute("CREATE TABLE log AS SELECT * FROM arrow")
    return str(folder / "log.duckdb")


def relation(columns: Columns, _: Path) -> Any:
    connection = duckdb.connect()
    connection.register("arrow", table(columns))
    return connection.sql("SELECT * FROM arrow")


def sql(path: str) -> str:
    return f"SELECT * FROM '{path}'"


@dataclass(frozen=True)
class Way:
    """How a source is made of columns, in a folder.

    keeps_types: whether numbers have the types they had; if not, a test casts them
    cannot_hold: rows that cannot be written there, and why
    """

    make: Callable[[Columns, Path], Any]
    keeps_types: bool = True
    cannot_hold: Mapping[Rows, str] = field(default_factory=dict)


JSON: Mapping[Rows, str] = {
    "no rows": "without a line there are no columns",
    "NaN": "JSON has no NaN",
}

SOURCES = {
    "mapping": Way(lambda columns, _: columns),
    "pandas": Way(lambda columns, _: pd.DataFrame(dict(columns))),
    "polars": Way(lambda columns, _: pl.DataFrame(dict(columns))),
    "pyarrow": Way(lambda columns, _: table(columns)),
    "chunked": Way(lambda columns, _: chunked(columns)),
    "relation": Way(relation),
    "parquet": Way(lambda columns, folder: write_parquet(columns, folder / "log.parquet")),
    "partitioned": Way(partitioned),
    "csv": Way(lambda columns, folder: write_text(columns, folder / "log.csv"), keeps_types=False),
    "tsv": Way(
        lambda columns, folder: write_text(columns, folder / "log.tsv", "\t"), keeps_types=False
    ),
    "jsonl": Way(
        lambda columns, folder: write_json_lines(columns, folder / "log.jsonl"),
        keeps_types=False,
        cannot_hold=JSON,
    ),
    "database": Way(database),
    "sql": Way(lambda columns, folder: sql(write_parquet(columns, folder / "log.parquet"))),
}
