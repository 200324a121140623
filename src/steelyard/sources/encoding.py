"""Text that is not UTF-8: the error, with the command that converts the file."""

import os
import shlex
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress

from steelyard import errors

UNPACKED_BY = {".gz": "gzip -dc", ".zst": "zstd -dc"}


def not_utf8(path: str, line: int | None = None) -> errors.SteelyardError:
    """The error for a file of other text; line: the first that shows it, if known."""
    where = "" if line is None else f" in line {line}"
    return errors.NOT_UTF8(path=path, where=where, command=convert_command(path))


def convert_command(path: str) -> str:
    """The command of a shell that writes a file as UTF-8, beside it; "-": as a part of a pipe.

    >>> convert_command("log.csv")
    'iconv -f GB18030 -t UTF-8 log.csv > log.utf8.csv'
    >>> convert_command("my log.csv.gz")
    "gzip -dc 'my log.csv.gz' | iconv -f GB18030 -t UTF-8 > 'my log.utf8.csv'"
    >>> convert_command("-")
    'iconv -f GB18030 -t UTF-8 FILE | steelyard eval -'
    """
    convert = f"iconv -f {_encoding(path)} -t UTF-8"
    if path == "-":
        return f"{convert} FILE | steelyard eval -"
    given, (root, packed) = shlex.quote(path), os.path.splitext(path)
    unpack = UNPACKED_BY.get(packed.lower())
    stem, ending = os.path.splitext(root if unpack else path)
    written = shlex.quote(f"{stem}.utf8{ending}")
    return (
        f"{unpack} {given} | {convert} > {written}" if unpack else f"{convert} {given} > {written}"
    )


def _encoding(path: str) -> str:
    """UTF-16 if the file starts so, as those of Excel do; else that of Chinese files, with GBK."""
    start = b""
    with suppress(OSError), open(path, "rb") as file:
        start = file.read(2)
    return "UTF-16" if start in (BOM_UTF16_LE, BOM_UTF16_BE) else "GB18030"
