"""Text files of fields with white space between, a line a record; `.gz` files are unpacked.

A field is a span of the file's bytes: where it starts, how long it is. Spans are found, told apart
and read as numbers in bulk, without a loop over lines: a microsecond for a run's line of six. What
line a span stands in is counted only where a complaint has to say it.
"""

import gzip
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.distinct import Indices
from steelyard.model import Array, Floats

CHUNK = 1 << 24  # bytes looked at together: what is made of them on the way stays small
ROWS = 1 << 18  # spans copied together
WIDE = 256  # letters; a column with a longer word is one of Python objects
LONG = 40  # letters of a number that NumPy reads in bulk
# White space is a space, and tab to carriage return; shift out is the control character after it.
SPACE, TAB, SHIFT_OUT, NEWLINE = (np.uint8(ord(letter)) for letter in " \t\x0e\n")
GZIP, BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NUMERIC = np.isin(np.arange(256), np.frombuffer(b"0123456789+-.eE\0", np.uint8))
LARGEST = 2**53  # whole numbers up to here are the same in float64


class Spans(NamedTuple):
    """Pieces of a text: where each starts, and how long it is."""

    starts: Indices
    lengths: Indices

    def take(self, rows: Indices | slice) -> "Spans":
        return Spans(self.starts[rows], self.lengths[rows])


class Text(NamedTuple):
    """A file's bytes, unpacked; they are UTF-8 and hold no control character but white space."""

    path: str
    data: bytes

    @property
    def letters(self) -> Array:
        return np.frombuffer(self.data, np.uint8)

    def line(self, place: int) -> int:
        """The line, counted from 1, that a byte stands in."""
        return self.data.count(b"\n", 0, place) + 1

    def where(self, place: int) -> dict[str, str | int]:
        """Where a byte stands, as a complaint says it."""
        return {"path": self.path, "line": self.line(place)}

    def word(self, spans: Spans, row: int) -> str:
        start = int(spans.starts[row])
        return self.data[start : start + int(spans.lengths[row])].decode()


class LineFields(NamedTuple):
    """The fields of some lines, blank ones left out, and how many each line has."""

    fields: Spans
    counts: Indices


def read_text(path: FilePath) -> Text:
    """A file in memory, where it is text."""
    name = os.fspath(path)
    data = _bytes(name)
    invalid = _control(np.frombuffer(data, np.uint8))
    if invalid < 0 and not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as error:
            invalid = error.start
    if invalid >= 0:
        raise errors.NOT_TEXT(**Text(name, data).where(invalid))
    if not data or data.isspace():
        raise errors.EMPTY_FILE(path=name)
    return Text(name, data)


def _control(letters: Array) -> int:
    """The place of the first control character that is no white space; -1 where there is none."""
    for start in range(0, len(letters), CHUNK):
        part = letters[start : start + CHUNK]
        invalid = (part < TAB) | (part - SHIFT_OUT < SPACE - SHIFT_OUT)  # below 0 is far above
        if invalid.any():
            return start + int(invalid.argmax())
    return -1


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(GZIP):
            data = gzip.decompress(data)
    except FileNotFoundError:
        raise errors.NO_FILE(path=path) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise errors.UNREADABLE(path=path, reason=reason[:1].lower() + reason[1:]) from error
    return data.removeprefix(BOM)


def lines(text: Text) -> Iterator[LineFields]:
    """The fields of the file, some megabytes of lines at a time."""
    for start, end in _chunks(text.data):
        part = text.letters[start:end]
        edges = np.flatnonzero(np.diff(part > SPACE, prepend=False, append=False))
        starts, ends = edges[::2], edges[1::2]
        breaks = np.append(np.flatnonzero(part == NEWLINE), len(part))
        counts = np.diff(np.searchsorted(starts, breaks), prepend=0)
        yield LineFields(Spans(starts + start, ends - starts), counts[counts > 0])


def _chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Pieces of whole lines."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + CHUNK) + 1 or len(data)
        yield start, end
        start = end


def columns(
    text: Text, layout: Sequence[str], wanted: Sequence[str], *, more: bool = False
) -> list[Spans]:
    """The wanted columns of a file whose every line has the fields of a layout.

    more: whether a line may have more fields behind those, which say nothing
    """
    parts: list[list[Spans]] = []
    for every, counts in lines(text):
        first = np.cumsum(counts) - counts
        invalid = np.flatnonzero((counts < len(layout)) | ((counts > len(layout)) & (not more)))
        if len(invalid):
            raise errors.LINE_FIELDS(
                **text.where(int(every.starts[first[invalid[0]]])),
                count=int(counts[invalid[0]]),
                wanted=len(layout),
                layout=" ".join(layout),
            )
        parts.append([every.take(first + layout.index(name)) for name in wanted])
    return [joined(column) for column in zip(*parts, strict=True)]


def joined(parts: Sequence[Spans]) -> Spans:
    """Spans one after the other."""
    return Spans(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def words(data: Array, spans: Spans) -> Array:
    """The spans of UTF-8 bytes as an array of words."""
    longest = int(spans.lengths.max(initial=1))
    if longest > WIDE:
        return np.fromiter(map(bytes.decode, listed(data, spans)), object, len(spans.starts))
    found = np.empty(len(spans.starts), f"U{longest}")
    for start in range(0, len(found), ROWS):
        part = spans.take(slice(start, start + ROWS))
        found[start : start + ROWS] = _unicode(_matrix(data, part, longest))
    return found


def _unicode(matrix: Array) -> Array:
    if matrix.max(initial=0) < 128:
        return matrix.astype(np.uint32).view(f"U{matrix.shape[1]}").ravel()
    return np.char.decode(_ascii(matrix), "utf-8")


def numbers(text: Text, spans: Spans, field: str) -> Floats:
    """The spans as finite numbers, each the nearest float64."""
    found = floats(text, spans)
    if found is None:
        raise not_a(text, spans, first_invalid(text, spans), field, "a finite number")
    return found


def floats(text: Text, spans: Spans) -> Floats | None:
    """The spans as finite numbers; None where one is none."""
    found = np.empty(len(spans.starts))
    for start in range(0, len(found), ROWS):
        part = spans.take(slice(start, start + ROWS))
        read = _floats(text.letters, part, int(part.lengths.max(initial=1)))
        if read is None or not np.isfinite(read).all():
            return None
        found[start : start + ROWS] = read
    return found


def _floats(data: Array, spans: Spans, longest: int) -> Floats | None:
    if longest > LONG:
        every = listed(data, spans)
        good = all(map(NUMBER.fullmatch, every))
        return np.array([float(word) for word in every]) if good else None
    matrix = _matrix(data, spans, longest)
    if not NUMERIC[matrix].all():  # NumPy would read 1_0, nan and inf
        return None
    try:
        return _ascii(matrix).astype(np.float64)
    except ValueError:
        return None


def first_invalid(text: Text, spans: Spans) -> int:
    """The first of the spans that is no finite number."""
    every = enumerate(listed(text.letters, spans))
    return next(
        row for row, word in every if not NUMBER.fullmatch(word) or not isfinite(float(word))
    )


def not_a(text: Text, spans: Spans, row: int, field: str, wanted: str) -> errors.SteelyardError:
    """The complaint about a field that is not what it should be."""
    where = text.where(int(spans.starts[row]))
    return errors.LINE_VALUE(**where, field=field, value=text.word(spans, row), wanted=wanted)


def whole(text: Text, spans: Spans, field: str, least: int = -LARGEST) -> Array:
    """The spans as whole numbers: int64."""
    values = numbers(text, spans, field)
    invalid = np.flatnonzero((values != np.floor(values)) | (values < least) | (values > LARGEST))
    if len(invalid):
        more = "" if least < 0 else f" of {least} or more"
        raise not_a(
            text, spans, int(invalid[0]), field, f"a whole number{more} (2**53 is the most)"
        )
    return values.astype(np.int64)


def _matrix(data: Array, spans: Spans, width: int) -> Array:
    """A line a span, filled up with NULs."""
    place = np.arange(width)
    letters = data.take(spans.starts[:, None] + place, mode="clip")
    letters[place >= spans.lengths[:, None]] = 0
    return letters


def _ascii(matrix: Array) -> Array:
    return matrix.view(f"S{matrix.shape[1]}").ravel()


def listed(data: Array, spans: Spans) -> list[bytes]:
    pairs = zip(spans.starts.tolist(), spans.lengths.tolist(), strict=True)
    return [data[start : start + length].tobytes() for start, length in pairs]
