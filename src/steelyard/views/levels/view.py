"""One range of the score table as probabilities, for calibration metrics.

Memory: only cumulative weights, where rows have weights. Exactness: exact; row terms are rounded
once, their sums never.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun, Run
from steelyard.model import Array, Floats, Reading
from steelyard.states.score_table import SortedTable
from steelyard.states.sums.terms import variance_of
from steelyard.states.weights import digits_at
from steelyard.views.levels import isotonic, logit_cells, mass_bins
from steelyard.views.levels.bins import Bin
from steelyard.views.levels.differences import Differences, Prefix
from steelyard.views.levels.grid import BlockEnds, grid
from steelyard.views.levels.logit_cells import CellSums
from steelyard.views.levels.sorted_side import ProbabilityTerm, SortedSide
from steelyard.views.ranges import Below, ranges, sides
from steelyard.views.totals import SliceTotals, Totals

# Rows of each class in a range. Calibration metrics depend on few block ends, which are found with
# a coarse grid of the range: longer ranges have fewer of them.
RANGE_ROWS = 1 << 24


class Levels:
    """The rows of one slice in a range, by rising score and class.

    totals: of the whole slice; below: the weights of the slice below the range
    """

    def __init__(
        self, positives: Run, negatives: Run, totals: SliceTotals, below: Below, reading: Reading
    ) -> None:
        self.totals, self.below, self.reading = totals, below, reading
        self.positives = SortedSide(positives, reading)
        self.negatives = SortedSide(negatives, reading)
        self.sides = self.positives, self.negatives
        self.unit = Fraction(2) ** totals.power
        self._bins: dict[int, dict[int, Bin]] = {}

    def bins(self, count: int) -> dict[int, Bin]:
        """Of `count` bins of equal mass, those with rows in this range, by number."""
        if count not in self._bins:
            sums = mass_bins.sums(self.sides, count, self.totals.all, sum(self.below))
            self._bins[count] = {
                number: Bin(*(each * self.unit for each in found)) for number, found in sums.items()
            }
        return self._bins[count]

    @cached_property
    def variance(self) -> Fraction:
        """Σ w·q(1−q): the variance of the positive weight if the model is right."""
        for bins in self._bins.values():  # any number of bins holds the same rows
            return sum((each.variance for each in bins.values()), Fraction(0))
        return self._sum(variance_of, variance_of)

    @cached_property
    def squares(self) -> Fraction:
        """Σ w·(q−y)²: the squared errors."""
        return self._sum(lambda q: _squared(1.0 - q), _squared)

    def _sum(self, of_positives: ProbabilityTerm, of_negatives: ProbabilityTerm) -> Fraction:
        both = zip(self.sides, (of_positives, of_negatives), strict=True)
        return sum((side.sum(0, len(side), term) for side, term in both), Fraction(0)) * self.unit

    @cached_property
    def _grid(self) -> BlockEnds:
        return grid(self.sides)

    @cached_property
    def corners(self) -> tuple[Array, Array]:
        """The corners of isotonic regression of this range alone.

        Each is the weight of negatives and of positives of the slice below a block.
        """
        return isotonic.corners(self.sides, self._grid, self.below)

    @cached_property
    def prefix(self) -> Prefix:
        """The cumulative Σ w(y − q) at the ends of this range's tied blocks."""
        return Differences(self.sides, self._grid).prefix(self.unit)

    def cells(self, bits: int | None) -> CellSums:
        """Sums over cells of about the same logit; bits: how fine, None: by the slice's logits."""
        return logit_cells.cell_sums(self.sides, self.totals, self.reading, bits)


def _squared(gap: Floats) -> Floats:
    return gap * gap


class LevelView(NamedTuple):
    """One range with every slice in it.

    slices: slice numbers; levels: the rows of each in the range
    """

    slices: Array
    levels: list[Levels]


def level_views(
    table: SortedTable, of_slices: Totals, reading: Reading, rows: int | None = None
) -> Iterator[LevelView]:
    """The ranges of a table, by slice and rising score; rows: about how many of a class in each."""
    for bounds, below in ranges(table, rows or RANGE_ROWS):
        up, down = sides(table, bounds)
        numbers = np.flatnonzero(np.diff(up.starts) + np.diff(down.starts)).tolist()
        levels = [
            Levels(
                _run(up, place),
                _run(down, place),
                of_slices.at(bounds.first + place),
                below,
                reading,
            )
            for place in numbers
        ]
        yield LevelView(bounds.first + np.array(numbers, np.int64), levels)


def _run(side: KeyedRun, number: int) -> Run:
    """The rows of one slice."""
    rows = slice(int(side.starts[number]), int(side.starts[number + 1]))
    return Run(side.scores[rows], digits_at(side.digits, rows))
