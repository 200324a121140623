"""The rows of a score table with their clusters: what each cluster adds to metrics of curves."""

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.states.score_table import SortedTable
from steelyard.views.clusters import ClusterLines, LineAdder, finite, lines_of
from steelyard.views.curve import CurveView, curve_views
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
        count = len(self.table.positives.starts) - 1
        slices = np.concatenate(self.of_slices(np.arange(count, dtype=np.uint32)))
        return lines_of(slices, codes, count)

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
    def of_positives(self, values: Callable[[CurveView], Floats]) -> Floats:
        """A function of the distinct positive scores of a range, as a column of all positives."""
        return _of_rows(curve_views(self.table, self.totals), values)

    def of_negatives(self, values: Callable[[CurveView], Floats]) -> Floats:
        """The same with the classes exchanged: a column of all negatives."""
        return _of_rows(curve_views(self._exchanged, totals(self._exchanged)), values)

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
    def totals(self) -> Totals:
        return totals(self.table)

    @cached_property
    def _exchanged(self) -> SortedTable:
        """The table with negatives as positives."""
        return SortedTable(self.table.negatives, self.table.positives, self.table.unit)

    @cached_property
    def whole(self) -> tuple[CurveView | None, CurveView | None]:
        """The curve of all slices as one range, and that with the classes exchanged.

        None where there is no row that the curve has an entry for.
        """
        views = [
            next(curve_views(table, totals(table), self._rows + 1), None)
            for table in (self.table, self._exchanged)
        ]
        return views[0], views[1]


def _of_rows(views: Iterable[CurveView], values: Callable[[CurveView], Floats]) -> Floats:
    """The values of all ranges' rows; 0 where a slice has none, as exact sums need numbers."""
    with np.errstate(divide="ignore", invalid="ignore"):  # slices of one class
        found = [view.to_rows(finite(values(view))) for view in views]
    return np.concatenate(found) if found else np.zeros(0)


def cumulative(column: Floats, starts: Array) -> Floats:
    """The sums of each slice's entries up to each, one after the other in order."""
    found = np.empty(len(column))
    for first, last in pairwise(starts.tolist()):
        np.cumsum(column[first:last], out=found[first:last])
    return found
