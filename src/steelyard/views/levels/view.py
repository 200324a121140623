"""One range of the score table as probabilities, for calibration metrics, with every slice in it.

Memory: only cumulative weights, where rows have weights. Exactness: exact; row terms are rounded
once, their sums never.
"""

from collections.abc import Iterator

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun
from steelyard.kernels.ragged import running_sums, spread, steps
from steelyard.model import Array, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.states.score_table import SortedTable
from steelyard.states.weights import digits_at, weight_between
from steelyard.views.digit_column import DigitColumn, whole_numbers
from steelyard.views.levels.bins import Bins
from steelyard.views.levels.isotonic import HullCorners
from steelyard.views.levels.logit_cells import CellColumns, CellSums, ClassEnds, Moments, bits_of
from steelyard.views.levels.walk import Walk
from steelyard.views.part_columns import SliceLists
from steelyard.views.ranges import Below, ranges, sides
from steelyard.views.totals import Totals

# Rows of each class in a range. Calibration metrics depend on few block ends, which are found with
# a coarse grid of the range: longer ranges have fewer of them.
RANGE_ROWS = 1 << 24


class LevelView:
    """The rows of some slices in a range, by slice, rising score and class.

    slices: slice numbers; totals: of the whole slices, in this order
    below: the weights of each class below the range in each slice
    """

    def __init__(
        self,
        positives: KeyedRun,
        negatives: KeyedRun,
        slices: Array,
        totals: Totals,
        below: Below,
        reading: Reading,
    ) -> None:
        self.positives, self.negatives = positives, negatives
        self.slices, self.totals, self.below, self.reading = slices, totals, below, reading
        self._bins: dict[int, SliceLists] = {}

    def __len__(self) -> int:
        return len(self.slices)

    def bins(self, count: int) -> SliceLists:
        """Of `count` bins of equal mass of each slice, those with rows in this range: `Bins`."""
        if count not in self._bins:
            below = self.below.positives + self.below.negatives
            found = kernels.active().level_bins(
                self.positives, self.negatives, self.totals.all, below, count
            )
            bounds = found.positives, found.negatives
            up, down = (self._weights(place, bounds[place]) for place in range(2))
            bins = Bins(
                found.numbers,
                up + down,
                up,
                self._sums(bounds, ("expected", "expected")),
                self._sums(bounds, ("variance", "variance")),
            )
            self._bins[count] = SliceLists(found.starts, bins)
        return self._bins[count]

    @cached_property
    def variance(self) -> DigitColumn:
        """Σ w·q(1−q): the variance of the positive weight if the model is right."""
        for bins in self._bins.values():  # any number of bins holds the same rows
            found: DigitColumn = bins.columns.variance.by_list(bins.starts)
            return found
        return self._sums(self._slice_bounds, ("variance", "variance"))

    @cached_property
    def squares(self) -> DigitColumn:
        """Σ w·(q−y)²: the squared errors."""
        return self._sums(self._slice_bounds, ("squares_of_rest", "squares"))

    @cached_property
    def corners(self) -> SliceLists:
        """The corners of isotonic regression of this range alone: `HullCorners`."""
        starts, x, y = kernels.active().level_hull(self.positives, self.negatives)
        if not self.below.is_nothing:
            x, y = (
                column.astype(object) + np.repeat(below, steps(starts))
                for column, below in zip((x, y), self.below[::-1], strict=True)
            )
        return SliceLists(starts, HullCorners(x, y))

    @cached_property
    def walk(self) -> Walk:
        """The cumulative Σ w(y − q) of this range alone, at the ends of its tied blocks."""
        found = kernels.active().level_walk(
            self.positives, self.negatives, self.reading.downsampled
        )
        return Walk(*(self._in_unit(DigitColumn(column, len(self))) for column in found))

    @property
    def _slice_bounds(self) -> tuple[Array, Array]:
        return self.positives.starts, self.negatives.starts

    def _weights(self, place: int, bounds: Array) -> DigitColumn:
        """The weight of the rows of a class from each bound to the next."""
        side = (self.positives, self.negatives)[place]
        return whole_numbers(weight_between(side.digits, bounds), self.totals.power)

    def _sums(self, bounds: tuple[Array, Array], terms: tuple[str, str]) -> DigitColumn:
        """Σ w·term over the rows of both classes, between each two bounds."""
        kernel, downsampled = kernels.active(), self.reading.downsampled
        up, down = (
            DigitColumn(kernel.level_sums(side, rows, term, downsampled), len(rows) - 1)
            for side, rows, term in zip(
                (self.positives, self.negatives), bounds, terms, strict=True
            )
        )
        return self._in_unit(up + down)

    def _in_unit(self, column: DigitColumn) -> DigitColumn:
        """Sums of whole weights times the unit of weights."""
        return column.times(1, self.totals.power) if self.totals.power else column

    def cells(self, bits: Array | None) -> CellSums:
        """Sums over cells of about the same logit; bits: how fine, None: by the slices' logits."""
        if bits is None:
            return self._first_cells
        found = kernels.active().level_cells(
            self.positives, self.negatives, bits, self.reading.downsampled, self.reading.clip
        )
        moments = (Moments(*side) for side in (found.positives, found.negatives))
        cells = SliceLists(found.starts, CellColumns(found.codes, *moments))
        ends = map(self._ends, (self.positives, self.negatives))
        return CellSums(cells, bits, found.infinite, *ends)

    @cached_property
    def _first_cells(self) -> CellSums:
        return self.cells(bits_of(self.totals, self.reading))

    def _ends(self, side: KeyedRun) -> ClassEnds:
        """The lowest and the highest probability of a class, as logarithms read them."""
        some = np.flatnonzero(steps(side.starts))
        columns = []
        for rows in (side.starts[:-1][some], side.starts[1:][some] - 1):
            column = np.full(len(self), np.nan)
            scores = probabilities(side.scores[rows], self.reading)
            column[some] = clipped(scores, self.reading)
            columns.append(column)
        return ClassEnds(*columns)

    def take(self, places: Array) -> "LevelView":
        """The rows of some of these slices."""
        up, down = (_taken(side, places) for side in (self.positives, self.negatives))
        slices, totals = self.slices[places], self.totals.take(places)
        return LevelView(up, down, slices, totals, self.below.take(places), self.reading)


def level_views(
    table: SortedTable,
    of_slices: Totals,
    reading: Reading,
    rows: int | None = None,
    under: Below | None = None,
) -> Iterator[LevelView]:
    """The ranges of a table, by slice and rising score; rows: about how many of a class in each.

    under: what is below the table's rows; None: they are all rows of their slices
    """
    for bounds, below in ranges(table, rows or RANGE_ROWS, under):
        up, down = sides(table, bounds)
        slices = np.arange(bounds.first, bounds.last)
        whole = LevelView(up, down, slices, of_slices.take(slices), below, reading)
        some = (steps(up.starts) > 0) | (steps(down.starts) > 0)
        if some.all():
            yield whole
        elif some.any():
            yield whole.take(np.flatnonzero(some))


def _taken(side: KeyedRun, places: Array) -> KeyedRun:
    """The rows of some slices."""
    sizes = steps(side.starts)[places]
    rows, _ = spread(side.starts[places], sizes)
    return KeyedRun(running_sums(sizes), side.scores[rows], digits_at(side.digits, rows))
