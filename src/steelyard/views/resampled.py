"""Resampled tables: the same rows, each with its weight times the factor of its cluster.

Rows whose factor is 0 are left out. What is left is in the order it was in, so that nothing is
sorted again.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.kernels.digits import carry
from steelyard.kernels.interface import Digits, KeyedRun
from steelyard.model import Array
from steelyard.reading.batch import required
from steelyard.states.pairs import PairTable
from steelyard.states.score_table import SortedTable
from steelyard.views.clusters import lines_of


class DrawnRows(NamedTuple):
    """The rows that are left, and the factor of each."""

    rows: Array
    factors: Array

    def starts(self, starts: Array) -> Array:
        """Where slices start among the rows that are left, from where they start among all."""
        return self.rows.searchsorted(starts)

    def weights(self, digits: Digits | None) -> Digits:
        """The weights of the rows that are left, times their factors."""
        if digits is None:
            return (self.factors.astype(np.uint32),)
        # A digit has 31 bits, a factor fewer than 32.
        products = (digit.take(self.rows).astype(np.int64) * self.factors for digit in digits)
        return carry(list(products))


def resampled_scores(table: SortedTable, factors: Array) -> SortedTable:
    """A resampled table of scores; factors: of each cluster, by its number."""
    both = zip(table[:2], required(table.clusters), strict=True)
    positives, negatives = (_resampled_side(side, _drawn(codes, factors)) for side, codes in both)
    return SortedTable(positives, negatives, table.unit)


def resampled_pairs(table: PairTable, factors: Array) -> PairTable:
    """A resampled table of pairs; factors: of each cluster, by its number."""
    drawn = _drawn(required(table.clusters), factors)
    return PairTable(
        drawn.starts(table.starts),
        table.truth.take(drawn.rows),
        table.prediction.take(drawn.rows),
        drawn.weights(table.digits),
        table.unit,
    )


def cluster_counts(starts: Sequence[Array], clusters: Sequence[Array]) -> Array:
    """How many clusters have rows in each slice.

    starts, clusters: of one or both classes, where slices start and the cluster of each row
    """
    count = len(starts[0]) - 1
    slices = [np.repeat(np.arange(count), np.diff(each)) for each in starts]
    lines, _ = lines_of(np.concatenate(slices), np.concatenate(clusters), count)
    return np.diff(lines.starts)


def _resampled_side(side: KeyedRun, drawn: DrawnRows) -> KeyedRun:
    scores = side.scores.take(drawn.rows)
    return KeyedRun(drawn.starts(side.starts), scores, drawn.weights(side.digits))


def _drawn(clusters: Array, factors: Array) -> DrawnRows:
    of_rows = factors.take(clusters)
    rows = np.flatnonzero(of_rows)
    return DrawnRows(rows, of_rows.take(rows))
