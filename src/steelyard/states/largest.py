"""Largest: the largest error of any row.

Memory: one number. Exactness: exact; |p − y| is rounded once, and the largest is one of them.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.states.base import State
from steelyard.states.error_terms import absolute
from steelyard.states.sums import LOWEST_POWER, from_text, to_text

NO_ROWS = "none"


class Largest(State):
    """`error` is the largest |prediction − truth|; None where there are no rows."""

    kind = "largest"
    small = True

    def __init__(self) -> None:
        super().__init__()
        self.error: Fraction | None = None

    @property
    def has_rows(self) -> bool:
        return self.error is not None

    def _add_rows(self, batch: Batch) -> None:
        assert batch.numbers is not None
        if len(batch):
            for values, _, power in absolute(*batch.numbers):
                self._take(Fraction(float(values.max())) * 2**power)

    def _add_state(self, other: Self) -> None:
        self._take(other.error)

    def _take(self, error: Fraction | None) -> None:
        if self.error is None or (error is not None and error > self.error):
            self.error = error

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        return {"error": NO_ROWS if self.error is None else to_text(self.error)}, {}

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        stored = header["error"]
        if stored == NO_ROWS:
            return
        error = from_text(stored, LOWEST_POWER // 2)
        if self.reading is None:
            raise ValueError("rows that nobody read")
        if error < 0 or not _is_float(error):
            raise ValueError(f"an error of {stored}")
        self.error = error


def _is_float(error: Fraction) -> bool:
    """Whether it is a float64, or twice one: no two lie further apart."""
    return error / 2 == Fraction(float(error / 2)) or error == Fraction(float(error))
