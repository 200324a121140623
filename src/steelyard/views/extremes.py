"""The view of extremes: the largest value of a row term in each slice."""

from collections.abc import Iterator

from steelyard.states import Extremes
from steelyard.views.table_view import TableView


class ExtremesView(TableView[Extremes]):
    """One table of extremes."""

    def each(self) -> Iterator[float]:
        """The largest value of each slice; −∞ without rows, ∞ beyond float64."""
        yield from self._state.largest(self._number, self.slices).tolist()
