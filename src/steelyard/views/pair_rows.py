"""Exact rank statistics of pairs of truth and prediction.

Weights are whole multiples of 2**unit, and so is everything counted here. A row of weight m counts
as m rows. With the weight B below a value, w at it and W in all, the rows with that value have the
mean rank B + (w+1)/2. Its doubled distance from the middle rank is 2B + w − W. Sums use 2B + w,
which is never negative, and subtract the rest at the end: Σ w·(2B + w) is W² for any column.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, Digits, Run
from steelyard.model import Array, Floats
from steelyard.states.weights import digits_at


class RankedColumn(NamedTuple):
    """A column by rank.

    codes: for each row, the number of its value among the distinct values, rising
    sizes: the weight of each distinct value, w; doubled: 2B + w with the weight B below it
    """

    codes: Array
    sizes: Digits
    doubled: Digits

    def of_rows(self) -> Digits:
        """2B + w of each row."""
        return tuple(digit[self.codes] for digit in self.doubled)


class RankSums(NamedTuple):
    """Of doubled, centred ranks: Σ w·a·b, Σ w·a², Σ w·b²."""

    both: int
    truth: int
    prediction: int


class PairCounts(NamedTuple):
    """Doubled weights of pairs of rows.

    score: concordant minus discordant pairs
    truth, prediction: pairs that differ in truth, and in prediction
    """

    score: int
    truth: int
    prediction: int


@dataclass(frozen=True)
class PairRows:
    """The rows of one slice; digits: weights in multiples of 2**unit, None where each is 1."""

    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def weight(self) -> int:
        return len(self) if self.digits is None else kernels.active().total(self.digits)

    @cached_property
    def by_truth(self) -> RankedColumn:
        return _ranked(self.truth, self.digits)

    @cached_property
    def by_prediction(self) -> RankedColumn:
        return _ranked(self.prediction, self.digits)

    @cached_property
    def order(self) -> Array:
        """Rows by truth, then by prediction."""
        return np.argsort(self._keys, kind="stable")

    @cached_property
    def _keys(self) -> Array:
        """A whole number for each row's pair of values, in the order of the pairs."""
        wide = len(self.by_prediction.sizes[0])
        return self.by_truth.codes * wide + self.by_prediction.codes

    def rank_sums(self) -> RankSums:
        """The sums of Spearman's correlation."""
        left, right = self.by_truth, self.by_prediction
        cube = self.weight**3
        both = self._sum_products(left.of_rows(), right.of_rows()) - cube
        return RankSums(both, _sum_squares(left) - cube, _sum_squares(right) - cube)

    def pair_counts(self) -> PairCounts:
        """By Knight's rule: with rows by truth, inversions of predictions are discordant pairs."""
        kernel, order = kernels.active(), self.order
        digits = digits_at(self.digits, order)
        disordered = kernel.inversions(self.by_prediction.codes[order], digits)
        keys = self._keys[order]
        starts = np.append(starts_of(keys), len(keys))
        sizes = kernel.weight_between(kernel.cumulative(Run(keys, digits)), starts)
        all_, alike = self.weight**2, kernel.dot(sizes, sizes)
        ties = [kernel.dot(each.sizes, each.sizes) for each in (self.by_truth, self.by_prediction)]
        untied = all_ - sum(ties) + alike
        return PairCounts(untied - 4 * disordered, all_ - ties[0], all_ - ties[1])

    def gini_sums(self) -> tuple[int, int]:
        """Σ w·y·a with the rank a of the prediction, and with that of the truth; y ≥ 0.

        Both are in one unit, which their quotient does not depend on.
        """
        kernel = kernels.active()
        digits = kernel.to_digits(self.truth, kernel.lowest_bit(self.truth))
        ones: Digits = (np.ones(len(self), np.int64),)
        middle = self.weight * self._sum_products(digits, ones)
        ranks = (self.by_prediction, self.by_truth)
        by_prediction, by_truth = (self._sum_products(digits, each.of_rows()) for each in ranks)
        return by_prediction - middle, by_truth - middle

    def _sum_products(self, left: Digits, right: Digits) -> int:
        """Σ w·left·right."""
        kernel = kernels.active()
        if self.digits is not None:
            left = kernel.dot_groups(self.digits, left, np.arange(len(self) + 1))
        return kernel.dot(left, right)

    def middle_errors(self) -> tuple[float, float]:
        """The two values whose mean is the weighted median of |p − y|; infinite beyond float64."""
        kernel = kernels.active()
        with np.errstate(over="ignore"):
            sizes = np.abs(self.prediction - self.truth)
        sizes, (order,) = kernel.sort_rows(sizes, (np.arange(len(self)),))
        digits = digits_at(self.digits, order)
        sums = kernel.cumulative(Run(order, digits))

        def up_to(row: int) -> int:
            if digits is None:
                return row
            return sum(int(digit[row]) << (DIGIT * place) for place, digit in enumerate(sums))

        numbers = range(1, len(self) + 1)
        row = numbers[bisect_left(numbers, self.weight, key=lambda each: 2 * up_to(each))]
        upper = row if 2 * up_to(row) == self.weight else row - 1
        return float(sizes[row - 1]), float(sizes[upper])


def starts_of(column: Array) -> Array:
    """The first row of each distinct value of a sorted column."""
    return np.flatnonzero(np.concatenate([[True], column[1:] != column[:-1]])[: len(column)])


def _ranked(values: Floats, digits: Digits | None) -> RankedColumn:
    kernel = kernels.active()
    # A copy, as the sort overwrites it.
    ordered, (rows,) = kernel.sort_rows(values.copy(), (np.arange(len(values)),))
    starts = np.append(starts_of(ordered), len(ordered))
    codes = np.empty(len(values), np.int64)
    codes[rows] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    sums = kernel.cumulative(Run(ordered, digits_at(digits, rows)))
    sizes = kernel.weight_between(sums, starts)
    below, up_to = (kernel.weight_before(sums, ends) for ends in (starts[:-1], starts[1:]))
    return RankedColumn(codes, sizes, _added(below, up_to))


def _added(left: Digits, right: Digits) -> Digits:
    """The sum of two exact integer columns."""
    places = max(len(left), len(right))
    none = np.zeros(len(left[0]), np.int64)
    padded = [
        [digit.astype(np.int64) for digit in digits] + [none] * (places - len(digits))
        for digits in (left, right)
    ]
    return kernels.active().shift(tuple(a + b for a, b in zip(*padded, strict=True)), 0)


def _sum_squares(ranked: RankedColumn) -> int:
    """Σ w·(2B + w)² over the distinct values."""
    kernel = kernels.active()
    each = np.arange(len(ranked.sizes[0]) + 1)
    return kernel.dot(kernel.dot_groups(ranked.sizes, ranked.doubled, each), ranked.doubled)
