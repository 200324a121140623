"""The view of pairs: rank statistics of all slices, and the rows of each."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import Digits, OrderSums, RankedPairs, RankSums
from steelyard.model import Array, Floats
from steelyard.reading.batch import required
from steelyard.states import Pairs
from steelyard.states.pairs import PairTable
from steelyard.states.weights import digits_at
from steelyard.views.resampled import cluster_counts, resampled_pairs
from steelyard.views.table_view import TableView


class PairRows(NamedTuple):
    """The rows of one slice; digits: weights in multiples of 2**unit, None where each is 1."""

    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int


class PairsView(TableView[Pairs]):
    """One table of pairs; columns are those of the slices of the view, in their order."""

    @cached_property
    def table(self) -> PairTable:
        return self._state.table(self._number, self._count)

    @cached_property
    def sizes(self) -> Array:
        """How many rows each slice has."""
        return np.diff(self.table.starts)[self.slices]

    @cached_property
    def _ranked(self) -> RankedPairs:
        rank, table = kernels.active().rank_values, self.table
        both = (rank(table.starts, c, table.digits) for c in (table.truth, table.prediction))
        return RankedPairs(table.starts, table.digits, *both)

    @property
    def truth_ends(self) -> tuple[Floats, Floats]:
        """The lowest and the highest truth; they mean nothing for a slice without rows."""
        ranked = self._ranked.truth
        values = np.append(ranked.values, 0.0)
        return values[ranked.starts[:-1][self.slices]], values[ranked.starts[1:][self.slices] - 1]

    def rank_sums(self) -> RankSums:
        """The sums of Spearman's correlation."""
        sums = kernels.active().rank_sums(self._ranked)
        return RankSums(*(column[self.slices] for column in sums))

    def order_sums(self) -> OrderSums:
        """The sums of Kendall's correlation."""
        sums = kernels.active().order_sums(self._ranked)
        return OrderSums(*(column[self.slices] for column in sums))

    def gini_sums(self) -> tuple[Array, Array]:
        """Σ w·y·rank of the prediction, and of the truth."""
        by_prediction, by_truth = kernels.active().gini_sums(self._ranked)
        return by_prediction[self.slices], by_truth[self.slices]

    def middle_errors(self) -> tuple[Floats, Floats]:
        """The two values whose mean is the weighted median of |p − y|; infinite beyond float64."""
        table = self.table
        rows = (table.starts, table.truth, table.prediction, table.digits)
        lower, upper = kernels.active().middle_errors(*rows)
        return lower[self.slices], upper[self.slices]

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
