"""A file that changes while it is read is refused: no number is of two versions of a log."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import steelyard as sy
from steelyard.sources.duck.read_ahead import ReadAhead
from steelyard.sources.unchanged import watched

ROLES: dict[str, Any] = {"label": "y", "score": "s"}
TABLE = pyarrow.table(
    {"y": [0, 1] * 50, "s": [i / 100 for i in range(100)], "d": [1, 2, 3, 4] * 25}
)
WRITE: dict[str, Callable[[Path], None]] = {
    "log.parquet": lambda path: pyarrow.parquet.write_table(TABLE, path),
    "log.csv": lambda path: pyarrow.csv.write_csv(TABLE, path),
    "log.csv.gz": lambda path: _packed(path, "gzip"),
    "log.csv.zst": lambda path: _packed(path, "zstd"),
    "log.jsonl": lambda path: _json(path),
}


def _packed(path: Path, how: str) -> None:
    with pyarrow.CompressedOutputStream(str(path), how) as file:
        pyarrow.csv.write_csv(TABLE, file)


def _json(path: Path) -> None:
    path.write_text("".join(f"{row}\n".replace("'", '"') for row in TABLE.to_pylist()))


def overwrite(path: Path) -> None:
    """As many bytes in the same file, as a job that runs again writes them."""
    data = path.read_bytes()
    _later(path)
    with open(path, "r+b") as file:
        file.write(data)


def replace(path: Path) -> None:
    """Another file of the same bytes and the same time."""
    kept = os.stat(path)
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    os.utime(other, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    os.replace(other, path)


def append(path: Path) -> None:
    """More bytes, and the time set back."""
    kept = os.stat(path)
    with open(path, "ab") as file:
        file.write(b"\n")
    os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))


def truncate(path: Path) -> None:
    os.truncate(path, os.path.getsize(path) // 2)


def _later(path: Path) -> None:
    """Waits until a write gets another time than the file has."""
    probe = path.with_name("probe")
    while True:
        probe.write_bytes(b"")
        if os.stat(probe).st_mtime_ns > os.stat(path).st_mtime_ns:
            return
        time.sleep(0.001)


CHANGES = [overwrite, replace, append, truncate, Path.unlink]


@pytest.fixture
def during_reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Runs something once, when DuckDB has been told what to read and has given no block yet."""

    def arrange(work: Callable[[], None]) -> None:
        left = [work]

        def blocks(self: ReadAhead[Any]) -> Iterator[Any]:
            if left:
                left.pop()()
            return original(self)

        original = ReadAhead.__iter__
        monkeypatch.setattr(ReadAhead, "__iter__", blocks)

    return arrange


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", WRITE)
def test_every_kind_of_file(
    tmp_path: Path, during_reading: Any, name: str, change: Callable[[Path], None]
) -> None:
    path = tmp_path / name
    WRITE[name](path)
    during_reading(lambda: change(path))
    with pytest.raises(sy.SourceError, match=f"{name}' changed while it was read"):
        sy.evaluate(path, **ROLES, metrics="auc")


CALLS: dict[str, Callable[[Path], Any]] = {
    "state": lambda path: sy.state(path, **ROLES, metrics="auc"),
    "compare": lambda path: sy.compare(path, path, **ROLES, cluster="row", metrics="auc"),
    "diagnose": lambda path: sy.diagnose(path, path, **ROLES, over="d", cluster="row"),
    "sql": lambda path: sy.evaluate(path, sql="SELECT * FROM source", **ROLES, metrics="auc"),
    "SQL as source": lambda path: sy.evaluate(f"SELECT * FROM '{path}'", **ROLES, metrics="auc"),
    "expression": lambda path: sy.evaluate(path, **ROLES, by={"x": "d % 2"}, metrics="auc"),
}


@pytest.mark.parametrize("call", CALLS)
def test_every_call(tmp_path: Path, during_reading: Any, call: str) -> None:
    path = tmp_path / "log.parquet"
    WRITE["log.parquet"](path)
    CALLS[call](path)
    during_reading(lambda: overwrite(path))
    with pytest.raises(sy.SteelyardError, match=r"log\.parquet' changed while it was read"):
        CALLS[call](path)


def test_one_file_of_many(tmp_path: Path, during_reading: Any) -> None:
    for i in range(5):
        WRITE["log.csv"](tmp_path / f"{i}.csv")
    during_reading(lambda: append(tmp_path / "3.csv"))
    with pytest.raises(sy.SourceError, match=r"3\.csv' changed while it was read"):
        sy.evaluate(tmp_path / "*.csv", **ROLES, metrics="auc")


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    path = tmp_path / "run.txt"
    path.write_text("1 qid:1 1:0.5\n0 qid:1 1:0.2\n")

    def read(self: Path) -> bytes:
        monkeypatch.undo()
        data = self.read_bytes()
        change(path)
        return data

    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(sy.SourceError, match=r"run\.txt' changed while it was read"):
        sy.read_letor(path)


def test_what_has_no_marks_is_not_looked_at(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check = watched([pipe, tmp_path / "absent", "s3://bucket/log.parquet", tmp_path])
    (tmp_path / "absent").write_text("now here")
    check()
