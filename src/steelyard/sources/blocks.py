"""Blocks: some rows of a source, column by column, as they come."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.model import Array, Key, Mask


class ColumnRequest(NamedTuple):
    """A column to read: a column's name or an SQL expression, and what it is read as.

    "number": scores, weights and counts. "label": numbers or words, whatever is there.
    "key": the key of each row, such as its slice; always coded.
    "group": keys of which there may be as many as rows: whole numbers are left as they are.
    """

    text: str
    kind: str


@dataclass(frozen=True)
class SourceColumn:
    """One column of a block, not yet checked.

    values: one-dimensional and native; numbers, or codes where there are words
    missing: which rows have no value; None where all have one
    words: what the codes stand for, each once; the order says nothing
    invalid: rows that hold no number where one is meant, and the first one's text
    read: whether the words are those of a file without types, so that "1" is 1 here
    numbers: whether the words are numbers by the column's type, even where there is no row
    """

    values: Array
    missing: Mask | None = None
    keys: Sequence[Key] | None = None
    invalid: tuple[Mask, str] | None = None
    untyped: bool = False
    numeric: bool = False

    def take(self, rows: Mask | None) -> "SourceColumn":
        """The rows chosen, of which none is missing."""
        return SourceColumn(self.values if rows is None else self.values[rows], None, self.keys)


@dataclass(frozen=True)
class Block:
    """Some rows of a source, as they come: `start` is the row number of the first."""

    start: int
    rows: int
    columns: Mapping[ColumnRequest, SourceColumn]
