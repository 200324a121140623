"""A chunk of the score table: one score range, as curve metrics see it.

The columns are exact whole numbers in the table's unit, one entry for each distinct positive score,
high to low, and count everything above the chunk too. Curve metrics need no other points: between
two positive scores only negatives lie, so the curve runs straight there.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.exact import integers
from steelyard.kernels.interface import DIGIT, Digits, Run
from steelyard.model import Array
from steelyard.states.runs import weight


class Totals(NamedTuple):
    """The weight of all positives and all negatives, in whole multiples of 2**unit."""

    positives: int
    negatives: int
    unit: int
    lowest: float  # the lowest score of all

    @property
    def all(self) -> int:
        return self.positives + self.negatives

    @property
    def narrow(self) -> bool:
        """Whether a product of two cumulative weights fits int64; else Python integers count."""
        return self.all < 1 << DIGIT


class Chunk:
    """One score range, given the totals and the weight that lies above it.

    scores: distinct positive scores, descending
    pos, tied: positive and negative weight at exactly that score
    tp, fp: positive and negative weight at or above it
    tp_above, fp_above: positive and negative weight strictly above it
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
        self._placement = self._kernel.place(positives, negatives)
        self._positives_here = weight(positives)
        self._negatives_here = weight(negatives)
        self._above = above
        self.totals = totals
        self.scores: Array = self._placement.scores[::-1]
        self._negative_scores = negatives.scores
        self._lowest_above = lowest_above

    @property
    def below(self) -> tuple[int, int]:
        """What the next chunk down has above it."""
        return self._above[0] + self._positives_here, self._above[1] + self._negatives_here

    @cached_property
    def next_above(self) -> Array:
        scores = np.append(self._negative_scores, self._lowest_above)
        return scores[self._placement.past[::-1]].astype(np.float64)

    @cached_property
    def pos(self) -> Array:
        return self._column(self._placement.positive)

    @cached_property
    def tied(self) -> Array:
        return self.fp - self.fp_above

    @cached_property
    def tp(self) -> Array:
        return self.below[0] - self._column(self._placement.positives_below)

    @cached_property
    def tp_above(self) -> Array:
        return self.tp - self.pos

    @cached_property
    def fp(self) -> Array:
        return self.below[1] - self._column(self._placement.negatives_below)

    @cached_property
    def fp_above(self) -> Array:
        return self.below[1] - self._column(self._placement.negatives_upto)

    @cached_property
    def doubled_area(self) -> int:
        """Twice the weight of the pairs in the right order, ties counting half: a whole number."""
        positive, below = self._placement.positive, self._placement.negatives_below
        lower = self.totals.negatives - self.below[1]
        upto = self._placement.negatives_upto
        inside = self._dot(positive, below)
        inside += inside if upto is below else self._dot(positive, upto)
        return inside + 2 * self._positives_here * lower

    @cached_property
    def tied_pairs(self) -> int:
        """The weight of the pairs that share a score."""
        upto, below = self._placement.negatives_upto, self._placement.negatives_below
        if upto is below:
            return 0
        positive = self._placement.positive
        return self._dot(positive, upto) - self._dot(positive, below)

    def _dot(self, left: Digits, right: Digits) -> int:
        if self.totals.narrow:  # the sum is at most W⁺·W⁻, which fits
            return int(integers(left) @ integers(right))
        return self._kernel.dot(left, right)

    def _column(self, digits: Digits) -> Array:
        column = integers(digits)[::-1]
        return column if self.totals.narrow else column.astype(object)
