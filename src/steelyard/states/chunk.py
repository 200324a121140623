"""A chunk of the score table: one score range, as curve metrics see it.

The columns are exact whole numbers in the table's unit, one entry for each distinct positive score,
high to low, and count everything above the chunk too. Curve metrics need no other points: between
two positive scores only negatives lie, so the curve runs straight there.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, Digits, Run
from steelyard.model import Array
from steelyard.states.runs import weight


class Totals(NamedTuple):
    """The weight of all positives and all negatives, in whole multiples of the table's unit."""

    positives: int
    negatives: int
    lowest: float  # the lowest score of all

    @property
    def all(self) -> int:
        return self.positives + self.negatives

    @property
    def narrow(self) -> bool:
        """Whether a product of two cumulative weights fits int64; else Python integers count."""
        return self.all < 1 << DIGIT

    @property
    def fits(self) -> bool:
        """Whether a cumulative weight fits int64, with a bit to spare."""
        return self.all < 1 << 2 * DIGIT


class Chunk:
    """One score range, given the totals and the weight that lies above it.

    scores: distinct positive scores, descending
    pos, tied: positive and negative weight at exactly that score
    tp, fp: positive and negative weight at or above it
    tp_above, fp_above: positive and negative weight strictly above it
    long_pos, long_tp, long_fp: the same as int64 where the totals fit, though products would not
    next_above: the lowest negative score above it, down to which tp stays at tp_above
    """

    def __init__(
        self,
        positives: Run,
        negatives: Run,
        above: tuple[int, int],
        lowest_above: float,
        totals: Totals,
    ) -> None:
        self._kernel = kernels.active()
        self._positives, self._negatives = positives, negatives
        self._placement = self._kernel.place(positives, negatives)
        self._positives_here = weight(positives)
        self._negatives_here = weight(negatives)
        self._above = above
        self._lowest_above = lowest_above
        self.totals = totals
        self.scores: Array = self._placement.scores[::-1]

    @property
    def below(self) -> tuple[int, int]:
        """What the next chunk down has above it."""
        return self._above[0] + self._positives_here, self._above[1] + self._negatives_here

    @cached_property
    def next_above(self) -> Array:
        scores = np.append(self._negatives.scores, self._lowest_above)
        return scores[self._placement.past[::-1]].astype(np.float64)

    @cached_property
    def pos(self) -> Array:
        return self._for_products(self.long_pos)

    @cached_property
    def long_pos(self) -> Array:
        return self._column(self._own)

    @cached_property
    def tied(self) -> Array:
        return self.fp - self.fp_above

    @cached_property
    def tp(self) -> Array:
        return self._for_products(self.long_tp)

    @cached_property
    def long_tp(self) -> Array:
        before = self._kernel.weight_before(self._positive_sums, self._placement.starts)
        return self.below[0] - self._column(before)

    @cached_property
    def tp_above(self) -> Array:
        return self.tp - self.pos

    @cached_property
    def fp(self) -> Array:
        return self._for_products(self.long_fp)

    @cached_property
    def long_fp(self) -> Array:
        return self.below[1] - self._column(self._negatives_below)

    @cached_property
    def fp_above(self) -> Array:
        return self._for_products(self.below[1] - self._column(self._negatives_not_above))

    @cached_property
    def doubled_area(self) -> int:
        """Twice the weight of the pairs in the right order, ties counting half: a whole number."""
        lower = self.totals.negatives - self.below[1]
        ordered = self._dot(self._own, self._negatives_below) + self._positives_here * lower
        return 2 * ordered + self.tied_pairs

    @cached_property
    def tied_pairs(self) -> int:
        """The weight of the pairs that share a score."""
        below, past = self._placement.below, self._placement.past
        tied = np.flatnonzero(below != past) if past is not below else below[:0]
        if len(tied) == 0:
            return 0
        own = tuple(digit[tied] for digit in self._own)
        upper = self._kernel.weight_before(self._negative_sums, past[tied])
        lower = self._kernel.weight_before(self._negative_sums, below[tied])
        return self._dot(own, upper) - self._dot(own, lower)

    @cached_property
    def _own(self) -> Digits:
        """The positive weight at each score, lowest score first."""
        rows = np.append(self._placement.starts, len(self._positives.scores))
        return self._kernel.weight_between(self._positive_sums, rows)

    @cached_property
    def _positive_sums(self) -> Digits:
        return self._kernel.cumulative(self._positives)

    @cached_property
    def _negative_sums(self) -> Digits:
        return self._kernel.cumulative(self._negatives)

    @cached_property
    def _negatives_below(self) -> Digits:
        return self._kernel.weight_before(self._negative_sums, self._placement.below)

    @cached_property
    def _negatives_not_above(self) -> Digits:
        if self._placement.past is self._placement.below:
            return self._negatives_below
        return self._kernel.weight_before(self._negative_sums, self._placement.past)

    def _dot(self, left: Digits, right: Digits) -> int:
        if self.totals.narrow:  # the sum is at most W⁺·W⁻, which fits
            return int(self._kernel.integers(left) @ self._kernel.integers(right))
        return self._kernel.dot(left, right)

    def _column(self, digits: Digits) -> Array:
        column = self._kernel.integers(digits)[::-1]
        return column if self.totals.fits else column.astype(object)

    def _for_products(self, column: Array) -> Array:
        return column if self.totals.narrow else column.astype(object)
