"""Patterns and folders: all files that they name are read once; skipped files are named."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import steelyard
from tests.shell.run import run
from tests.sources.evaluated import row_count

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def two_rows(path: str) -> None:
    """A file with two rows; pyarrow packs it as the ending of its name says."""
    table = pyarrow.table({"y": [0, 1], "s": [0.1, 0.9]})
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    if path.endswith(".parquet"):
        pyarrow.parquet.write_table(table, path)
    else:
        with pyarrow.output_stream(path, compression="detect") as file:
            file.write(b"y,s\n0,0.1\n1,0.9\n" if "csv" in path else b'{"y": 0, "s": 0.5}\n' * 2)


def test_a_pattern_reads_files_and_folders(folder: Path) -> None:
    """Spark writes folders that are named like files, with marks and checksums in them."""
    for path in ("a.parquet", "b.parquet/part-0.parquet", "b.parquet/part-1.parquet"):
        two_rows(path)
    Path("b.parquet/_SUCCESS").touch()
    Path("b.parquet/.part-0.parquet.crc").write_text("crc", encoding="utf-8")
    assert [row_count(pattern) for pattern in ("[ab].parquet", "*", "**", "**/*.parquet", ".")] == [
        6
    ] * 5
    Path("_temporary").mkdir()
    assert row_count("*") == 6


def test_a_folder_reads_all_ways_of_packing(folder: Path) -> None:
    for path in ("log/a.csv", "log/b.csv.zst", "log/c.csv.gz"):
        two_rows(path)
    assert [row_count(each) for each in ("log", "log/*", "log/b.csv.zst")] == [6, 6, 2]
    for path in ("lines/a.jsonl", "lines/b.jsonl.zst", "lines/c.jsonl.gz"):
        two_rows(path)
    assert row_count("lines") == 6
    with pytest.raises(sy.SourceError, match=r"is JSON but .* is text: read files of one format"):
        row_count(".")


def test_what_a_folder_skips_is_said(folder: Path) -> None:
    for path in ("log/a.parquet", "log/b.csv.bz2", "log/notes.txt"):
        two_rows(path)
    said = r"2 files are skipped.*: log/b.csv.bz2, log/notes.txt"
    for source in ("log", "lo*"):
        with pytest.warns(sy.SkippedWarning, match=said):
            assert row_count(source) == 2
    done = run("eval", "log", "--label", "y", "--score", "s", "-m", "auc")
    assert done.exit_code == 0
    assert done.stderr.startswith("steelyard: 2 files are skipped, since no format that is read")
    assert "warn" not in done.stderr.lower()
    with pytest.raises(sy.SourceError, match=r"b.csv.bz2' cannot be read: its name ends in none"):
        row_count("log/*")


def test_linked_folders_are_read_once(folder: Path) -> None:
    two_rows("elsewhere/b.parquet")
    two_rows("log/a.parquet")
    Path("log/linked").symlink_to("../elsewhere")
    Path("log/itself").symlink_to("../log")
    assert row_count("log") == 4


@pytest.mark.parametrize(
    "source",
    [
        ["a.csv", "./a.csv"],
        ["a.csv", "a.csv"],
        ["*.csv", "a*"],
        ["a.csv", "."],
        ["a.csv", "l/a.csv"],
    ],
)
def test_a_file_that_is_given_twice_is_refused(source: list[str], folder: Path) -> None:
    """Its rows counted twice."""
    two_rows("a.csv")
    two_rows("b.csv")
    Path("l").symlink_to(".")
    with pytest.raises(sy.SourceError, match=r"'.*a.csv' is given twice, .* name it once\.$"):
        row_count(source)
    assert row_count(["a.csv", "b.csv"]) == 4
