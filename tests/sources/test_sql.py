"""SQL, expressions and databases: what is read, what is refused; nothing writes."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import steelyard as sy
from steelyard.sources.duck import table as table_module
from steelyard.sources.duck.connection import CONFIG, open_table
from tests.sources.blocks import rows

MAPPING = {"y": np.array([1, 0, 1]), "s": np.array([0.5, 0.25, 2.0], np.float32)}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    columns = {"click": [1, 0, 1], "my score": [0.5, 0.25, 2.0], "g": ["a", "b", "a"]}
    pq.write_table(pa.table(columns), tmp_path / "log.parquet")
    return tmp_path / "log.parquet"


def refused(source: Any, text: str, kind: str = "number", **options: Any) -> str:
    with pytest.raises(sy.SteelyardError) as caught:
        rows(source, (text, kind), **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_name_is_a_column_and_all_else_an_expression(log: Path) -> None:
    found = rows(log, ("my score", "number"), ('"my score" * 2', "number"), ("upper(g)", "key"))
    assert found == [[0.5, 0.25, 2.0], [1.0, 0.5, 4.0], ["A", "B", "A"]]
    assert rows(log, ("click", "label"), where="g = 'a' -- only") == [[1, 1]]
    assert rows(log, ("row_number() OVER ()", "number")) == [[1, 2, 3]]


def test_a_column_named_like_an_expression_is_the_column() -> None:
    assert rows({"a": np.array([1]), "a+1": np.array([5])}, ("a+1", "number")) == [[5]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("clik", "there is no column 'clik': did you mean 'click'; the columns are click, 'my s"),
        ("CLICK", "there is no column 'CLICK': did you mean 'click'"),
        ("my scor", "there is no column 'my scor': did you mean 'my score'"),
        ("clik + 1", "there is no column 'clik': did you mean 'click'; the columns are click"),
        (
            "click +",
            "'click +' is not a column, and it cannot be read as an SQL expression: syntax",
        ),
        ("click, g", "cannot be read as an SQL expression"),
        ("click FROM range(3)", "cannot be read as an SQL expression"),
        ("1; DROP TABLE x", "cannot be read as an SQL expression"),
        ("1) FROM source; COPY (SELECT 1) TO 'evil.csv'; SELECT (1", "it cannot be read"),
        ("(COPY (SELECT 1) TO 'evil.csv')", "it cannot be read"),
        ("(WITH x AS (COPY (SELECT 1) TO 'evil.csv') SELECT * FROM x)", "must be at the top"),
        ("*", "cannot be read as an SQL expression"),
        ("COLUMNS(*)", "it is not one value per row"),
        ("sum(click)", "it is one value for many rows, but one value per row is expected"),
        ("click + max(click)", "it is one value for many rows"),
        ("nofunction(click)", "Scalar Function with name nofunction does not exist"),
        ("?", "cannot be read as an SQL expression"),
        ("", "cannot be read as an SQL expression: it is empty"),
        ("hour(g)", "'hour(VARCHAR)': say the type, as in x::DOUBLE."),
        ("g + 1", "cannot be read as an SQL expression|cannot be read: Could not convert"),
    ],
)
def test_expressions_that_cannot_be_read(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    found = refused(log, text)
    assert any(one in found for one in said.split("|")), found
    assert refused(log, "click", where=text).startswith(("there is no", f"where={text!r}"))
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]


@pytest.mark.parametrize("kind", ["key", "number", "label", "group", "class"])
def test_an_expression_that_always_fails_is_no_missing_value(kind: str, log: Path) -> None:
    """Its type is that of NULL."""
    for source in (log, MAPPING):
        assert "fails on a row" in refused(source, "error('x')", kind)
        assert rows(source, ("NULL", "key")) == [[None] * 3]


def test_a_column_named_like_a_keyword_of_sql(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("group,order\n3,4\n")
    assert rows(tmp_path / "t.csv", ("group", "number"), ('"order" + 1', "number")) == [[3], [5]]
    said = refused(tmp_path / "t.csv", "order + 1")
    assert said.endswith('; order is a reserved word of SQL: write "order" for the column.')


def test_a_condition_is_true_or_false(log: Path) -> None:
    assert rows(log, ("g", "key"), where="click") == [["a", "a"]]
    said = refused(log, "click", where="my score")
    assert said.startswith("where='my score' is of type DOUBLE, not true or false")


def test_row_numbers_count_what_passes(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "BLOCK", 1)
    big = "SELECT range AS i FROM range(1000000)"
    (found,) = rows(big, ("i", "number"), where="i % 2 = 0")  # the helper checks each start
    assert found == list(range(0, 1_000_000, 2))


def test_times_with_a_zone_are_read_in_utc(tmp_path: Path) -> None:
    """In Tokyo it is nine hours later, and the slices are to be the same."""
    instant = pa.array([0], pa.timestamp("us", "Europe/Paris"))
    pq.write_table(pa.table({"ts": instant}), tmp_path / "t.parquet")
    program = (
        "from tests.sources.blocks import rows;"
        f"print(rows({str(tmp_path / 't.parquet')!r}, ('hour(ts)', 'key'), ('ts', 'key')))"
    )
    for zone in ("Asia/Tokyo", "America/New_York"):
        environment = os.environ | {"TZ": zone, "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, "-c", program]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "[[0], ['1970-01-01 00:00:00+00']]\n"


def test_text_has_types_in_expressions(tmp_path: Path) -> None:
    """The whole column decides: the first fraction comes after 30,000 whole numbers."""
    path = tmp_path / "t.csv"
    lines = "1,2,true,a\n" * 30_000 + "1,0.5,false,b\n"
    path.write_text("a,b,ok,Word\n" + lines)
    found = rows(path, ("a / b", "number"), ("Word", "key"), where="b < 1 AND NOT ok")
    assert found == [[2.0], ["b"]]


def test_text_by_sql(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("g,x\na,1\nb,2\na,3\n")
    sql = "SELECT g, sum(x) AS x FROM source GROUP BY g ORDER BY g;"
    assert rows(tmp_path / "t.csv", ("g", "key"), ("x", "number"), sql=sql) == [["a", "b"], [4, 2]]


def test_names_that_differ_in_case_are_not_seen_by_expressions(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("A,a,b,b\n1,2,3,4\n")
    assert rows(tmp_path / "t.csv", ("a", "number"), ("A", "number")) == [[2], [1]]
    assert "2 columns are named 'b'" in refused(tmp_path / "t.csv", "b + 1")
    assert "the columns 'A' and 'a' are the same to SQL" in refused(tmp_path / "t.csv", "a + 1")
    (tmp_path / "u.csv").write_text("A,a,b,c\n1,2,3,4\n")
    with open_table(tmp_path / "u.csv", sql="FROM source") as table:
        assert table.columns == ("b", "c")


def test_a_column_without_a_name_is_ignored(tmp_path: Path) -> None:
    """pandas writes none above the index."""
    (tmp_path / "t.csv").write_text(",b\n7,3\n")
    assert rows(tmp_path / "t.csv", ("", "number"), ("b + 1", "number"), where="b > 1") == [
        [7],
        [4],
    ]
    with open_table(tmp_path / "t.csv", sql="FROM source") as table:
        assert table.columns == ("b",)
    assert "the columns are '', b." in refused(tmp_path / "t.csv", "c")


SQL = "SELECT range AS i, range % 2 = 0 AS even FROM range(4)"


@pytest.mark.parametrize(
    "given",
    [
        SQL,
        f" {SQL}",
        f"with t as ({SQL}) select * from t",
        "FROM range(4) SELECT range AS i, range%2=0 AS even",
    ],
)
def test_sql_is_a_source(given: str) -> None:
    assert rows(given, ("i", "number"), ("even", "label")) == [
        [0, 1, 2, 3],
        [True, False, True, False],
    ]
    assert rows(None, ("i", "number"), sql=given) == [[0, 1, 2, 3]]


WRITERS = [
    "COPY (SELECT 1) TO 'evil.csv'",
    "CREATE TABLE evil AS SELECT 1",
    "ATTACH 'evil.db'",
    "PRAGMA version",
    "INSTALL httpfs",
    "SET threads = 1",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY (SELECT 1) TO 'evil.csv'",
    "SELECT 1) ; COPY (SELECT 1) TO 'evil.csv'; SELECT * FROM (SELECT 2",
    "WITH x AS (COPY (SELECT 1) TO 'evil.csv') SELECT * FROM x",
    "WITH x AS (INSERT INTO source VALUES (1) RETURNING *) SELECT * FROM x",
    "SELECT * FROM query('COPY (SELECT 1) TO ''evil.csv''')",
    "EXPORT DATABASE 'evil'",
    "",
    "-- nothing",
]


@pytest.mark.parametrize("sql", WRITERS)
def test_only_a_single_select_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sy.SourceError, match=r"single SELECT|SQL cannot be run") as caught:
        open_table(MAPPING, sql=sql)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_sql_sees_no_variable_of_ours() -> None:
    with pytest.raises(sy.SourceError, match="Table with name MAPPING does not exist"):
        open_table(None, sql="SELECT * FROM MAPPING")


def database(path: Path) -> Path:
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE log AS SELECT 1 AS y, 0.5::FLOAT AS s")
        connection.execute("CREATE SCHEMA old; CREATE TABLE old.log AS SELECT 0 AS y")
        connection.execute('CREATE VIEW "a view" AS SELECT y + 1 AS z FROM log')
    return path


@pytest.mark.parametrize("name", ["t.duckdb", "t.db"])
def test_a_database(tmp_path: Path, name: str) -> None:
    path = database(tmp_path / name)
    before = path.read_bytes()
    assert rows(path, ("y", "label"), ("s * 2", "number"), table="log") == [[1], [1.0]]
    assert rows(path, ("y", "label"), table="old.log") == [[0]]
    assert rows(path, ("z", "number"), table="a view") == [[2]]
    joined = "SELECT a.y, b.y AS old FROM log a, old.log b"
    assert rows(path, ("y", "label"), ("old", "label"), sql=joined) == [[1], [0]]
    assert rows(path, ("n", "number"), table="log", sql="SELECT count(*) n FROM source") == [[1]]
    with pytest.raises(
        sy.SourceError, match=r"holds 3 tables \('a view', log, old\.log\): name one"
    ):
        open_table(path)
    with pytest.raises(sy.SourceError, match=r"no table 'lo' in .*the tables are 'a view', log"):
        open_table(path, table="lo")
    with pytest.raises(sy.SourceError, match="single SELECT"):
        open_table(path, sql="INSERT INTO log VALUES (2, 2)")
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_the_only_table_needs_no_name(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("CREATE TABLE log AS SELECT range AS y FROM range(7)")
    assert rows(tmp_path / "t.duckdb", ("y", "number")) == [[0, 1, 2, 3, 4, 5, 6]]
    with open_table(tmp_path / "t.duckdb") as table:
        assert (table.rows, table.columns) == (7, ("y",))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "t.db").write_text("y,s\n1,2\n")
    with pytest.raises(sy.SourceError, match="neither a DuckDB nor an SQLite database"):
        open_table(tmp_path / "t.db")
    (tmp_path / "t.csv").write_text("y,s\n1,2\n")
    with pytest.raises(sy.SourceError, match="the source is not a database: leave it out"):
        open_table(tmp_path / "t.csv", table="log")


def test_extensions_that_cannot_be_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home without extensions, and no server to fetch them from."""
    monkeypatch.setitem(CONFIG, "extension_directory", str(tmp_path))
    monkeypatch.setitem(CONFIG, "custom_extension_repository", str(tmp_path / "none"))
    with sqlite3.connect(tmp_path / "t.sqlite") as connection:
        connection.execute("CREATE TABLE log (y INTEGER)")
    connection.close()
    for source, extension, shown in [
        (tmp_path / "t.sqlite", "sqlite", "t.sqlite"),
        ("s3://bucket/log.parquet", "httpfs", "s3://bucket/log.parquet"),
        ("postgres://ada:secret@host/logs", "postgres", "postgres://ada:...@host/logs"),
    ]:
        said = rf"{shown}' needs DuckDB's extension {extension}, .* could not be downloaded: .*"
        with pytest.raises(sy.SourceError, match=said) as caught:
            open_table(source)
        assert "secret" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_numbers_of_128_bits_and_decimals() -> None:
    sql = "SELECT 170141183460469231731687303715884105727::HUGEINT AS h, 1.25::DECIMAL(9, 2) AS d"
    found = rows(sql, ("h", "number"), ("h", "key"), ("d", "number"), ("d", "label"))
    assert found == [[2.0**127], [2**127 - 1], [1.25], [1.25]]


def test_threads_and_memory(tmp_path: Path) -> None:
    sql = "SELECT current_setting('threads') AS t, current_setting('memory_limit') AS m"
    assert rows(sql, ("t", "number"), ("m", "key"), threads=1, memory=2**30) == [[1], ["1.0 GiB"]]
    said = refused("SELECT random() AS r FROM range(1000000) ORDER BY r", "r", memory="1KB")
    assert said.endswith("it takes more memory than is allowed: allow more, as in memory='8GB'.")
    assert rows(sql, ("m", "key"), memory="512MiB") == [["512.0 MiB"]]
    with pytest.raises(sy.InputError, match="is not a size"):
        open_table(sql, memory="much")


def test_whole_numbers_of_128_bits_are_exact_where_64_hold_them() -> None:
    """DuckDB's sum of whole numbers is a HUGEINT."""
    sql = f"SELECT * FROM (VALUES (1, 0.5, {2**53 + 1}::HUGEINT), (0, 0.1, 1)) AS t(y, s, w)"
    heavy = sy.evaluate(sql=sql, label="y", score="s", weight="w", metrics="prevalence")
    assert heavy["prevalence"] == (2**53 + 1) / (2**53 + 2)
    with pytest.raises(sy.InputError, match="w has 1 value that float64 cannot hold exactly"):
        sy.evaluate(sql=sql, label="y", score="w", metrics="auc")
    beyond = sql.replace(str(2**53 + 1), str(2**70))
    assert sy.evaluate(sql=beyond, label="y", score="w", metrics="auc")["auc"] == 1.0


@pytest.mark.parametrize(("where", "rows"), [("true", 2), ("TRUE", 2), ("false", 0), ("null", 0)])
def test_a_value_of_sql_is_a_condition(where: str, rows: int) -> None:
    source = {"y": [0, 1], "s": [0.1, 0.2]}
    result = sy.evaluate(source, label="y", score="s", where=where, metrics="auc")
    assert result.rows[0].n == rows


FAILING = {"y": [0, 1], "s": [0.1, 0.9]}


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrays"])
@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("s >", "cannot be read as an SQL expression"),
        ("CAST('a' || s AS INT) > 3", "fails on a row"),
        ("error('no')", "fails on a row"),
    ],
)
def test_a_bad_condition_is_blamed(tmp_path: Path, kind: str, where: str, said: str) -> None:
    path = tmp_path / f"log.{kind}"
    if kind == "csv":
        path.write_text("y,s\n0,0.1\n1,0.9\n")
    else:
        pq.write_table(pa.table(FAILING), path)
    source = FAILING if kind == "arrays" else path
    with pytest.raises(sy.SourceError, match=f"^{re.escape(f'where={where!r} {said}')}"):
        sy.evaluate(source, label="y", score="s", where=where)


def test_an_expression_that_fails_is_blamed_and_a_damaged_file_too(tmp_path: Path) -> None:
    with pytest.raises(sy.SourceError, match=r"CAST\('a' .* fails on a row of .*: Could not conv"):
        sy.evaluate(FAILING, label="y", score="CAST('a' || s AS INT)")
    path = tmp_path / "cut.csv"
    path.write_text("y,s\n1,0.5\n0,0.1,7\n")
    with pytest.raises(sy.SourceError, match=r"cut\.csv' cannot be read: line 3"):
        sy.evaluate(str(path), label="y", score="s", where="s + 1 > 0")
