"""A batch: checked columns with their roles.

A source makes batches, a state takes them. Columns are one-dimensional, of native byte order,
without missing values, never written to, and hold no row of weight zero: that row is absent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steelyard import errors
from steelyard.model import Array, Key, Label, Reading

Mask = npt.NDArray[np.bool_]


class Wanted(NamedTuple):
    """A column to read: a column's name or an SQL expression, and what it is read as.

    "number": scores, weights and counts. "label": numbers or words, whatever is there.
    "key": what rows are told apart by; always coded.
    """

    text: str
    kind: str


@dataclass(frozen=True)
class Column:
    """One column of a block, not yet checked.

    values: one-dimensional and native; numbers, or codes where there are words
    missing: which rows have no value; None where all have one
    words: what the codes stand for, each once; the order says nothing
    odd: rows that hold no number where one is meant, and the first one's text
    """

    values: Array
    missing: Mask | None = None
    words: Sequence[Key] | None = None
    odd: tuple[Mask, str] | None = None


@dataclass(frozen=True)
class Block:
    """Some rows of a source, as they come: `start` is the row number of the first."""

    start: int
    rows: int
    columns: Mapping[Wanted, Column]


def plain_label(label: Label) -> Label:
    """One spelling for equal labels: True, 1.0 and 1 are all 1."""
    if isinstance(label, bool | float) and label == label // 1:
        return int(label)
    return label


def user_row(index: int, kept: npt.NDArray[np.bool_] | None) -> int:
    """The row number that the user knows, where only the kept rows are here."""
    return int(index if kept is None else np.flatnonzero(kept)[index])


@dataclass(frozen=True)
class Batch:
    """Rows to weigh. `kept` marks the user's rows that are here, where some were left out."""

    label: Array
    score: Array
    weight: Array | None
    reading: Reading
    dropped: int = 0
    kept: npt.NDArray[np.bool_] | None = None
    label_name: str = "label"

    def __len__(self) -> int:
        return len(self.label)

    def position(self, index: int) -> int:
        """The row number that the user knows."""
        return user_row(index, self.kept)

    @cached_property
    def binary(self) -> tuple[npt.NDArray[np.bool_], Label]:
        """Which rows are positive, and the label the others bear (None where there is none)."""
        if len(self) == 0:
            return np.zeros(0, bool), None
        if self.reading.positive is not None:
            return self._named_positive(self.reading.positive)
        if self.label.dtype.kind == "b":
            return self.label, None if self.label.all() else 0
        if self.label.dtype.kind in "iuf":
            return self._numeric()
        raise self._bad_label(np.ones(len(self), bool))

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        return self.binary[0]

    def _numeric(self) -> tuple[npt.NDArray[np.bool_], Label]:
        positive = self.label == 1
        rest = len(self) - np.count_nonzero(positive)
        if rest == 0:
            return positive, None
        zero = self.label == 0
        if np.count_nonzero(zero) == rest:
            return positive, 0
        minus = self.label == -1
        if np.count_nonzero(minus) == rest:
            return positive, -1
        if np.count_nonzero(zero) + np.count_nonzero(minus) == rest:
            raise errors.MIXED_LABELS(
                name=self.label_name,
                zero=self.position(int(zero.argmax())),
                minus=self.position(int(minus.argmax())),
            )
        raise self._bad_label(~(positive | zero | minus))

    def _named_positive(self, positive: Label) -> tuple[npt.NDArray[np.bool_], Label]:
        is_positive = np.asarray(self.label == positive)  # all False where types do not match
        others = np.flatnonzero(~is_positive)
        if len(others) == 0:
            return is_positive, None
        first = self.label[others[0]]
        third = self.label[others] != first
        if not third.any():
            return is_positive, plain_label(first.item())
        position = others[int(third.argmax())]
        if is_positive.any():
            values = f"{positive!r}, {first.item()!r}, {self.label[position].item()!r}"
            raise errors.TOO_MANY_LABELS(
                name=self.label_name, values=values, position=self.position(position)
            )
        second = self.label[position]
        more = np.any(third & (self.label[others] != second))
        values = f"{first.item()!r}, {second.item()!r}{', ...' if more else ''}"
        raise errors.POSITIVE_ABSENT(name=self.label_name, positive=positive, values=values)

    def _bad_label(self, bad: npt.NDArray[np.bool_]) -> errors.SteelyardError:
        index = int(bad.argmax())
        return errors.BAD_LABEL(
            name=self.label_name,
            count=int(np.count_nonzero(bad)),
            position=self.position(index),
            value=repr(self.label[index].item()),
        )
