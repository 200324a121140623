"""Standard input as a file: DuckDB reads it more than once, which a pipe does not allow."""

import gzip
import os
import shutil
import sys
import tempfile
import zlib

from steelyard import errors
from steelyard.sources.file_kind import unreadable

START = 1 << 16


def spool_stdin() -> str:
    """A temporary file with the content of stdin; its ending follows from its first bytes."""
    if sys.stdin is None:
        raise errors.UNREADABLE(path="-", reason="standard input is closed")
    handle, path = tempfile.mkstemp(prefix="steelyard-")
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
        named = path + ending(path)
        os.rename(path, named)
    except BaseException:
        os.remove(path)
        raise
    return named


def ending(path: str) -> str:
    """The ending of a file name, from the first bytes of the file."""
    with open(path, "rb") as file:
        start = file.read(START)
    if not start:
        raise errors.UNREADABLE(path="-", reason="there is nothing in the standard input")
    if start.startswith(b"PAR1"):
        return ".parquet"
    if not start.startswith(b"\x1f\x8b"):
        return _text(start)
    try:
        with gzip.open(path) as zipped:
            return _text(zipped.read(START)) + ".gz"
    except (OSError, EOFError, zlib.error) as error:
        raise unreadable("-", error) from error


def _text(start: bytes) -> str:
    bare = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return ".json" if bare.startswith((b"[", b"{")) else ".csv"
