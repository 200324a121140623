"""The view of pairs: sums of ranks, middle errors, and the rows of each slice."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.digits import digits_of_integers, plus
from steelyard.kernels.interface import (
    Digits,
    GiniSums,
    MiddleErrors,
    OrderSums,
    RankedPairs,
    RankedValues,
    RankSums,
)
from steelyard.kernels.ragged import steps
from steelyard.model import Array, Floats
from steelyard.reading.batch import required
from steelyard.states import Pairs
from steelyard.states.pairs import PairTable
from steelyard.states.weights import digits_at
from steelyard.views.context import Context
from steelyard.views.resampled import cluster_counts, resampled_pairs
from steelyard.views.table_view import TableView


class PairRows(NamedTuple):
    """The rows of one slice; digits: weights in multiples of 2**unit, None where each is 1."""

    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int


class PairsView(TableView[Pairs]):
    """One table of pairs, or a range of it: rows by slice and error, truth or prediction.

    context: of a range, each row of which is a positive there; None: it is the whole table
    truth_ranks: of a range by prediction, the doubled ranks of the truths of rows
    """

    context: Context | None = None
    truth_ranks: Digits | None = None

    @cached_property
    def table(self) -> PairTable:
        return self._state.table(self._number, self._count)

    @cached_property
    def sizes(self) -> Array:
        """How many rows each slice has."""
        return np.diff(self.table.starts)[self.slices]

    @cached_property
    def present(self) -> Array:
        """The numbers of the slices that have rows."""
        found: Array = steps(self.table.starts).nonzero()[0]
        return found

    @property
    def is_full(self) -> bool:
        """Whether every slice has rows."""
        return len(self.present) == self._count

    @cached_property
    def _ranked(self) -> RankedPairs:
        table, truth = self.table, self.truth_ranks
        if truth is None:
            return RankedPairs(table.starts, table.digits, *map(self._in_order, table[1:3]))
        each = np.arange(len(table.truth))
        weights = (np.ones(len(each), np.int64),) if table.digits is None else table.digits
        known = RankedValues(table.starts, each, table.truth + 0.0, weights, truth)
        return RankedPairs(table.starts, table.digits, known, self._in_order(table.prediction))

    def _in_order(self, column: Floats) -> RankedValues:
        """The ranks of a column, in the order of which ranges are."""
        found = kernels.active().rank_values(self.table.starts, column, self.table.digits)
        if self.context is None:
            return found
        below = digits_of_integers(2 * self.context.below.positives)
        slices = np.repeat(np.arange(self._count), steps(found.starts))
        under = tuple(digit[slices] for digit in below)
        return found._replace(doubled=plus(found.doubled, under))

    @property
    def ranks_of_truth(self) -> Digits:
        """The doubled rank 2B + w of each row of the table, where ranges are by truth."""
        found = self._in_order(self.table.truth)
        return tuple(digit[found.codes] for digit in found.doubled)

    def truth_ends(self) -> tuple[Floats, Floats]:
        """The lowest and the highest truth here, by slice number; NaN without rows."""
        ranked, lowest = self._ranked.truth, np.full(self._count, np.nan)
        highest, starts = lowest.copy(), ranked.starts[self.present]
        if len(starts):
            lowest[self.present] = np.minimum.reduceat(ranked.values, starts)
            highest[self.present] = np.maximum.reduceat(ranked.values, starts)
        return lowest, highest

    def rank_sums(self) -> RankSums:
        """The sums of Spearman's correlation, by slice number."""
        return kernels.active().rank_sums(self._ranked)

    def gini_sums(self) -> GiniSums:
        """The sums of the normalized Gini, by slice number."""
        return kernels.active().gini_sums(self._ranked)

    def middle_errors(self) -> MiddleErrors:
        """The two values whose mean is the weighted median of |p − y|, by slice number.

        Infinite beyond float64, NaN where they are in another range.
        """
        table, middles = self.table, None
        if self.context is not None:
            middles = self.context.totals.positives - 2 * self.context.below.positives
        rows = (table.starts, table.truth, table.prediction, table.digits)
        return kernels.active().middle_errors(*rows, middles)

    def order_sums(self) -> OrderSums:
        """The sums of Kendall's correlation."""
        sums = kernels.active().order_sums(self._ranked)
        return OrderSums(*(column[self.slices] for column in sums))

    def resampled(self, factors: Array) -> "PairsView":
        """The same rows with weights times the factor of their cluster, by its number."""
        made = self._unread()
        made.table = resampled_pairs(self.table, factors)
        return made

    @property
    def cluster_counts(self) -> Array:
        """How many clusters have rows in each slice of the view."""
        return cluster_counts([self.table.starts], [required(self.table.clusters)])[self.slices]

    def rows(self, slices: Array) -> Iterator[PairRows]:
        """The rows of each of some slices."""
        table = self.table
        for number in slices.tolist():
            rows = slice(int(table.starts[number]), int(table.starts[number + 1]))
            digits = digits_at(table.digits, rows)
            yield PairRows(table.truth[rows], table.prediction[rows], digits, table.unit)
