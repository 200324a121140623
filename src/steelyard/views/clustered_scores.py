"""The rows of a score table with their clusters: what each cluster adds to metrics of curves."""

from itertools import pairwise
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun
from steelyard.kernels.quotients import quotients
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.states.score_table import SortedTable
from steelyard.views.clusters import ClusterLines, LineAdder, lines_of
from steelyard.views.curve import CurveView
from steelyard.views.row_curves import RowCurves
from steelyard.views.totals import Totals, totals

NO_READING = Reading()


class ClusteredScores:
    """One table; values of rows are added up by line, a cluster in a slice.

    reading: how scores are read as probabilities
    all_rows: adds up the rows that this table has some of, where it has the line of each row
        instead of its cluster: all tables of these rows have its lines and its unit of weight
    """

    def __init__(
        self,
        table: SortedTable,
        reading: Reading = NO_READING,
        all_rows: LineAdder | None = None,
    ) -> None:
        self.table, self.reading = table, reading
        self._all_rows = all_rows

    @property
    def _rows(self) -> int:
        return sum(len(side.scores) for side in self.table[:2])

    @cached_property
    def _numbered(self) -> tuple[ClusterLines, Array]:
        """The lines, and the line of each row, positives first."""
        assert self.table.clusters is not None
        codes = np.concatenate(self.table.clusters)
        if self._all_rows is not None:
            return self._all_rows.lines, codes
        slices = np.concatenate(self.of_slices(np.arange(self._count, dtype=np.uint32)))
        return lines_of(slices, codes, self._count)

    @property
    def _count(self) -> int:
        """How many slice numbers there are."""
        return len(self.table.positives.starts) - 1

    @property
    def lines(self) -> ClusterLines:
        return self._numbered[0]

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
        codes = self._numbered[1]
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
    @cached_property
    def placements(self) -> tuple[Floats, Floats]:
        """For each positive the share of the negatives below it, for each negative that of the
        positives above it; tied rows count half. 0 in slices of one class.
        """
        below, tied = kernels.active().placements(self.table, self._count, self.table.unit)
        of_slices = self.totals
        kind: Any = np.int64 if 2 * of_slices.largest < 1 << 62 else object
        doubled = 2 * below.astype(kind)
        doubled += 0 if tied is None else tied.astype(kind)
        first = len(self.table.positives.scores)
        up, _ = self.of_slices(2 * of_slices.negatives.astype(kind))
        _, down = self.of_slices(2 * of_slices.positives.astype(kind))
        return quotients(doubled[:first], up), quotients(down - doubled[first:], down)

    def mass_bins(self, count: int) -> tuple[Array, Array]:
        """Of `count` bins of equal mass of each slice, the bin of each positive and negative."""
        all_ = self.totals.all
        found = kernels.active().level_bins(*self.table[:2], all_, np.zeros_like(all_), count)
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
        return RowCurves(self.table, self._count, self.table.unit)

    @cached_property
    def totals(self) -> Totals:
        return totals(self.table)

    @cached_property
    def curve(self) -> CurveView | None:
        """The curve of all slices as one range; None without positives."""
        return next(self._curves.ranges(self._rows + 1), None)

    @cached_property
    def entries(self) -> tuple[Array, Array]:
        """For each positive and each negative, the last entry of the curve at or below its score.

        −1 where there is none
        """
        points, found = self._curves.points, []
        entries = KeyedRun(points.starts, points.scores, None)
        for side in self.table[:2]:
            rows = SortedTable(side._replace(digits=None), entries, 0)
            below, tied = kernels.active().placements(rows, self._count, 0)
            count = (below if tied is None else below + tied)[: len(side.scores)].astype(np.int64)
            first = np.repeat(points.starts[:-1], np.diff(side.starts))
            found.append(np.where(count > 0, first + count - 1, -1))
        return found[0], found[1]


def cumulative(column: Floats, starts: Array) -> Floats:
    """The sums of each slice's entries up to each, one after the other in order."""
    found = np.empty(len(column))
    for first, last in pairwise(starts.tolist()):
        np.cumsum(column[first:last], out=found[first:last])
    return found
