"""Files: lists, patterns, folders, partitions, shapes that differ, and what cannot be read."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import steelyard as sy
from steelyard.sources.blocks import ColumnRequest
from steelyard.sources.duck.connection import open_table
from tests.sources.blocks import rows

SCORE = ("score", "number")


def parquet(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def csv(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def days(tmp_path: Path) -> Path:
    """Two days of two files each, and the marks that writers leave."""
    for day in (1, 2):
        for part in (0, 1):
            path = tmp_path / f"log/day=2024-01-0{day}/{part}.parquet"
            parquet(path, score=[day + part / 10], user=["007"])
    csv(tmp_path / "log/_SUCCESS.csv", "x\n1\n")
    csv(tmp_path / "log/_tmp/x.parquet", "half")
    csv(tmp_path / "log/.hidden.parquet", "half")
    return tmp_path / "log"


ALL = [1.0, 1.1, 2.0, 2.1]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("", ALL),
        ("/day=*/*.parquet", ALL),
        ("/day*/**/*.parquet", ALL),
        ("/day=*", ALL),
        ("/day=2024-01-02/0.parquet", [2.0]),
        ("/day=*/1.parquet", [1.1, 2.1]),
        ("/day=2024-01-0[2-9]/*", [2.0, 2.1]),
    ],
)
def test_patterns_and_folders(days: Path, pattern: str, wanted: list[float]) -> None:
    assert rows(f"{days}{pattern}", SCORE) == [wanted]


def test_lists_are_read_in_the_order_given(days: Path) -> None:
    one, two = days / "day=2024-01-01", f"{days}/day=2024-01-02/*.parquet"
    assert rows([two, one], SCORE) == [[2.0, 2.1, 1.0, 1.1]]
    assert rows((one / "1.parquet",), SCORE) == [[1.1]]


def test_partitions_are_columns(days: Path) -> None:
    found = rows(days, SCORE, ("day", "key"), where="day > '2024-01-01'")
    assert found == [[2.0, 2.1], ["2024-01-02"] * 2]
    with open_table(days) as table:
        assert table.columns == ("score", "user", "day")
        assert table.rows == 4


def test_partitions_have_no_types(tmp_path: Path) -> None:
    """A key is text; where a number is needed it is one, in SQL too."""
    for hour in ("07", "11"):
        csv(tmp_path / f"hour={hour}/country=a%20b/x.csv", f"score\n0.{hour}\n")
    found = rows(tmp_path, SCORE, ("hour", "key"), ("hour", "number"), ("country", "key"))
    assert found == [[0.07, 0.11], ["07", "11"], [7.0, 11.0], ["a b", "a b"]]
    assert rows(tmp_path, SCORE, ("hour + 1", "number"), where="hour < 8") == [[0.07], [8]]


def test_a_partition_without_a_value(tmp_path: Path) -> None:
    parquet(tmp_path / "g=__HIVE_DEFAULT_PARTITION__/x.parquet", score=[1.0])
    parquet(tmp_path / "g=1/x.parquet", score=[2.0])
    found = rows(tmp_path, ("g", "key"), ("g", "number"), ("g", "label"), ("g + 1", "number"))
    assert found == [["1", None], [1.0, None], [1, None], [2, None]]


def test_keys_in_some_folders_only_are_not_columns(tmp_path: Path) -> None:
    parquet(tmp_path / "a=1/x.parquet", score=[1.0])
    parquet(tmp_path / "a=1/b=2/x.parquet", score=[2.0])
    assert rows(tmp_path, SCORE) == [[2.0, 1.0]]
    with open_table(tmp_path) as table:
        assert table.columns == ("score",)


def test_a_path_that_exists_is_no_pattern(tmp_path: Path) -> None:
    csv(tmp_path / "[ab].csv", "score\n1\n")
    csv(tmp_path / "a.csv", "score\n2\n")
    assert rows(tmp_path / "[ab].csv", SCORE) == [[1.0]]
    assert rows(tmp_path / "[a].csv", SCORE) == [[2.0]]


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        (pa.float32(), pa.float64(), np.float64),
        (pa.int32(), pa.float32(), np.float64),
        (pa.int64(), pa.float64(), np.float64),
        (pa.int8(), pa.int32(), np.int32),
        (pa.uint8(), pa.int8(), np.int16),
        (pa.uint32(), pa.uint16(), np.uint32),
        (pa.bool_(), pa.int8(), np.int8),
        (pa.uint64(), pa.int64(), np.int64),  # as long as the values fit
        (pa.decimal128(21, 2), pa.float32(), np.float64),
        (pa.float32(), pa.null(), np.float32),
        (pa.float32(), pa.float32(), np.float32),
    ],
    ids=str,
)
def test_types_that_differ_widen(tmp_path: Path, left: Any, right: Any, wanted: Any) -> None:
    parquet(tmp_path / "a.parquet", s=pa.array([1, 0]).cast(left), other=[1, 2])
    empty = right == pa.null()
    parquet(tmp_path / "b.parquet", s=pa.nulls(1) if empty else pa.array([1]).cast(right))
    with open_table(tmp_path) as table:
        blocks = list(table.blocks([ColumnRequest("s", "number")], None))
    dtypes = {block.columns[ColumnRequest("s", "number")].values.dtype for block in blocks}
    assert dtypes == {np.dtype(wanted)}
    assert rows(tmp_path, ("s", "number")) == [[1, 0, None if empty else 1]]


def test_a_float64_is_not_rounded_to_its_neighbours_float32(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", s=pa.array([0.1], pa.float32()))
    parquet(tmp_path / "b.parquet", s=[0.1])
    assert rows(tmp_path, ("s", "number")) == [[float(np.float32(0.1)), 0.1]]
    assert rows(tmp_path, ("s * 2", "number")) == [[float(np.float32(0.1)) * 2, 0.2]]


def test_shapes_that_come_and_go_keep_the_order(tmp_path: Path) -> None:
    for i in range(12):
        number = pa.array(range(i * 1000, i * 1000 + 1000), pa.int32() if i % 3 else pa.int64())
        parquet(tmp_path / f"{i:02}.parquet", score=number, **({"b": number} if i % 2 else {}))
    assert rows(tmp_path, SCORE, where="score % 7 = 0") == [list(range(0, 12_000, 7))]


def test_csv_is_read_by_name(tmp_path: Path) -> None:
    csv(tmp_path / "a.csv", "score,label,x\n0.1,1,9\n")
    csv(tmp_path / "b.csv", "label;score\n0;0.2\n")
    csv(tmp_path / "c.tsv", "y\tlabel\tscore\n8\t1\t0.3\n")
    found = rows(tmp_path, SCORE, ("label", "label"), ("score + label", "number"))
    assert found == [[0.1, 0.2, 0.3], [1, 0, 1], [1.1, 0.2, 1.3]]
    with open_table(tmp_path) as table, pytest.raises(sy.SourceError) as caught:
        table.blocks([ColumnRequest("x", "number")], None)
    assert str(caught.value) == (
        f"there is no column 'x': {str(tmp_path / 'a.csv')!r} has it, "
        f"but the columns of {str(tmp_path / 'b.csv')!r} are label, score."
    )


def test_json_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"score": 1, "g": "x"}\n')
    (tmp_path / "b.jsonl").write_text('{"g": "y", "score": 0.5}\n{"score": null}\n')
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b'{"g": "z", "score": 2}\n'))
    found = rows(tmp_path, SCORE, ("g", "key"))
    assert found == [[1.0, 0.5, None, 2.0], ["x", "y", None, "z"]]
    (tmp_path / "one.json").write_text(json.dumps([{"score": 3}, {"score": 4}], indent=1))
    assert rows(tmp_path / "one.json", SCORE) == [[3, 4]]


def test_json_of_many_numbers_has_as_many_columns(tmp_path: Path) -> None:
    """DuckDB takes more than 200 numbers for a map."""
    (tmp_path / "wide.jsonl").write_text(json.dumps({f"c{i}": i / 2 for i in range(500)}) + "\n")
    assert rows(tmp_path / "wide.jsonl", ("c499", "number")) == [[249.5]]


def test_types_that_do_not_go_together(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", s=[1.0], ok=[1])
    parquet(tmp_path / "b.parquet", s=["x"], ok=[2])
    assert rows(tmp_path, ("ok", "number")) == [[1, 2]]
    said = f"s is DOUBLE in {str(tmp_path / 'a.parquet')!r} but VARCHAR in "
    with open_table(tmp_path) as table, pytest.raises(sy.SourceError) as caught:
        table.blocks([ColumnRequest("s", "key")], None)
    assert str(caught.value).startswith(said + repr(str(tmp_path / "b.parquet")))


def spoil(path: Path, how: str) -> None:
    whole = path.read_bytes()
    if how == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif how == "footer":
        path.write_bytes(whole[:-80] + b"\xff" * 72 + whole[-8:])
    elif how == "pages":
        path.write_bytes(whole[:4] + b"\xff" * 400 + whole[404:])
    else:
        path.write_bytes(b"")


@pytest.mark.parametrize("how", ["cut", "footer", "pages", "empty"])
def test_the_bad_file_among_many_is_named(tmp_path: Path, how: str) -> None:
    for i in range(1, 14):
        parquet(tmp_path / f"{i}.parquet", s=np.random.default_rng(i).random(400))
    spoil(tmp_path / "1.parquet", how)
    with pytest.raises(sy.SourceError, match=r"/1\.parquet' cannot be read") as caught:
        rows(tmp_path, ("s", "number"))
    assert "\n" not in str(caught.value)


def test_the_bad_line_among_many_files_is_named(tmp_path: Path) -> None:
    for name in "ab":
        csv(tmp_path / f"{name}.csv", "x,y\n1,2\n")
    csv(tmp_path / "c.csv", "x,y\n1,2\n3\n")
    with pytest.raises(sy.SourceError, match=r"c\.csv' cannot be read: line 3"):
        rows(tmp_path, ("x", "number"))


def test_rows_are_counted_before_they_are_read(tmp_path: Path) -> None:
    path = csv(tmp_path / "a.csv", "x\n" + "12345\n" * 100_000)
    with open_table(path) as table:
        assert table.rows == 100_000
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"x\n1\n"))
    with open_table(tmp_path / "b.csv.gz") as table:
        assert table.rows is None


def test_late_text_is_found_in_one_pass(tmp_path: Path) -> None:
    late = 1_234_567
    (tmp_path / "t.csv").write_bytes(b"s\n" + b"1\n" * late + b"oops\n" + b"2\nNA\n\n")
    wanted, found = ColumnRequest("s", "number"), []
    with open_table(tmp_path / "t.csv") as table:
        for block in table.blocks([wanted], None):
            invalid = block.columns[wanted].invalid
            if invalid is not None:
                found.append(
                    (block.start + int(invalid[0].argmax()), invalid[1], int(invalid[0].sum()))
                )
    assert found == [(late, "oops", 2)]


TEXT_LABELS = [
    (["1", "0", "1"], [1, 0, 1]),
    (["1.0", "1", "+1", "01", "0.5"], [1, 1, 1, 1, 0.5]),
    (["True", "FALSE", "true"], [True, False, True]),
    (["yes", "no", ""], ["yes", "no", None]),
    (["nan", "1", "-inf", "1e3"], [None, 1, -np.inf, 1000.0]),
    (["9007199254740993", "18446744073709551615"], [2**53 + 1, 2**64 - 1]),
    (["1_0", "0x1", "t"], ["1_0", "0x1", "t"]),
]


@pytest.mark.parametrize(("written", "wanted"), TEXT_LABELS, ids=str)
def test_labels_of_a_text_file_are_read_value_by_value(
    tmp_path: Path, written: list[str], wanted: list[Any]
) -> None:
    path = csv(tmp_path / "t.csv", "y,z\n" + "".join(f"{word},0\n" for word in written))
    ((found),) = rows(path, ("y", "label"))
    assert found == wanted
    assert [isinstance(v, bool) for v in found] == [isinstance(v, bool) for v in wanted]


def test_keys_of_a_text_file_are_text(tmp_path: Path) -> None:
    path = csv(tmp_path / "t.csv", 'k,z\n007,0\n7,0\n,0\nTrue,0\n"a,b",0\n')
    assert rows(path, ("k", "key")) == [["007", "7", None, "True", "a,b"]]


def piped(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def parquet_bytes() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"y": [1, 0], "s": [0.5, 1.5]}), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"y,s\n1,0.5\n0,1.5\n",
        b"y\ts\n1\t0.5\n0\t1.5\n",
        b"\xef\xbb\xbfy;s\n1;0.5\n0;1.5\n",
        gzip.compress(b"y,s\n1,0.5\n0,1.5\n"),
        b'{"y": 1, "s": 0.5}\n{"y": 0, "s": 1.5}\n',
        b' [{"y": 1, "s": 0.5},\n {"y": 0, "s": 1.5}]',
        gzip.compress(b'{"y": 1, "s": 0.5}\n{"y": 0, "s": 1.5}\n'),
        parquet_bytes(),
    ],
    ids=["csv", "tsv", "semicolons", "csv.gz", "jsonl", "json", "jsonl.gz", "parquet"],
)
def test_standard_input(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    piped(monkeypatch, content)
    assert rows("-", ("y", "label"), ("s", "number")) == [[1, 0], [0.5, 1.5]]
    piped(monkeypatch, content)
    assert rows("-", ("n", "number"), sql="SELECT sum(s) AS n FROM source") == [[2.0]]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("content", [b"", b"PAR1 no", b"\x1f\x8b no", b"y,s\n1\n"])
def test_bad_standard_input_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    piped(monkeypatch, content)
    with pytest.raises(sy.SourceError, match=r"^'-' cannot be read"):
        rows("-", ("y", "label"))
    assert os.listdir(tmp_path) == []


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(sy.SourceError, match=r"^'-' cannot be read: standard input is closed"):
        rows("-", ("y", "label"))


def test_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A shell expands it, a program does not; a file of that name comes first."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("score\n1\n")
    assert rows("~/*.csv", SCORE) == rows("~/a.csv", SCORE) == [[1]]
    (tmp_path / "~b.csv").write_text("score\n2\n")
    assert rows("~b.csv", SCORE) == [[2]]


def test_an_ending_that_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("score\n1\n")
    with pytest.raises(sy.SourceError, match=r"rename it, or read it from standard input \(-\); "):
        rows(tmp_path / "log.txt", SCORE)


# --- other encodings ------------------------------------------------------------------------------
def other_text(encoding: str, rows: int = 4) -> bytes:
    """Rows whose last has a Chinese value; perfectly ordered."""
    lines = [f"{row % 2},{row % 2}.5,{'北京' if row == rows - 1 else 'a'}" for row in range(rows)]
    return "\n".join(["click,pctr,city", *lines, ""]).encode(encoding)


@pytest.mark.skipif(shutil.which("iconv") is None, reason="the hint is a command of iconv")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("my log.csv", other_text("gbk")),
        ("late.csv", other_text("gbk", rows=30_000)),
        ("packed.csv.gz", gzip.compress(other_text("gbk"))),
        ("excel.csv", other_text("utf-16")),
        ("log.jsonl", '{"click":1,"pctr":2,"city":"北京"}\n{"click":0,"pctr":1}'.encode("gbk")),
    ],
    ids=["gbk", "late", "packed", "utf-16", "json"],  # gzip has the time in its bytes
)
def test_the_hint_for_text_that_is_not_utf8_works_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    options: dict[str, Any] = {
        "label": "click",
        "score": "pctr",
        "by": "city",
        "metrics": "auc",
    }
    with pytest.raises(sy.SourceError, match="is not UTF-8 text") as caught:
        sy.evaluate(name, **options)
    found = re.search(r"as in (.*) \(GB18030", str(caught.value))
    assert found is not None
    subprocess.run(found[1], shell=True, check=True)
    (converted,) = tmp_path.glob("*.utf8.*")
    result = sy.evaluate(converted, **options)
    assert result["auc"] == 1.0
    assert "北京" in {row.slice.get("city") for row in result.rows}


def test_the_names_of_several_files_are_recorded(tmp_path: Path) -> None:
    log, more = tmp_path / "log.csv", tmp_path / "more.csv"
    for path in (log, more):
        path.write_text("y,s\n0,0.1\n1,0.9\n")
    result = sy.evaluate([str(log), more], label="y", score="s", metrics="auc")
    assert result.conventions.roles["source"] == f"{log}, {more}"
