"""Rows as the user counts them, and columns as the user calls them: what complaints speak of."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.model import Array, Mask
from steelyard.sources.blocks import SourceColumn


class KeptRows(NamedTuple):
    """Which of the user's rows a batch holds: numbered from `start`, those that are `kept`."""

    start: int = 0
    kept: Mask | None = None

    def number(self, index: int) -> int:
        """The row number that the user knows."""
        return self.start + int(index if self.kept is None else np.flatnonzero(self.kept)[index])

    def where(self, bad: Mask) -> dict[str, int]:
        """How many rows are bad, and which is the first, as a complaint says it."""
        return {"count": int(np.count_nonzero(bad)), "position": self.number(int(bad.argmax()))}


class NamedColumn(NamedTuple):
    """A column and what the user calls it."""

    name: str
    column: SourceColumn

    def take(self, rows: Mask | None) -> "NamedColumn":
        return self if rows is None else NamedColumn(self.name, self.column.take(rows))

    def without_gaps(self) -> "tuple[NamedColumn, Mask | None]":
        """The column with zeros where a value is missing, and where that is."""
        column = self.column
        if column.missing is None or not column.missing.any() or column.keys is not None:
            return self, None
        filled = np.where(column.missing, column.values.dtype.type(0), column.values)
        return self._replace(column=replace(column, values=filled, missing=None)), column.missing

    def faults(self, template: errors.Template) -> int:
        """How many rows are missing, or hold no number."""
        invalid = None if self.column.invalid is None else self.column.invalid[0]
        rows = self.column.missing if template is errors.MISSING else invalid
        return 0 if rows is None else int(np.count_nonzero(rows))

    def numbers(self, rows: KeptRows) -> tuple[str, Array, KeptRows]:
        """Name, values and rows; words are no numbers."""
        if self.column.keys is not None:
            words = np.zeros(len(self.column.values), "U1")
            raise bad_dtype(self.name, words, rows, "numbers")
        return self.name, self.column.values, rows


def bad_dtype(name: str, array: Array, rows: KeptRows, wanted: str) -> errors.SteelyardError:
    position = rows.number(0) if len(array) else 0
    type_ = "str" if array.dtype.kind == "U" else array.dtype.name  # NumPy's own is str96
    return errors.BAD_TYPE(name=name, type=type_, position=position, wanted=wanted)
