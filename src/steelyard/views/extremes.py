"""The largest of a row term in each slice."""

from collections.abc import Iterator

from steelyard.model import Array
from steelyard.states.extremes import Extremes


class ExtremesView:
    """One table of extremes; slices: the numbers of those looked at, in the order shown."""

    def __init__(self, state: Extremes, number: int, slices: Array) -> None:
        self._state, self._number = state, number
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def each(self) -> Iterator[float]:
        """The largest value; −∞ where there are no rows, ∞ where float64 does not hold it."""
        yield from self._state.largest(self._number, self.slices).tolist()
