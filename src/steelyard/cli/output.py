"""The output of a command: stdout or a file that can be written, and its format."""

import errno
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from glob import glob
from io import TextIOWrapper
from typing import Any, NamedTuple

import click

from steelyard import errors
from steelyard.cli import terminal
from steelyard.cli.option import Option
from steelyard.request.options import OUTPUT

ENDINGS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".md": "markdown", ".txt": "table"}
FORMATS = ("table", "json", "jsonl", "csv", "markdown")
STDOUT = ("-", "/dev/stdout")  # else a file behind /dev/stdout would be replaced, not appended to
WRITABLE = os.W_OK | os.X_OK


def options(formats: Sequence[str], endings: Iterable[str]) -> tuple[Option, Option]:
    """`--format` and `--output` of a command that writes these formats."""
    return (
        Option(
            "--format",
            section=OUTPUT,
            metavar="FORMAT",
            type=click.Choice(formats),
            help=f"{', '.join(formats)}; table if not given.",
        ),
        file_option(f"Write to a file; its ending sets the format: {', '.join(endings)}."),
    )


def file_option(help: str, **settings: Any) -> Option:
    """`--output` of a command; settings: further ones of click."""
    names = ("-o", "--output")
    return Option(*names, section=OUTPUT, metavar="FILE", type=click.Path(), help=help, **settings)


FORMAT, FILE = options(FORMATS, ENDINGS)


class Sink(NamedTuple):
    """The destination of a result; without a path, stdout."""

    path: str | None
    format: str

    def write(self, result: Any) -> None:
        """Write the result; a file is written whole or not at all."""
        width = terminal.width(sys.stdout) if self.path is None else None
        self.write_text(rendered(result, self.format, width))

    def write_text(self, text: str) -> None:
        if self.path is None:
            write_stdout(text, headers=self.format == "table", data=self.format != "table")
        else:
            from steelyard.atomic_write import write_atomically

            write_atomically(self.path, _line(text))

    def write_bytes(self, data: bytes) -> None:
        """Write a file that is no text."""
        from steelyard.atomic_write import write_atomically

        assert self.path is not None
        write_atomically(self.path, data)


def rendered(result: Any, format: str, width: int | None) -> str:
    """The text of a result in a format."""
    from steelyard.report import text
    from steelyard.report.formats import FORMATS as RENDER

    if format == "table":
        return text.render(result.rows, result.conventions, result.shapes, width=width)
    return RENDER[format](result.rows, result.conventions, result.shapes)


def sink(
    path: str | None,
    format: str | None,
    *,
    read: Iterable[str] = (),
    plain: str = "table",
    endings: Mapping[str, str] = ENDINGS,
) -> Sink:
    """The destination, checked before the long work starts.

    plain: the command's format for people, if neither `format` nor the path's ending names another
    endings: the format of each ending
    """
    path = None if path in STDOUT else path
    if path is not None:
        _check_writable(path, read)
    return Sink(path, format or _format(path, plain, endings))


def write_stdout(text: str, *, headers: bool = False, data: bool = False) -> None:
    """Write text to stdout; a reader that closes the pipe early, as `head` does, is no error.

    A file or a pipe gets every byte; a terminal gets no escapes that come from the data.

    headers: lines above a rule are bold, on a terminal with colour
    data: text for programs, which is UTF-8 whatever the locale; other text is written in characters
        that the locale has
    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    if terminal.is_terminal(sys.stdout):
        text = terminal.without_escapes(text)
    if headers and terminal.has_colour(sys.stdout):
        text = terminal.bold_headers(text)
    text = _as_utf8(text) if data else _readable(text)
    try:
        sys.stdout.write(_line(text))
        sys.stdout.flush()
    except BrokenPipeError:
        # Python writes the rest of the buffer at exit, which must not fail.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _as_utf8(text: str) -> str:
    """The text, which stdout will write as UTF-8: keys that differ must not become equal."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        from steelyard.atomic_write import NOT_UTF8

        raise errors.UNWRITABLE(path="-", reason=NOT_UTF8) from error
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return text


def _readable(text: str) -> str:
    """The text in characters that stdout has."""
    if text.isascii():
        return text
    from steelyard.report.text import encodable

    return encodable(text)


def _line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _format(path: str | None, plain: str, endings: Mapping[str, str]) -> str:
    ending = os.path.splitext(path or "")[1].lower()
    if ending and ending not in endings:
        raise errors.BAD_ENDING(path=path, endings=", ".join(endings))
    named = endings.get(ending, "table")
    return plain if named == "table" else named


def _check_writable(path: str, read: Iterable[str]) -> None:
    """Refuse a path that cannot be written, or that the rows are read from."""
    target = os.path.realpath(path)
    folder, exists = os.path.dirname(target), os.path.exists(target)
    renamed = os.path.isfile(target) or not exists  # no device, no pipe: see `temporary_path`
    reason = None
    if os.path.isdir(target):
        reason = os.strerror(errno.EISDIR)
    elif not os.path.isdir(folder):
        reason = f"there is no folder {(os.path.dirname(path) or folder)!r}"
    elif (renamed and not os.access(folder, WRITABLE)) or (
        exists and not os.access(target, os.W_OK)
    ):
        reason = os.strerror(errno.EACCES)
    elif any(_same(path, source) for source in read):
        reason = "the rows are read from it"
    if reason:
        raise errors.UNWRITABLE(path=path, reason=reason)


def _same(path: str, source: str) -> bool:
    if not os.path.isfile(path):
        return False
    found = [source] if os.path.exists(source) else glob(source, recursive=True)
    return any(os.path.isfile(file) and os.path.samefile(path, file) for file in found)
