"""Pairs of truth and prediction: ranks, pairs of rows in order, middle errors, all by slice.

Rows of a slice are adjacent: `starts` is where each slice starts, and the end of all. Weights are
whole numbers above 0, and a row of weight m counts as m rows; digits None: each weight is 1. With
the weight B below a value, w at it and W in all, the rows with that value have the mean rank
B + (w + 1)/2, whose doubled distance from the middle rank is 2B + w − W. Sums are columns of Python
integers, one for each slice, 0 where it has no rows.
"""

from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Digits
from steelyard.model import Floats


class RankedValues(NamedTuple):
    """The distinct values of each slice, by slice and rising value (-0.0 as 0.0).

    starts: where the values of each slice start, and the end of all
    codes: for each row, the number of its value; values: the values themselves
    sizes: the weight of the rows here with each; doubled: 2B + w of all rows of the slice
    """

    starts: Array
    codes: Array
    values: Floats
    sizes: Digits
    doubled: Digits


class RankedPairs(NamedTuple):
    """Rows by slice, and the ranks of both columns, as `rank_values` gives them."""

    starts: Array
    digits: Digits | None
    truth: RankedValues
    prediction: RankedValues


class RankSums(NamedTuple):
    """Of doubled ranks A = 2B + w of truth and B of prediction: Σ w·A·B, Σ w·A², Σ w·B²; and Σ w.

    Sums of some rows of a slice add up to those of all. Of all rows, W³ less than each of the first
    three is the same of centred ranks.
    """

    both: Array
    truth: Array
    prediction: Array
    weight: Array


class GiniSums(NamedTuple):
    """Σ w·y·B, Σ w·y·A and Σ w·y of the truths y, in multiples of 2**unit; and Σ w.

    unit: of the truths here; a truth below 0 counts as 0
    """

    prediction: Array
    truth: Array
    values: Array
    weight: Array
    unit: Array


class OrderSums(NamedTuple):
    """Doubled weights of pairs of rows; the weight of a pair is the product of its weights.

    score: pairs in the right order minus those in the wrong order; neither where values tie
    truth, prediction: pairs that differ in truth, and in prediction
    """

    score: Array
    truth: Array
    prediction: Array


class MiddleErrors(NamedTuple):
    """The two values whose mean is the weighted median of |p − y|."""

    lower: Floats
    upper: Floats


class PairAreas(NamedTuple):
    """The weight of positives and of negatives of each slice, and a matrix of doubled areas.

    areas: for slices k and l, twice the weight of the pairs whose positive is in k, whose negative
        is in l, and whose positive has the higher score; a tie counts once
    """

    positives: Array
    negatives: Array
    areas: Array


class PairKernels(Protocol):
    """Pairs of truth and prediction: ranks, pairs of rows in order, middle errors, by slice."""

    def rank_values(self, starts: Array, values: Floats, digits: Digits | None) -> RankedValues:
        """The ranks of one column; it is only read."""

    def rank_sums(self, pairs: RankedPairs) -> RankSums:
        """The sums of Spearman's correlation."""

    def order_sums(self, pairs: RankedPairs) -> OrderSums:
        """The sums of Kendall's correlation."""

    def gini_sums(self, pairs: RankedPairs) -> GiniSums:
        """The sums of the normalized Gini."""

    def middle_errors(
        self,
        starts: Array,
        truth: Floats,
        prediction: Floats,
        digits: Digits | None,
        middles: Array | None = None,
    ) -> MiddleErrors:
        """The two values whose mean is the weighted median of |p − y|; ∞ beyond float64.

        With the errors in order, the first up to which half of the weight lies or more, and the
        next one where it is half exactly, else the same. NaN for a slice without rows.

        middles: where rows are a range of errors, the weight of each slice less twice what it has
            below; NaN for what is in another range
        """

    def pair_areas(
        self, edges: Array, positive: Array, codes: Array, count: int, digits: Digits | None
    ) -> PairAreas:
        """The areas of all pairs of slices, for the attribution of a change of AUC.

        Rows are by rising score; edges: where each run of equal scores starts, and the end of all.
        codes: the slice of each row, below `count`; digits: whole weights from 0, None: 1 each. All
        columns of the answer are Python integers.
        """
