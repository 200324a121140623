"""The view of extremes: the largest value of a row term in each slice."""

from collections.abc import Iterator

from steelyard.model import Array
from steelyard.states.extremes import Extremes


class ExtremesView:
    """One table of extremes; slices: the slice numbers, in the order of the result."""

    def __init__(self, state: Extremes, number: int, slices: Array) -> None:
        self._state, self._number = state, number
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def each(self) -> Iterator[float]:
        """The largest value of each slice; −∞ without rows, ∞ beyond float64."""
        yield from self._state.largest(self._number, self.slices).tolist()
