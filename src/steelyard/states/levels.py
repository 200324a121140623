"""The score table as probabilities: what calibration metrics read off it, each thing made once.

Memory: none of its own but cumulative weights, where rows have weights. Exactness: exact; row terms
are rounded once, their sums never.
"""

from fractions import Fraction
from functools import cached_property

import numpy as np

from steelyard.kernels.interface import Run
from steelyard.model import Array, Reading
from steelyard.states import isotonic, logit_cells, mass_bins
from steelyard.states.bins import Bin
from steelyard.states.differences import Differences
from steelyard.states.grid import Places, grid
from steelyard.states.logit_cells import LogitCells
from steelyard.states.sorted_side import SortedSide, Term
from steelyard.states.terms import squared, variance


class Levels:
    """The rows of a table by rising score and class.

    weight: of all rows, in whole multiples of `unit`, which is a power of two
    """

    def __init__(self, positives: Run, negatives: Run, power: int, reading: Reading) -> None:
        self.positives = SortedSide(positives, reading)
        self.negatives = SortedSide(negatives, reading)
        self.sides = self.positives, self.negatives
        self.unit = Fraction(2) ** power
        self.weight = self.positives.weight + self.negatives.weight
        self._bins: dict[int, list[Bin]] = {}

    def bins(self, count: int) -> list[Bin]:
        """So many bins of equal mass; ties may leave some of them empty."""
        if count not in self._bins:
            self._bins[count] = self._make_bins(count)
        return self._bins[count]

    def _make_bins(self, count: int) -> list[Bin]:
        bounds = mass_bins.starts(self.sides, count)
        pairs = list(zip(self.sides, bounds, strict=True))
        positive, negative = (np.diff(side.before(rows)).tolist() for side, rows in pairs)
        predicted = [side.sums(rows, np.asarray) for side, rows in pairs]
        variances = [side.sums(rows, variance) for side, rows in pairs]
        unit = self.unit
        return [
            Bin((p + n) * unit, p * unit, (q + r) * unit, (v + w) * unit)
            for p, n, q, r, v, w in zip(positive, negative, *predicted, *variances, strict=True)
        ]

    @cached_property
    def variance(self) -> Fraction:
        """Σ w·q(1−q): what the weight of positives varies by, where the model is right."""
        for bins in self._bins.values():  # the same rows are in the bins of any number
            return sum((each.variance for each in bins), Fraction(0))
        return self._sum(variance, variance)

    @cached_property
    def squares(self) -> Fraction:
        """Σ w·(q−y)²: the squared errors."""
        return self._sum(lambda q: squared(1.0 - q), squared)

    def _sum(self, of_positives: Term, of_negatives: Term) -> Fraction:
        both = zip(self.sides, (of_positives, of_negatives), strict=True)
        return sum((side.sum(0, len(side), term) for side, term in both), Fraction(0)) * self.unit

    @cached_property
    def _grid(self) -> Places:
        return grid(self.sides)

    @cached_property
    def corners(self) -> tuple[Array, Array]:
        """The weights of negatives and positives below each block of isotonic regression."""
        return isotonic.corners(self.sides, self._grid)

    @cached_property
    def range(self) -> Fraction:
        """How far the cumulative Σ w(y − q) moves over the ends of tied blocks."""
        return Differences(self.sides, self._grid).range() * self.unit

    @cached_property
    def cells(self) -> LogitCells:
        """Rows with about the same logit together, for fits on the logit scale."""
        return logit_cells.cells(self.sides)

    def finer(self, than: LogitCells) -> LogitCells | None:
        """Finer cells, for a steep fit; None where there are none."""
        return logit_cells.finer(self.sides, than)
