"""Extremes: the largest value of a row term in each slice.

Memory: one number for each slice. Exactness: each row's term is rounded as its formula says; the
largest of them is exact.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import RowCodes
from steelyard.kernels.interface.terms import ERROR_FORMULAS
from steelyard.model import Array, Floats
from steelyard.reading.batch import Batch
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import count_of
from steelyard.states.term_columns import term_columns

NO_ROWS = -np.inf  # the largest value of no rows


class Extremes(KeyedState):
    """The largest value of a formula of truth and prediction; infinite beyond float64."""

    kind = "extremes"

    def __init__(self, term: str, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        if term not in ERROR_FORMULAS:
            raise ValueError(f"no formula is called {term!r}")
        self.term = term
        self._largest: list[Floats] = [np.zeros(0) for _ in range(tables)]

    def config(self) -> dict[str, Any]:
        return {"term": self.term}

    def largest(self, table: int, lines: Array) -> Floats:
        """The largest value of each of some slices; −∞ where a slice has no rows."""
        return self._sized(table, count_of(lines))[lines]

    def _sized(self, table: int, count: int) -> Floats:
        """The column of a table, extended to at least `count` slices."""
        column = self._largest[table]
        if len(column) < count:
            column = np.append(column, np.full(count - len(column), NO_ROWS))
            self._largest[table] = column
        return column

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if not len(batch):
            return
        lines = [RowCodes(codes, count) for codes, count, _ in slices[: self.tables]]
        found = kernels.active().largest_errors(lines, term_columns(batch), self.term)
        for table, largest in enumerate(found):
            column = self._sized(table, len(largest))
            np.maximum(column[: len(largest)], largest, out=column[: len(largest)])

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        for table, (theirs, places) in enumerate(
            zip(other._largest, numbers[: self.tables], strict=True)
        ):
            if len(theirs):
                here = places[: len(theirs)]
                np.maximum.at(self._sized(table, int(here.max()) + 1), here, theirs)

    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        return {}, {
            f"{t}.largest": self.largest(t, lines) for t, lines in enumerate(order[: self.tables])
        }

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        for table, count in enumerate(slices[: self.tables]):
            column = sections.pop(f"{table}.largest")
            if column.dtype != np.float64 or len(column) != count or np.isnan(column).any():
                raise ValueError("values that are not numbers")
            if ((column < 0) & (column != NO_ROWS)).any() or np.signbit(column[column == 0]).any():
                raise ValueError("an error below zero")
            self._require_reading(bool((column != NO_ROWS).any()))
            self._largest[table] = column
