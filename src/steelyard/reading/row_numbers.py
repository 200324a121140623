"""Row numbers and column names as the user knows them, for messages of errors."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from steelyard import errors
from steelyard.kernels.interface import BadRows
from steelyard.model import Array, Mask
from steelyard.sources.blocks import SourceColumn


class KeptRows(NamedTuple):
    """The rows of a block that a batch keeps.

    start: the number of the block's first row; kept: which rows, None for all
    """

    start: int = 0
    kept: Mask | None = None

    def number(self, index: int) -> int:
        """The number, in the source, of a kept row."""
        return self.start + int(index if self.kept is None else np.flatnonzero(self.kept)[index])

    def where(self, bad: BadRows | Mask, values: Array | None = None) -> dict[str, int | str]:
        """The number of bad rows and the first of them, as facts of an error.

        values: of the rows, if the error shows the first bad one
        """
        if not isinstance(bad, BadRows):
            bad = BadRows(int(np.count_nonzero(bad)), int(bad.argmax()))
        shown = {} if values is None else {"value": str(values[bad.first])}
        return {"count": bad.rows, "position": self.number(bad.first), **shown}


class NamedColumn(NamedTuple):
    """A column and the name that the user knows."""

    name: str
    column: SourceColumn

    def take(self, rows: Mask | None) -> "NamedColumn":
        return self if rows is None else NamedColumn(self.name, self.column.take(rows))

    def without_gaps(self) -> "tuple[NamedColumn, Mask | None]":
        """The column with 0 for missing values, and which rows these are (None: no row)."""
        column = self.column
        if column.missing is None or not column.missing.any() or column.keys is not None:
            return self, None
        filled = np.where(column.missing, column.values.dtype.type(0), column.values)
        return self._replace(column=replace(column, values=filled, missing=None)), column.missing

    def bad_numbers(self) -> dict[errors.Template, tuple[Mask, str]]:
        """The errors of rows that should hold a number: which rows, and the text of the first."""
        found = {errors.NOT_NUMBERS: self.column.invalid, errors.INEXACT_SCORE: self.column.inexact}
        return {template: rows for template, rows in found.items() if rows is not None}

    def faults(self) -> dict[errors.Template, Mask]:
        """The rows of each error that the source found."""
        bad = {template: rows for template, (rows, _) in self.bad_numbers().items()}
        missing = self.column.missing
        return bad if missing is None else bad | {errors.MISSING: missing}

    def numbers(self, rows: KeptRows) -> tuple[str, Array, KeptRows]:
        """The arguments of the checks in `numbers`; a column of text is refused."""
        if self.column.keys is not None:
            text = np.zeros(len(self.column.values), "U1")
            raise bad_dtype(self.name, text, rows, "numbers")
        return self.name, self.column.values, rows


def bad_dtype(name: str, array: Array, rows: KeptRows, wanted: str) -> errors.SteelyardError:
    position = rows.number(0) if len(array) else 0
    type_ = "str" if array.dtype.kind == "U" else array.dtype.name  # NumPy's own is str96
    return errors.BAD_TYPE(name=name, type=type_, position=position, wanted=wanted)
