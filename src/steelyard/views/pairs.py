"""The view of pairs: truth and prediction of the rows of each slice."""

from collections.abc import Iterator

from steelyard.states import Pairs
from steelyard.states.weights import digits_at
from steelyard.views.pair_rows import PairRows
from steelyard.views.table_view import TableView


class PairsView(TableView[Pairs]):
    """One table of pairs."""

    def each(self) -> Iterator[PairRows]:
        """The rows of each slice."""
        table = self._state.table(self._number, self._count)
        for number in self.slices.tolist():
            rows = slice(int(table.starts[number]), int(table.starts[number + 1]))
            digits = digits_at(table.digits, rows)
            yield PairRows(table.truth[rows], table.prediction[rows], digits, table.unit)
