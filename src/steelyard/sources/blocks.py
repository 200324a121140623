"""Blocks: some rows of a source, column by column, in input order."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Key, Mask
from steelyard.sources.text_keys import TextKeys


class ColumnRequest(NamedTuple):
    """A column to read: the name of a column or an SQL expression, and the kind of its values.

    "number": scores, weights and counts. "label": numbers or text.
    "key": the key of each row, such as its slice; always coded.
    "class": a true or predicted class: a key whose value is read as that of a label is.
    "group": keys of which there may be as many as rows; whole numbers are not coded.
    "file": the path of each row's file, as a key; it is no column.
    """

    text: str
    kind: str


@dataclass(frozen=True)
class SourceColumn:
    """One column of a block, not yet checked.

    values: one-dimensional, in native byte order: numbers, or codes if there are keys
    missing: which rows have no value; None if all rows have one
    keys: the key of each code, each once, in no particular order
    invalid: rows that should hold a number but do not, and the text of the first
    inexact: rows whose whole number float64 does not hold, and the text of the first
    untyped: whether the column comes from a file without types, so that "1" was read as 1
    numeric: whether the type of the column is numeric, known even if there are no rows
    """

    values: Array
    missing: Mask | None = None
    keys: Sequence[Key] | None = None
    invalid: tuple[Mask, str] | None = None
    inexact: tuple[Mask, str] | None = None
    untyped: bool = False
    numeric: bool = False

    def take(self, rows: Mask | None) -> "SourceColumn":
        """The chosen rows, none of which may be missing."""
        return SourceColumn(self.values if rows is None else self.values[rows], None, self.keys)

    def with_used_keys(self) -> "SourceColumn":
        """The column of keys without those that no row has."""
        assert self.keys is not None
        used = np.zeros(len(self.keys), bool)
        used[self.values] = True
        if used.all():
            return self
        codes = np.cumsum(used) - 1
        if isinstance(self.keys, TextKeys):
            return SourceColumn(codes[self.values], None, self.keys.take(np.flatnonzero(used)))
        return SourceColumn(codes[self.values], None, list(compress(self.keys, used)))


@dataclass(frozen=True)
class Block:
    """Some rows of a source, in input order: `start` is the row number of the first."""

    start: int
    rows: int
    columns: Mapping[ColumnRequest, SourceColumn]


def with_progress(
    blocks: Iterable[Block], total: int | None, progress: Callable[[int, int | None], None]
) -> Iterator[Block]:
    """The blocks; progress is reported after each."""
    for block in blocks:
        yield block
        progress(block.start + block.rows, total)
