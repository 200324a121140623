"""The rows of a score table with their clusters: what each cluster adds to metrics of curves."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import (
    DIGIT,
    MASK,
    ExactSums,
    KeyedRun,
    LineAreas,
    ScoreChunk,
    ScoreRows,
)
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities, required
from steelyard.states import exact_sums
from steelyard.states.score_table import SortedTable
from steelyard.views.clusters import (
    ClusterLines,
    LineAdder,
    LineSums,
    lines_in,
    lines_of,
    near_one,
)
from steelyard.views.context import Context
from steelyard.views.curve import CurveView
from steelyard.views.row_curves import RowCurves
from steelyard.views.totals import Totals, totals

NO_READING = Reading()


class SideSums(NamedTuple):
    """What each line has of one class, by line: in a unit of its slice.

    areas: Σ weight · twice the weight of the other class below (of a negative: above), and at the
        score; weights: Σ weight; totals: that of the line's slice
    """

    areas: Floats
    weights: Floats
    totals: Floats


class LineSides(NamedTuple):
    """The sums of both classes by line."""

    lines: ClusterLines
    sides: tuple[SideSums, SideSums]


def sides_of(found: LineSums, scale: Array | None = None) -> tuple[SideSums, SideSums]:
    """The sums of both classes, from `ClusteredScores.line_sums`; scale: as of `LineAdder`."""
    lines, (*weights, areas_up, areas_down) = found
    count = len(lines.starts) - 1
    of_slices = [exact_sums.by_slice(column, lines.starts) for column in weights]
    if scale is None:
        both: ExactSums = {}
        for column in of_slices:
            exact_sums.add(both, column, None, count)
        scale = near_one(both, count)
    every, slices, of_lines = np.arange(len(lines)), np.arange(count), lines.spread(scale)
    up, down = (
        SideSums(
            exact_sums.floats(area, every, 2 * of_lines),
            exact_sums.floats(weight, every, of_lines),
            lines.spread(exact_sums.floats(total, slices, scale)),
        )
        for area, weight, total in zip((areas_up, areas_down), weights, of_slices, strict=True)
    )
    return up, down


def plus_times(mine: ExactSums, column: ExactSums, factors: Array) -> ExactSums:
    """`mine` and a column of whole numbers from 0 times others."""
    found: ExactSums = {}
    exact_sums.add(found, mine, None, len(factors))
    whole = exact_sums.integers(column, 0, np.arange(len(factors)))
    products, place = np.array(whole, object) * factors, 0
    while products.any():
        exact_sums.add(found, {place: (products & MASK).astype(np.int64)}, None, len(factors))
        products, place = products >> DIGIT, place + DIGIT
    return found


class ClusteredScores:
    """One table; values of rows are added up by line, a cluster in a slice.

    rows, unit, count: the rows, the unit of weights, and how many slice numbers there are
    sort: sorts the rows, where some metric reads them in order
    reading: how scores are read as probabilities
    context: None: the rows are all rows of their slices
    all_rows: adds up the rows that this table has some of, where it has the line of each row
        instead of its cluster: all tables of these rows have its lines and its unit of weight
    """

    def __init__(
        self,
        rows: ScoreRows,
        unit: int,
        count: int,
        reading: Reading = NO_READING,
        all_rows: LineAdder | None = None,
        sort: Callable[[], SortedTable] | None = None,
        context: Context | None = None,
    ) -> None:
        self._given, self._unit, self._count, self.reading = rows, unit, count, reading
        self._all_rows, self._sort, self.context = all_rows, sort, context

    @cached_property
    def table(self) -> SortedTable:
        """The sorted rows."""
        if self._sort is not None:
            return self._sort()
        if isinstance(self._given, SortedTable):
            return self._given
        return kernels.active().sort_scores(self._given, self._count, self._unit)

    @property
    def _rows(self) -> int:
        return sum(len(side.scores) for side in self.table[:2])

    @cached_property
    def lines(self) -> ClusterLines:
        if self._all_rows is not None:
            return self._all_rows.lines
        return self._given_lines[0]

    @cached_property
    def _given_lines(self) -> tuple[ClusterLines, Sequence[Array]]:
        """The lines, and those of the rows of each chunk; of one slice the clusters themselves."""
        assert not isinstance(self._given, SortedTable)
        columns = [required(each.clusters) for each in self._given]
        if self._count == 1:
            return lines_in(columns), columns
        pairs = [
            (_slices(each), of_rows) for each, of_rows in zip(self._given, columns, strict=True)
        ]
        slices, clusters = (np.concatenate(both) for both in zip(*pairs, strict=True))
        lines, codes = lines_of(slices, clusters, self._count)
        ends = np.cumsum([len(column) for column in columns])[:-1]
        return lines, np.split(codes, ends)

    @cached_property
    def _codes(self) -> Array:
        """The line of each sorted row, positives first."""
        assert self.table.clusters is not None
        codes = np.concatenate(self.table.clusters)
        if self._all_rows is not None:
            return codes
        slices = np.concatenate(self.of_slices(np.arange(self._count, dtype=np.uint32)))
        return lines_of(slices, codes, self._count)[1]

    @cached_property
    def _line_areas(self) -> LineAreas:
        """The weights and areas of all lines, exactly; rows are not sorted for them."""
        kernel = kernels.active()
        if self._all_rows is not None:
            return kernel.line_areas(self._given, self._count, self._unit, len(self.lines))
        assert not isinstance(self._given, SortedTable)
        lines, codes = self._given_lines
        numbered = [
            each._replace(clusters=own) for each, own in zip(self._given, codes, strict=True)
        ]
        if self._count > 1:
            return kernel.line_areas(numbered, self._count, self._unit, len(lines))
        size = int(lines.clusters[-1]) + 1 if len(lines) else 0
        found = kernel.line_areas(numbered, 1, self._unit, size)
        if size == len(lines):
            return found
        (up, down), (area_up, area_down) = (
            [exact_sums.lines(column, lines.clusters) for column in both] for both in found
        )
        return LineAreas((up, down), (area_up, area_down))

    @property
    def line_sums(self) -> LineSums:
        """The weights of both classes and their areas, by line; of a range, within its slices."""
        weights, areas = self._line_areas
        if self.context is None:
            return LineSums(self.lines, (*weights, *areas))
        own = exact_sums.by_slice(weights[0], self.lines.starts)
        positives = np.array(exact_sums.integers(own, 0, np.arange(self._count)), object)
        below = self.context.below
        above = self.context.totals.positives - below.positives - positives
        further = (  # pairs with rows of other ranges
            plus_times(area, weight, self.lines.spread(2 * others))
            for area, weight, others in zip(areas, weights, (below.negatives, above), strict=True)
        )
        return LineSums(self.lines, (*weights, *further))

    @cached_property
    def sides(self) -> tuple[SideSums, SideSums]:
        """The weights and areas of positives and of negatives."""
        scale = None if self._all_rows is None else self._all_rows.scale
        return sides_of(self.line_sums, scale)

    @cached_property
    def positives(self) -> LineAdder:
        """Adds values of positives."""
        return self._adder(0)

    @cached_property
    def negatives(self) -> LineAdder:
        """Adds values of negatives."""
        return self._adder(1)

    def _adder(self, side: int) -> LineAdder:
        rows, count = self.table[:2][side], len(self.table.positives.scores)
        codes = self._codes
        own = codes[count:] if side else codes[:count]
        return LineAdder(self.lines, own, rows.digits, self.scale)

    @cached_property
    def scale(self) -> Array:
        """The unit of the weights of each slice, which both classes share."""
        if self._all_rows is not None:
            return self._all_rows.scale
        return np.array([-weight.bit_length() for weight in self.totals.all.tolist()], np.int64)

    def of_slices(self, column: Array) -> tuple[Array, Array]:
        """A column of slices, by slice number, for all positives and for all negatives."""
        up, down = (np.repeat(column, np.diff(side.starts)) for side in self.table[:2])
        return up, down

    # --- values of rows --------------------------------------------------------------------------
    def mass_bins(self, count: int) -> tuple[Array, Array]:
        """Of `count` bins of equal mass of each slice, the bin of each positive and negative."""
        all_, below = self.totals.all, np.zeros_like(self.totals.all)
        if self.context is not None:
            below = self.context.below.positives + self.context.below.negatives
        found = kernels.active().level_bins(*self.table[:2], all_, below, count)
        up, down = (np.repeat(found.numbers, np.diff(rows)) for rows in found[2:])
        return up, down

    @cached_property
    def probabilities(self) -> tuple[Floats, Floats]:
        """The predicted probabilities of all positives and of all negatives."""
        up, down = (probabilities(side.scores, self.reading) for side in self.table[:2])
        return up, down

    @cached_property
    def logits(self) -> tuple[Floats, Floats]:
        """ln(q/(1 − q)) of the probabilities of all positives and of all negatives."""
        up, down = (self._logits(each) for each in self.probabilities)
        return up, down

    def _logits(self, q: Floats) -> Floats:
        kernel = kernels.active()
        q = clipped(q, self.reading)
        found: Floats = kernel.log(q) - kernel.log_complement(q)
        return found

    @cached_property
    def _curves(self) -> RowCurves:
        return RowCurves(self.table, self._count, self.table.unit, self.context)

    @cached_property
    def totals(self) -> Totals:
        return totals(self.table) if self.context is None else self.context.totals

    @cached_property
    def curve(self) -> CurveView | None:
        """The curve of all slices as one view; None without positives."""
        return next(self._curves.ranges(self._rows + 1), None)

    @property
    def point_starts(self) -> Array:
        """The first point of the curve of each slice, and the end."""
        return self._curves.points.starts

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """For each positive and each negative, the last point of the curve at or below its score.

        In columns that have one entry more for each slice, before its first point.
        """
        points, found = self._curves.points, []
        before = points.starts[:-1] + np.arange(self._count)
        entries = KeyedRun(points.starts, points.scores, None)
        for side in self.table[:2]:
            rows = SortedTable(side._replace(digits=None), entries, 0)
            below, tied = kernels.active().placements(rows, self._count, 0)
            count = (below if tied is None else below + tied)[: len(side.scores)]
            found.append(np.repeat(before, np.diff(side.starts)) + count)
        return found[0], found[1]


def _slices(chunk: ScoreChunk) -> Array:
    """The slice number of each row."""
    none = np.zeros(len(chunk.scores), np.uint8)
    return none if chunk.codes is None else chunk.codes
