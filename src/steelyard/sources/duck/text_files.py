"""CSV and TSV files: the header and its delimiter; the values are text without types."""

import csv
import gzip
import os
import re
from dataclasses import dataclass
from io import StringIO
from typing import IO, Any

from steelyard.sources.duck.files import PACKED
from steelyard.sources.duck.query import Queries
from steelyard.sources.duck.sql_text import identifier, literal, quoted

DELIMITERS = (",", ";", "\t", "|")
# DuckDB accepts one value too many in a line if it is null. No value without quotes is a line feed,
# so that none is null; the columns are selected with nullif(…, '').
NO_NULLS = "nullstr = E'\\n', allow_quoted_nulls = false"
# An empty value is null, and `""` is text: for lines that were read with NO_NULLS before.
NULLS = "nullstr = '', allow_quoted_nulls = false"
LINES = 100  # of a header, whose names may hold line feeds
SAMPLE = 1 << 16  # bytes of a file that tell the average length of its lines


@dataclass(frozen=True)
class Header:
    """The names in the first line, unchanged, and the delimiter between them."""

    names: tuple[str, ...]
    delimiter: str

    def reader(self, paths: str, columns: list[str], nulls: str, options: str) -> str:
        """The SQL that reads every column as text, without guessing types."""
        struct = ", ".join(f"{identifier(column)}: 'VARCHAR'" for column in columns)
        return (
            f"read_csv({paths}, auto_detect = false, columns = {{{struct}}}, header = true, "
            f"""delim = {quoted(self.delimiter)}, quote = '"', escape = '"', """
            f"comment = '', strict_mode = true, {nulls}, {options})"
        )


def header(path: str, queries: Queries) -> Header:
    with _opened(path, queries) as file:
        first = file.readline()
        tab = re.search(r"\.tsv(\.\w+)?$", path, re.IGNORECASE)
        delimiter = "\t" if tab else delimiter_of(first)
        file.seek(0)
        return Header(tuple(next(csv.reader(file, delimiter=delimiter), [])), delimiter)


def delimiter_of(line: str) -> str:
    """The delimiter between the names of a header line.

    >>> delimiter_of('"a,b";"c,d"'), delimiter_of("click,pctr"), delimiter_of("one")
    (';', ',', ',')
    """
    bare = re.sub(r'"[^"]*"', "", line)
    return max(DELIMITERS, key=bare.count)


def about_rows(path: str) -> int | None:
    """About how many lines a file has, from its first ones; None if packed, or a JSON array."""
    if path.lower().endswith((*PACKED, ".json")):
        return None
    with open(path, "rb") as file:
        _, sample = file.readline(), file.read(SAMPLE)
        start = file.tell() - len(sample)
    whole = sample.rfind(b"\n") + 1 or len(sample)
    lines = sample.count(b"\n") or 1
    return round((os.path.getsize(path) - start) * lines / max(whole, 1))


def _opened(path: str, queries: Queries) -> IO[Any]:
    if path.lower().endswith(".zst"):
        return _first_lines(path, queries)
    opened: Any = gzip.open if path.lower().endswith(".gz") else open
    file: IO[Any] = opened(path, "rt", encoding="utf-8-sig", newline="")
    return file


def _first_lines(path: str, queries: Queries) -> IO[str]:
    """The first lines of a zstd file, which DuckDB unpacks: Python does so from 3.14 only."""
    whole = "auto_detect = false, header = false, delim = E'\\x01', quote = '', escape = ''"
    lines = f"read_csv({literal(path)}, columns = {{line: 'VARCHAR'}}, {whole})"
    found = queries.rows(f"SELECT line FROM {lines} LIMIT {LINES}")
    return StringIO("\n".join(line or "" for (line,) in found).removeprefix("\ufeff"))
