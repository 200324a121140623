"""The files that SQL of the user may read, and the databases that it may open."""

import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

import steelyard
from steelyard.sources.duck.connection import CONFIG
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
SECRET_READERS = (  # files beside the log, and a pattern that finds it
    "read_text('secret.txt')",
    "read_csv('sec*.txt', header = false)",
    "glob('*')",
    "query('FROM read_text(''secret.txt'')')",
)
LOG = "y,s\n1,0.9\n0,0.2\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a log and a file that belongs to nobody else's business."""
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_text(LOG)
    Path("secret.txt").write_text("hunter2")
    return tmp_path


def not_of_the_source(source: Any, **options: Any) -> str:
    with pytest.raises(sy.SourceError, match="which is not a file of the source") as caught:
        sy.evaluate(source, **{"label": "y", "score": "s", "metrics": "auc"} | options)
    return str(caught.value)


@pytest.mark.parametrize("reader", SECRET_READERS)
def test_sql_reads_the_source_and_nothing_else(desk: Path, reader: str) -> None:
    count = f"(SELECT count(*) FROM {reader})"
    frame = {"y": [1, 0], "s": [0.9, 0.2]}
    for source in ("log.csv", frame, "SELECT * FROM 'log.csv'"):
        not_of_the_source(source, where=f"{count} > 0")
        not_of_the_source(source, score=f"s + {count}")
        not_of_the_source(source, by=count)
        not_of_the_source(source, sql=f"SELECT *, {count} FROM source")
        allowed = sy.evaluate(
            source, label="y", score="s", metrics="auc", where=f"{count} > 0", allow_files=True
        )
        assert allowed["auc"] == 1


def test_a_view_in_a_database_reads_no_other_file(desk: Path) -> None:
    with duckdb.connect("log.duckdb") as connection:
        connection.execute("CREATE TABLE log AS FROM 'log.csv'")
        connection.execute("CREATE VIEW more AS SELECT y, s FROM log, read_text('secret.txt')")
    said = not_of_the_source("log.duckdb", table="more")
    assert said == (
        "'log.duckdb: more' cannot be read: it reads 'secret.txt', which is not a file of the "
        "source; allow_files=True allows that."
    )
    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc"}
    assert sy.evaluate("log.duckdb", table="more", allow_files=True, **roles)["auc"] == 1
    assert sy.evaluate("log.duckdb", sql="SELECT y, -s AS s FROM log", **roles)["auc"] == 0
    not_of_the_source("log.duckdb", sql="SELECT * FROM more")


def test_sql_as_the_source_reads_the_files_it_names(desk: Path) -> None:
    Path("log[1].csv").write_text(LOG)
    for sql in (
        "SELECT * FROM 'log.csv'",
        "FROM log.csv",
        "SELECT * FROM read_csv(['log.csv', 'log[[]1].csv'])",
        "WITH t AS (FROM read_csv('l*.csv')) SELECT *, (SELECT count(*) FROM 'log.csv') FROM t",
    ):
        assert sy.evaluate(sql, label="y", score="s", metrics="auc")["auc"] == 1
        assert sy.evaluate(sql=sql, label="y", score="s", metrics="auc")["auc"] == 1
        not_of_the_source(sql, where="(SELECT count(*) FROM read_text('secret.txt')) > 0")
    not_of_the_source("SELECT 1 AS y, content AS s FROM read_text('sec' || 'ret.txt')")


def test_the_command_line_has_the_flag(desk: Path) -> None:
    where = "(SELECT count(*) FROM read_text('secret.txt')) > 0"
    words = ["eval", "log.csv", "--score", "s", "--where", where]
    refused = run(*words)
    assert refused.exit_code == 2
    assert "'secret.txt', which is not a file of the source; --allow-files allows" in refused.stderr
    assert run(*words, "--allow-files").exit_code == 0


def test_sql_changes_no_setting_and_writes_no_log(desk: Path) -> None:
    """DuckDB 2 refuses to change the setting; DuckDB 1.5 changes it and cannot write."""
    before = sorted(desk.iterdir())
    call = "enable_logging(storage = 'file', storage_path = 'logs')"
    with suppress(sy.SourceError):
        sy.evaluate("log.csv", label="y", score="s", where=f"(SELECT 1 FROM {call}) = 1")
    assert sorted(desk.iterdir()) == before


def test_odd_names_of_the_source_are_still_read(desk: Path) -> None:
    for name in ("a[1].csv", "a*b.csv", "it's.csv", "day=1/x.csv", "ä ö.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(LOG)
        assert sy.evaluate(name, label="y", score="s", metrics="auc", where="s > 0")["auc"] == 1


def test_a_sort_still_spills_to_disk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """About 200 MB are sorted in 100 MB, which DuckDB refuses without temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(desk))
    rows = "SELECT i % 2 AS y, hash(i) % 9 AS s, hash(i + 1)::VARCHAR AS t FROM range(5000000) r(i)"
    sql = f"SELECT * FROM ({rows}) ORDER BY t"
    modes: list[int] = []

    def look(*_: object) -> None:
        modes.extend(path.stat().st_mode & 0o777 for path in desk.glob("steelyard-*"))

    roles: dict[str, Any] = {"label": "y", "score": "s", "metrics": "auc", "memory": "100MB"}
    found = sy.evaluate(sql=sql, threads=2, progress=look, **roles)
    assert found.rows[0].n == 5_000_000
    assert set(modes) == {0o700}
    assert not list(desk.glob("steelyard-*"))


def test_the_connection_of_the_user_stays_his(desk: Path) -> None:
    with duckdb.connect() as mine:
        relation = mine.sql("SELECT y, s FROM 'log.csv'")
        sy.evaluate(relation, label="y", score="s", metrics="auc", where="s > 0")
        assert mine.sql("SELECT content FROM read_text('secret.txt')").fetchall()
        not_of_the_source(relation, where="(SELECT count(*) FROM read_text('secret.txt')) > 0")


def test_no_extension_is_fetched_because_of_what_a_file_holds(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here fetching fails, and says so; `.db` may be either kind of database."""
    monkeypatch.setitem(CONFIG, "extension_directory", str(desk / "none"))
    monkeypatch.setitem(CONFIG, "custom_extension_repository", str(desk / "none"))
    with closing(sqlite3.connect("log.db")) as connection:
        connection.execute("CREATE TABLE log (y INTEGER)")
        connection.commit()
    for source, said in (
        ("log.db", "is downloaded only where the address asks for it: write sqlite:log.db"),
        ("sqlite:log.db", "could not be downloaded"),
    ):
        with pytest.raises(sy.SourceError, match=said):
            sy.evaluate(source, label="y", score="s")
    not_of_the_source("log.csv", sql="FROM 'https://example.org/log.csv'")
