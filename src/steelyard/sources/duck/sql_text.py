"""SQL as text: quoting, and DuckDB's messages as one sentence."""

import os
import re
from collections.abc import Iterable
from glob import escape

from steelyard import errors
from steelyard.phrases import phrase
from steelyard.sources.encoding import not_utf8

SQL = re.compile(r"\s*(SELECT|WITH|FROM)\s", re.IGNORECASE)


class QueryError(Exception):
    """An error of DuckDB, with its own message; see `reason`."""


def is_sql(text: str) -> bool:
    """Whether a source is SQL; the name of an existing file is not."""
    return bool(SQL.match(text)) and not os.path.exists(text)


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def literal(path: str) -> str:
    """A path as SQL, with the special characters of patterns escaped."""
    return quoted(escape(os.path.abspath(path)))


def listed(items: Iterable[str]) -> str:
    return "[" + ", ".join(items) + "]"


def read_error(path: str, message: str) -> errors.SteelyardError:
    """The error for a file that DuckDB cannot read, from its message."""
    if re.search("not utf-8 encoded|invalid utf-8", message, re.IGNORECASE):
        line = re.search(r"CSV Error on Line: (\d+)|in line (\d+)", message)
        return not_utf8(path, int(line[1] or line[2]) if line else None)
    return errors.UNREADABLE(path=path, reason=reason(message))


def reason(message: str) -> str:
    """The reason in DuckDB's message as one line, without advice on DuckDB's options.

    >>> reason("IO Error: Too many open files\\n\\nLINE 1: SELECT")
    'Too many open files'
    >>> reason('Invalid Input Error: Failed to read file "a.parquet": Unsupported page encoding')
    'Unsupported page encoding'
    >>> reason("Out of Memory Error: failed to allocate data of size 32.0 KiB (0 bytes/1000 bytes)")
    "it takes more memory than is allowed: allow more, as in memory='8GB'"
    """
    if message.startswith("Out of Memory Error"):
        return phrase("it takes more memory than is allowed: allow more, as in memory='8GB'")
    refused = re.search(r'Cannot access (?:file|directory) "(.*?)" - file system', message)
    if refused:
        return phrase(
            "it reads {path!r}, which is not a file of the source; allow_files=True allows that",
            path=refused[1],
        )
    lines = [line.strip() for line in message.splitlines() if line.strip()] or ["DuckDB failed"]
    first = re.sub(r"^[A-Z]\w*( \w+)* Error: ", "", lines[0])
    first = re.sub(r'^Failed to read file ".*?": ', "", first)
    place = re.match(r"CSV Error on Line: (\d+)", first)
    if place:
        advice = (i for i, line in enumerate(lines) if line.startswith("Possible"))
        first = f"line {place[1]}: {lines[next(advice, 1) - 1]}"
    count = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", first)
    if place and count:
        first = f"line {place[1]} has {count[2]} values where the header has {count[1]} names"
    first = first.replace(
        ". You might need to add explicit type casts", ": say the type, as in x::DOUBLE"
    )
    if first.startswith("No magic bytes"):
        first = "it is not Parquet, or is cut short"
    if first.startswith("don't know what type"):
        first = "it is damaged"
    if "state machine" in first:
        first = "it is not well-formed CSV: look for a stray quote or mixed line ends"
    return first.rstrip(".!")


def fetch_reason(message: str) -> str:
    """The reason why an extension could not be fetched.

    >>> fetch_reason('IO Error: Failed to download "x"\\n\\nFor more info (ERROR No such host)')
    'Failed to download "x" (No such host)'
    """
    cause = re.search(r"\(ERROR (.*)\)\s*$", message)
    return reason(message) + (f" ({cause[1]})" if cause else "")


def unknown_column(message: str) -> str | None:
    """The column that DuckDB did not find; None if the message is another one."""
    found = re.search(r'Referenced column "(.*?)" (was )?not found', message)
    return found[1] if found else None
