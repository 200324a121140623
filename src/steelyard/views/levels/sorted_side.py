"""The rows of one class by rising score, as probabilities, and exact sums over ranges of them.

Row terms are rounded once, their sums never. Weights are multiples of the table's unit.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, Digits, Run
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.states.weights import digits_at, digits_of, run_weight
from steelyard.views.sums import fractions

# Ranges that are summed one by one, if their mean length is at least LONG. Others are summed by
# code, which takes three to six times as long per row, but does not cost 20 µs for each range.
FEW, LONG = 256, 512
RowSelection = Array | slice
ProbabilityTerm = Callable[[Floats], Floats]


class SortedSide:
    """The rows of one class, by rising score."""

    def __init__(self, run: Run, reading: Reading) -> None:
        self.run = run
        self.scores = run.scores
        self.reading = reading
        self.weight = run_weight(run)

    def __len__(self) -> int:
        return len(self.scores)

    def probabilities(self, rows: RowSelection) -> Floats:
        """The predicted probabilities of some rows."""
        return probabilities(self.scores[rows], self.reading)

    def clipped_probabilities(self, rows: RowSelection) -> Floats:
        """The predicted probabilities, clipped for logarithms."""
        return clipped(self.probabilities(rows), self.reading)

    def ends(self) -> tuple[float, float]:
        """The lowest and the highest clipped probability."""
        low, high = self.clipped_probabilities(np.array([0, len(self) - 1])).tolist()
        return low, high

    def weights(self, rows: RowSelection) -> Digits | None:
        """The weights of some rows, as digits; None where each is 1."""
        return digits_at(self.run.digits, rows)

    def before(self, rows: Array) -> Array:
        """The weight before each of these row numbers: int64, or Python integers if too large."""
        kernel = kernels.active()
        return kernel.integers(kernel.weight_before(self._sums, rows))

    @cached_property
    def _sums(self) -> Digits:
        return kernels.active().cumulative(self.run)

    def sums(self, bounds: Array, term: ProbabilityTerm) -> list[Fraction]:
        """The exact sum of weight times term over the rows between each two bounds."""
        if len(bounds) <= FEW and bounds[-1] - bounds[0] >= LONG * (len(bounds) - 1):
            return [self.sum(start, end, term) for start, end in pairwise(bounds.tolist())]
        return self._sums_by_code(bounds, term)

    def sum(self, start: int, end: int, term: ProbabilityTerm) -> Fraction:
        """The exact sum of weight times term over the rows from start to end."""
        kernel = kernels.active()
        total = Fraction(0)
        for rows in blocks(end, start=start):
            values, digits = term(self.probabilities(rows)), self.weights(rows)
            if digits is None:
                total += kernel.exact_sum(values)
            for place, digit in enumerate(digits or ()):
                # Digits are below 2**31, which float64 holds.
                total += kernel.exact_dot(values, digit.astype(np.float64)) * (1 << DIGIT * place)
        return total

    def _sums_by_code(self, bounds: Array, term: ProbabilityTerm) -> list[Fraction]:
        rows = slice(int(bounds[0]), int(bounds[-1]))
        values = term(self.probabilities(rows))
        weights = digits_of(Run(values, self.weights(rows)))
        sums = kernels.active().dot_by_slice(weights, values, bounds - bounds[0])
        return fractions(sums, len(bounds) - 1)
