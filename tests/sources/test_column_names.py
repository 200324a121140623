"""A column name means one column: repeated names, names that differ in case, keys of folders."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

import steelyard
from tests.shell.run import run
from tests.sources.evaluated import auc_of

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
LABELS, OTHERS, SCORES = [0, 1, 1, 0], [1, 0, 0, 1], [0.1, 0.9, 0.8, 0.3]  # auc 1, of OTHERS 0


def arrow_of(second: str) -> Any:
    """The columns y, s and a second one with the other labels."""
    columns = [pyarrow.array(each) for each in (LABELS, SCORES, OTHERS)]
    return pyarrow.Table.from_arrays(columns, names=["y", "s", second])


def parquet_of(second: str) -> str:
    pyarrow.parquet.write_table(arrow_of(second), "t.parquet")
    return "t.parquet"


def csv_of(second: str) -> str:
    rows = zip(LABELS, SCORES, OTHERS, strict=True)
    lines = [f"y,s,{second}", *(",".join(map(str, row)) for row in rows)]
    Path("t.csv").write_text("\n".join(lines), encoding="utf-8")
    return "t.csv"


def sql_of(second: str) -> str:
    return (
        f"SELECT y, s, 1 - y AS {second} FROM (VALUES (0, .1), (1, .9), (1, .8), (0, .3)) t(y, s)"
    )


def pandas_of(second: str) -> Any:
    frame = pandas.DataFrame({"y": LABELS, "s": SCORES, "other": OTHERS})
    return frame.set_axis(["y", "s", second], axis=1)


TWO_OF_ONE_NAME: dict[str, Callable[[str], Any]] = {
    "Parquet": parquet_of,
    "Arrow": arrow_of,
    "an Arrow stream": lambda second: arrow_of(second).to_reader(),
    "pandas": pandas_of,
    "CSV": csv_of,
    "SQL": sql_of,
    "a DuckDB relation": lambda second: duckdb.sql(sql_of(second)),
}


@pytest.mark.parametrize("kind", TWO_OF_ONE_NAME)
@pytest.mark.parametrize(
    "roles",
    [
        {},
        {"label": "y = 1"},
        {"label": "s > 0.5", "where": "y = 1"},
        {"label": "s > 0.5", "by": "y"},
        {"label": "s > 0.5", "metrics": "field_ece(y)"},
    ],
)
def test_two_columns_of_one_name_are_refused_where_a_role_reads_them(
    kind: str, roles: dict[str, Any], folder: Path
) -> None:
    with pytest.raises(sy.SourceError, match=r"2 columns are named 'y' \(columns 1 and 3"):
        auc_of(TWO_OF_ONE_NAME[kind]("y"), **roles)


@pytest.mark.parametrize("kind", TWO_OF_ONE_NAME)
def test_two_columns_of_one_name_that_no_role_reads(kind: str, folder: Path) -> None:
    assert auc_of(TWO_OF_ONE_NAME[kind]("y"), label="s > 0.5") == 1


Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def json_of(second: str) -> str:
    rows = zip(LABELS, SCORES, OTHERS, strict=True)
    lines = (f'{{"y": {y}, "s": {s}, "{second}": {other}}}' for y, s, other in rows)
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "t.jsonl"


TWO_CASES = TWO_OF_ONE_NAME | {
    "JSON": json_of,
    "Polars": lambda second: polars.from_arrow(arrow_of(second)),
    "a mapping": lambda second: {"y": LABELS, "s": SCORES, second: OTHERS},
}


@pytest.mark.parametrize("kind", TWO_CASES)
def test_names_that_differ_in_case_are_two_columns(kind: str, folder: Path) -> None:
    make = TWO_CASES[kind]
    assert (auc_of(make("Y")), auc_of(make("Y"), label="Y")) == (1, 0)
    with pytest.raises(sy.SourceError, match="'y' and 'Y' are the same to SQL"):
        auc_of(make("Y"), label="Y = 1")


@pytest.mark.parametrize("kind", TWO_CASES)
def test_a_column_with_a_number_at_its_end_is_a_column(kind: str, folder: Path) -> None:
    make = TWO_CASES[kind]
    assert (auc_of(make("y_1")), auc_of(make("y_1"), label="y_1 + 0")) == (1, 0)


def test_sql_on_a_source_with_two_columns_of_one_name(folder: Path) -> None:
    with pytest.raises(sy.SourceError, match="2 columns are named 'y'"):
        auc_of(parquet_of("y"), sql="SELECT y, s FROM source")
    for start in ("", "WITH t AS (SELECT 1) ", "WITH RECURSIVE t AS (SELECT 1) "):
        twice = f"{start}SELECT y, s, 1 - y AS y FROM source"
        with pytest.raises(sy.SourceError, match="2 columns are named 'y'"):
            auc_of(parquet_of("other"), sql=twice)


def test_names_that_are_equal_as_text() -> None:
    for source in (
        {1: LABELS, "1": OTHERS, "s": SCORES},
        pandas_of("y").set_axis([1, "s", "1"], axis=1),
    ):
        for label in ("1", '"1" = 1'):
            with pytest.raises(sy.SourceError, match="2 columns are named '1'"):
                auc_of(source, label=label)


@pytest.mark.parametrize("key", ["y", "Y"])
@pytest.mark.parametrize("make", [parquet_of, csv_of, json_of])
def test_a_hive_key_that_repeats_a_column(
    make: Callable[[str], str], key: str, folder: Path
) -> None:
    name = make("other")
    target = folder / "log" / f"{key}=1" / name
    target.parent.mkdir(parents=True)
    Path(name).rename(target)
    message = rf"'y' is a column of '.*{name}', and '{key}=1' in its path is a key"
    for roles in ({}, {"label": key}, {"label": "y = 1"}, {"label": "s > 0.5", "where": "y = 1"}):
        with pytest.raises(sy.SourceError, match=message):
            auc_of("log", **roles)
    assert auc_of("log", label="s > 0.5") == 1
    assert auc_of(target, label="other") == 0


def test_recognised_columns_of_one_name_are_refused_by_that_name(folder: Path) -> None:
    """And not as two columns of which each may be the score."""
    folder.joinpath("log.csv").write_text("click,pctr,pctr\n1,0.2,0.4\n", encoding="utf-8")
    with pytest.raises(sy.SourceError, match="2 columns are named 'pctr'"):
        sy.evaluate("log.csv", metrics="auc")
    assert "2 columns are named 'pctr'" in run("eval", "log.csv", "-m", "auc").stderr
    Path("pctr=1").mkdir()
    Path("pctr=1/log.csv").write_text("click,pctr\n1,0.2\n", encoding="utf-8")
    with pytest.raises(sy.SourceError, match=r"'pctr' is a column of .* rename the column or the"):
        sy.evaluate("pctr=1/log.csv", metrics="auc")
