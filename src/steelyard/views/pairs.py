"""The view of pairs: truth and prediction of the rows of each slice."""

from collections.abc import Iterator

from steelyard.model import Array
from steelyard.states.pairs import Pairs
from steelyard.states.weights import digits_at
from steelyard.views.pair_rows import PairRows


class PairsView:
    """One table of pairs.

    number: of the table; count: how many slice numbers there are
    slices: the slice numbers of the view, in the order of the result
    """

    def __init__(self, state: Pairs, number: int, count: int, slices: Array) -> None:
        self._state, self._number, self._count = state, number, count
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def each(self) -> Iterator[PairRows]:
        """The rows of each slice."""
        table = self._state.table(self._number, self._count)
        for number in self.slices.tolist():
            rows = slice(int(table.starts[number]), int(table.starts[number + 1]))
            digits = digits_at(table.digits, rows)
            yield PairRows(table.truth[rows], table.prediction[rows], digits, table.unit)
