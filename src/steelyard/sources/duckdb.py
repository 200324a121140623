"""Columns of a file, read by DuckDB: CSV, TSV, JSON lines and Parquet.

The only module that imports duckdb, and imported only where a file is at hand. DuckDB reads and
converts; it never adds. Rows come in the file's order, so that row numbers in errors are right.
Values keep the file's type: float32 stays float32. Text has no types, so the whole of a CSV column
decides, never a sample of it: the type then depends on the values and not on their order.
"""

import csv
import gzip
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from glob import escape
from typing import Any

import duckdb
import numpy as np

from steelyard import errors
from steelyard.aside import aside
from steelyard.model import Array

CSV = (".csv", ".csv.gz")
TSV = (".tsv", ".tsv.gz")
JSON = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".json", ".json.gz")
PARQUET = (".parquet",)
LISTED = 30  # columns that an error names
DELIMITERS = (",", ";", "\t", "|")

# A connection of its own, that fetches no extension and writes no file behind our back.
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "preserve_insertion_order": True,
    "temp_directory": "",
}
EXACT = {"BOOLEAN", "FLOAT", "DOUBLE", "VARCHAR"} | {
    sign + size for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
}
WORDS = {"VARCHAR", "JSON"}


@dataclass(frozen=True)
class Table:
    """What to select from, and the SQL name of each column, twice where a name stands twice."""

    sql: str
    columns: tuple[tuple[str, str], ...]

    def identifier(self, name: str) -> str:
        """The one column of exactly that name."""
        found = [identifier for known, identifier in self.columns if known == name]
        if len(found) == 1:
            return found[0]
        known = [known for known, _ in self.columns]
        close = get_close_matches(name, known, n=1) or [
            other for other in known if other.lower() == name.lower()
        ]
        hint = f"did you mean {close[0]!r}; " if close else ""
        listed = ", ".join(known[:LISTED]) + (", ..." if len(known) > LISTED else "")
        if found:
            raise errors.COLUMN_TWICE(count=len(found), name=name, listed=listed)
        raise errors.NO_COLUMN(name=name, hint=f"{hint}the columns are {listed}")


def read(
    path: str | os.PathLike[str], columns: Iterable[str], *, numbers: Collection[str] = ()
) -> dict[str, Array]:
    """Columns by name; a missing value is masked. Those in `numbers` must not hold words."""
    path = os.fspath(path)
    kind = _kind(path)
    names = list(dict.fromkeys(columns))
    with _reading(path), duckdb.connect(":memory:", config=CONFIG) as connection:
        table = _csv(path, kind) if kind in (CSV, TSV) else _described(connection, path, kind)
        identifiers = [table.identifier(name) for name in names]
        types = _types(connection, table, identifiers, text=kind in (CSV, TSV))
        for name, identifier, type_ in zip(names, identifiers, types, strict=True):
            if name in numbers and type_ in WORDS:
                _refuse_words(connection, table, name, identifier)
            elif type_ not in EXACT and not type_.startswith(("ENUM", "DECIMAL")):
                wanted = "numbers, booleans or words"
                raise errors.BAD_TYPE(name=name, type=type_, position=0, wanted=wanted)
        selected = [_cast(*pair) for pair in zip(identifiers, types, strict=True)]
        return dict(zip(names, _fetch(connection, table, selected), strict=True))


def columns(path: str) -> tuple[str, ...]:
    """The names of a file's columns."""
    kind = _kind(path)
    with _reading(path), duckdb.connect(":memory:", config=CONFIG) as connection:
        table = _csv(path, kind) if kind in (CSV, TSV) else _described(connection, path, kind)
        return tuple(name for name, _ in table.columns)


def write_parquet(path: str | os.PathLike[str], columns: Mapping[str, Array]) -> None:
    """A Parquet file: written aside and renamed, so that a run cut short leaves nothing half-done.

    The columns' names are ours, not a user's.
    """
    words = {name: c.astype(object) if c.dtype.kind == "U" else c for name, c in columns.items()}
    with (
        _reading(os.fspath(path), errors.UNWRITABLE),
        aside(path) as part,
        duckdb.connect(config=CONFIG) as connection,
    ):
        connection.register("columns", words)
        _run(connection, f"COPY (SELECT * FROM columns) TO {_quoted(part)} (FORMAT parquet)")


@contextmanager
def _reading(path: str, template: errors.Template = errors.UNREADABLE) -> Iterator[None]:
    """One sentence for whatever goes wrong with a file."""
    try:
        yield
    except duckdb.Error as error:
        raise template(path=path, reason=_reason(str(error))) from error
    except UnicodeError as error:
        raise template(path=path, reason="it is not UTF-8 text") from error
    except (OSError, EOFError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise template(path=path, reason=reason) from error


def _reason(message: str) -> str:
    """The line of DuckDB's message that says it, without the advice on DuckDB's own options.

    >>> _reason("IO Error: Too many open files\\n\\nLINE 1: SELECT")
    'Too many open files'
    """
    lines = [line.strip() for line in message.splitlines() if line.strip()] or ["DuckDB failed"]
    first = re.sub(r"^[A-Z]\w*( \w+)* Error: ", "", lines[0])
    place = re.match(r"CSV Error on Line: (\d+)", first)
    if place:
        advice = (i for i, line in enumerate(lines) if line.startswith("Possible"))
        first = f"line {place[1]}: {lines[next(advice, 1) - 1]}"
    if first.startswith("No magic bytes"):
        first = "it is not Parquet, or is cut short"
    if "state machine" in first:
        first = "it is not well-formed CSV: look for a stray quote or mixed line ends"
    return first.rstrip(".")


def _kind(path: str) -> tuple[str, ...]:
    """The format, from the file's name, of a file that is there and holds something."""
    if not os.path.exists(path):
        raise errors.NO_FILE(path=path)
    if os.path.isdir(path):
        raise errors.UNREADABLE(path=path, reason="it is a folder, name a file in it")
    try:
        os.path.abspath(path).encode()
    except UnicodeEncodeError:  # DuckDB takes no other
        reason = "its path is not UTF-8, rename it or set a UTF-8 locale"
        raise errors.UNREADABLE(path=path, reason=reason) from None
    kinds = (CSV, TSV, JSON, PARQUET)
    kind = next((kind for kind in kinds if path.lower().endswith(kind)), None)
    if kind is None:
        known = ", ".join(ending for kind in kinds for ending in kind)
        raise errors.UNREADABLE(path=path, reason=f"its name ends in none of {known}")
    with _reading(path), open(path, "rb") as file:
        if not file.read(1):
            raise errors.UNREADABLE(path=path, reason="the file is empty")
    return kind


def _csv(path: str, kind: tuple[str, ...]) -> Table:
    """Every column as the words in the file; the names are those of the first line, as they are."""
    opened = gzip.open if path.lower().endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
        header: Any = file
        first = header.readline()
        delimiter = "\t" if kind == TSV else _delimiter(first)
        header.seek(0)
        names = next(csv.reader(header, delimiter=delimiter), [])
    columns = tuple((name, f"column{i}") for i, name in enumerate(names))
    struct = ", ".join(f"{identifier}: 'VARCHAR'" for _, identifier in columns)
    sql = (
        f"read_csv({_quoted(path, plain=True)}, auto_detect = false, columns = {{{struct}}}, "
        f"""header = true, delim = {_quoted(delimiter)}, quote = '"', escape = '"', """
        "comment = '', strict_mode = true, hive_partitioning = false)"
    )
    return Table(sql, columns)


def _delimiter(header: str) -> str:
    """What parts the names of a header line.

    >>> _delimiter('"a,b";"c,d"'), _delimiter("click,pctr"), _delimiter("one")
    (';', ',', ',')
    """
    bare = re.sub(r'"[^"]*"', "", header)
    return max(DELIMITERS, key=bare.count)


def _described(connection: duckdb.DuckDBPyConnection, path: str, kind: tuple[str, ...]) -> Table:
    """A file that knows its own columns."""
    reader, options = "read_parquet", ""
    if kind == JSON:
        lines = not path.lower().removesuffix(".gz").endswith(".json")  # .json may be one array
        form = "newline_delimited" if lines else "auto"
        reader, options = "read_json", f"format = '{form}', sample_size = -1, "
    sql = f"{reader}({_quoted(path, plain=True)}, {options}hive_partitioning = false)"
    found = _run(connection, f"DESCRIBE SELECT * FROM {sql}")
    return Table(sql, tuple((str(row[0]), _identifier(str(row[0]))) for row in found))


def _types(
    connection: duckdb.DuckDBPyConnection, table: Table, identifiers: list[str], *, text: bool
) -> list[str]:
    """The type of each column: the file's own, or for text what all its values can be read as."""
    if not text:
        selected = ", ".join(identifiers)
        found = _run(connection, f"DESCRIBE SELECT {selected} FROM {table.sql}")
        return [str(row[1]) for row in found]
    tests = [test.format(c=c) for c in identifiers for test in _TESTS.values()]
    (answers,) = _run(connection, f"SELECT {', '.join(tests)} FROM {table.sql}")
    step = len(_TESTS)
    ladders = [answers[i : i + step] for i in range(0, len(answers), step)]
    return [
        next((type_ for type_, fits in zip(_TESTS, ladder, strict=True) if fits), "VARCHAR")
        for ladder in ladders
    ]


# DuckDB's cast of '1.5' to an integer gives 2, so that digits are looked for first.
_TESTS = {
    "BIGINT": r"count({c}) = count(CASE WHEN regexp_full_match({c}, '[+-]?[0-9]+') "
    "THEN TRY_CAST({c} AS BIGINT) END)",
    "DOUBLE": "count({c}) = count(TRY_CAST({c} AS DOUBLE))",
    "BOOLEAN": "count({c}) = count(CASE WHEN lower({c}) IN ('true', 'false') THEN 1 END)",
}


def _cast(identifier: str, type_: str) -> str:
    """A column in a type that NumPy has: a decimal number becomes the nearest float64."""
    if type_.startswith("DECIMAL"):
        type_ = "DOUBLE"
    elif type_.startswith("ENUM"):
        type_ = "VARCHAR"
    return f"CAST({identifier} AS {type_})"


def _refuse_words(
    connection: duckdb.DuckDBPyConnection, table: Table, name: str, identifier: str
) -> None:
    """The complaint about the words in a column of numbers: how many, and where the first is."""
    selected = [identifier, f"TRY_CAST({identifier} AS DOUBLE)"]
    words, numbers = _fetch(connection, table, selected)
    bad = np.ma.getmaskarray(numbers) & ~np.ma.getmaskarray(words)
    if not bad.any():  # numbers, but written as words: the file means them to be words
        raise errors.BAD_TYPE(name=name, type="VARCHAR", position=0, wanted="numbers")
    first = int(bad.argmax())
    raise errors.NOT_NUMBERS(
        name=name, count=int(np.count_nonzero(bad)), position=first, value=words[first]
    )


def _fetch(
    connection: duckdb.DuckDBPyConnection, table: Table, selected: Iterable[str]
) -> list[Array]:
    """Columns as NumPy arrays, under names of our own: DuckDB takes `A` and `a` for one name."""
    named = ", ".join(f"{expression} AS c{i}" for i, expression in enumerate(selected))
    found: dict[str, Any] = _run(connection, f"SELECT {named} FROM {table.sql}", "fetchnumpy")
    return list(found.values())


def _run(connection: duckdb.DuckDBPyConnection, sql: str, fetch: str = "fetchall") -> Any:
    """The rows of a query, fetched in a thread: DuckDB 2.0 is deaf to Ctrl-C until it is done."""
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(lambda: getattr(connection.execute(sql), fetch)())
        try:
            return waiting.result()
        except KeyboardInterrupt:
            connection.interrupt()
            raise


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _quoted(text: str, *, plain: bool = False) -> str:
    """A SQL string; `plain` for a path of which no character is a pattern."""
    if plain:
        text = escape(os.path.abspath(text))
    return "'" + text.replace("'", "''") + "'"
