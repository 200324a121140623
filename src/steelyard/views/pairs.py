"""The view of pairs: truth and prediction of the rows of each slice."""

from collections.abc import Iterator

from steelyard.cached import cached_property
from steelyard.model import Array
from steelyard.reading.batch import required
from steelyard.states import Pairs
from steelyard.states.pairs import PairTable
from steelyard.states.weights import digits_at
from steelyard.views.pair_rows import PairRows
from steelyard.views.resampled import cluster_counts, resampled_pairs
from steelyard.views.table_view import TableView


class PairsView(TableView[Pairs]):
    """One table of pairs."""

    @cached_property
    def table(self) -> PairTable:
        return self._state.table(self._number, self._count)

    def resampled(self, factors: Array) -> "PairsView":
        """The same rows with weights times the factor of their cluster, by its number."""
        made = self._unread()
        made.table = resampled_pairs(self.table, factors)
        return made

    @property
    def cluster_counts(self) -> Array:
        """How many clusters have rows in each slice of the view."""
        return cluster_counts([self.table.starts], [required(self.table.clusters)])[self.slices]

    def each(self) -> Iterator[PairRows]:
        """The rows of each slice."""
        table = self.table
        for number in self.slices.tolist():
            rows = slice(int(table.starts[number]), int(table.starts[number + 1]))
            digits = digits_at(table.digits, rows)
            yield PairRows(table.truth[rows], table.prediction[rows], digits, table.unit)
