"""Compressed files: their checksums are verified, damaged ones are refused."""

import gzip
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

import steelyard
from tests.shell.run import run
from tests.sources.evaluated import row_count

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
ZSTD = "28b52ffd0458810000792c730a302c302e310a312c302e390a9f3e2d96"


def test_zstd_files_with_a_checksum(folder: Path) -> None:
    """The rows y,s / 0,0.1 / 1,0.9 as `zstd --check` writes them, and with another checksum."""
    good = bytes.fromhex(ZSTD)
    Path("t.csv.zst").write_bytes(good)
    assert row_count("t.csv.zst") == 2
    Path("t.csv.zst").write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(sy.SourceError, match=r"'t.csv.zst' cannot be read"):
        row_count("t.csv.zst")


def gzip_of_many_rows() -> bytes:
    rows = "".join(f"{place % 2},{place / 1000}\n" for place in range(1000))
    return gzip.compress(f"y,s\n{rows}".encode())


def test_a_damaged_gzip_file_is_refused(folder: Path) -> None:
    """A flipped bit in each byte of the data, of the checksum and of the length."""
    good = gzip_of_many_rows()
    Path("t.csv.gz").write_bytes(good)
    assert row_count("t.csv.gz") == 1000
    for place in range(10, len(good), 37):
        damaged = bytearray(good)
        damaged[place] ^= 4
        Path("t.csv.gz").write_bytes(damaged)
        with pytest.raises(sy.SourceError, match=r"'t.csv.gz' cannot be read"):
            row_count("t.csv.gz")
    for end in (-1, -8, -50):
        Path("t.csv.gz").write_bytes(good[:end])
        with pytest.raises(sy.SourceError, match=r"'t.csv.gz' cannot be read: it is cut short"):
            row_count("t.csv.gz")


def test_a_damaged_gzip_file_among_others_and_on_stdin(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = gzip_of_many_rows()
    damaged = good[:-6] + bytes([good[-6] ^ 1]) + good[-5:]
    Path("a.csv.gz").write_bytes(good)
    Path("b.csv.gz").write_bytes(damaged)
    with pytest.raises(sy.SourceError, match=r"'b.csv.gz' cannot be read: it is damaged"):
        row_count("*.csv.gz")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(damaged)))
    done = run("eval", "-", "--label", "y", "--score", "s", "-m", "auc")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("steelyard: '-' cannot be read: ")


def test_gzip_files_in_one_are_all_checked(folder: Path) -> None:
    """`cat a.gz b.gz` is a gzip file."""
    head, rest = gzip.compress(b"y,s\n0,0.1\n1,0.9\n"), gzip.compress(b"0,0.2\n1,0.8\n")
    Path("t.csv.gz").write_bytes(head + rest)
    assert row_count("t.csv.gz") == 4
    Path("t.csv.gz").write_bytes(head + rest[:-6] + bytes([rest[-6] ^ 1]) + rest[-5:])
    with pytest.raises(sy.SourceError, match=r"it is damaged"):
        row_count("t.csv.gz")
