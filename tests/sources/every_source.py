"""The ways that columns reach `evaluate`: each makes a source of some columns, in a folder."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

Columns = Mapping[str, Any]
TEXT = ("csv", "tsv", "jsonl")  # their numbers are float64, whatever they were


def table(columns: Columns) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def chunked(columns: Columns) -> pa.Table:
    """Words as a dictionary, and every column in pieces."""
    whole = table(columns)
    for place, field in enumerate(whole.schema):
        if pa.types.is_string(field.type):
            whole = whole.set_column(place, field.name, whole[place].dictionary_encode())
    third = len(whole) // 3
    return pa.concat_tables(
        [whole[:third], whole[third:third], whole[third:]], promote_options="permissive"
    )


def parquet(columns: Columns, folder: Path) -> str:
    pq.write_table(table(columns), folder / "log.parquet", row_group_size=7)
    return str(folder / "log.parquet")


def partitioned(columns: Columns, folder: Path) -> str:
    """A file a day, and the day in the path."""
    whole = table(columns)
    for day, start in enumerate(range(0, max(len(whole), 1), 11)):
        (folder / f"day={day}").mkdir()
        pq.write_table(whole[start : start + 11], folder / f"day={day}" / "part.parquet")
    return str(folder / "day=*" / "*.parquet")


def lines(columns: Columns, folder: Path, delimiter: str, ending: str) -> str:
    """Numbers as Python writes them, so that they can be read back to the bit."""
    rows = zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True)
    text = [delimiter.join(columns), *(delimiter.join(map(_written, row)) for row in rows)]
    (folder / f"log.{ending}").write_text("\n".join(text) + "\n")
    return str(folder / f"log.{ending}")


def _written(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def json_lines(columns: Columns, folder: Path) -> str:
    rows = zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True)
    text = [json.dumps(dict(zip(columns, row, strict=True))) for row in rows]
    (folder / "log.jsonl").write_text("\n".join(text) + "\n")
    return str(folder / "log.jsonl")


def database(columns: Columns, folder: Path) -> str:
    arrow = table(columns)  # noqa: F841  # DuckDB finds it by its name
    with duckdb.connect(str(folder / "log.duckdb")) as connection:
        connection.execute("CREATE TABLE log AS SELECT * FROM arrow")
    return str(folder / "log.duckdb")


def relation(columns: Columns, _: Path) -> Any:
    connection = duckdb.connect()
    connection.register("arrow", table(columns))
    return connection.sql("SELECT * FROM arrow")


SOURCES: dict[str, Callable[[Columns, Path], Any]] = {
    "mapping": lambda columns, _: columns,
    "pandas": lambda columns, _: pd.DataFrame(dict(columns)),
    "polars": lambda columns, _: pl.DataFrame(dict(columns)),
    "pyarrow": lambda columns, _: table(columns),
    "chunked": lambda columns, _: chunked(columns),
    "relation": relation,
    "parquet": parquet,
    "partitioned": partitioned,
    "csv": lambda columns, folder: lines(columns, folder, ",", "csv"),
    "tsv": lambda columns, folder: lines(columns, folder, "\t", "tsv"),
    "jsonl": json_lines,
    "database": database,
    "sql": lambda columns, folder: f"SELECT * FROM '{parquet(columns, folder)}'",
}
