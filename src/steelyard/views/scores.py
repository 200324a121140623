"""The view of a score table: areas, points of curves in ranges, or probabilities."""

from collections.abc import Iterator

from steelyard.cached import cached_property
from steelyard.kernels.interface import ScoreRows
from steelyard.model import Array, Reading
from steelyard.reading.batch import required
from steelyard.states.score_table import ScoreTable, SortedTable
from steelyard.views.context import Context
from steelyard.views.curve import AreaView, CurveView
from steelyard.views.levels import LevelView, level_views
from steelyard.views.resampled import cluster_counts, resampled_scores
from steelyard.views.row_curves import RowCurves
from steelyard.views.table_view import TableView
from steelyard.views.totals import Totals, totals


class ScoreView(TableView[ScoreTable]):
    """One table of a score table; rows: of a class in a range.

    context: None: the rows are all rows of their slices
    """

    context: Context | None = None

    @cached_property
    def table(self) -> SortedTable:
        return self._state.sorted(self._number, self._count)

    @property
    def _score_rows(self) -> tuple[ScoreRows, int]:
        """The rows, sorted if they were sorted before, and the unit of weights."""
        if self._state.clustered and "table" in vars(self):  # it may be resampled
            return self.table, self.table.unit
        return self._state.rows(self._number, self._count)

    def resampled(self, factors: Array) -> "ScoreView":
        """The same rows with weights times the factor of their cluster, by its number."""
        made = self._unread()
        made.table = resampled_scores(self.table, factors)
        return made

    @property
    def cluster_counts(self) -> Array:
        """How many clusters have rows in each slice of the view."""
        starts = [side.starts for side in self.table[:2]]
        return cluster_counts(starts, required(self.table.clusters))[self.slices]

    @cached_property
    def _curves(self) -> RowCurves:
        rows, unit = self._score_rows
        return RowCurves(rows, self._count, unit, self.context)

    @cached_property
    def totals(self) -> Totals:
        if self.context is not None:
            return self.context.totals
        return self._curves.totals if "_curves" in vars(self) else totals(self.table)

    def areas(self) -> Iterator[AreaView]:
        """The areas under the curves of all slices."""
        return self._curves.areas()

    def curves(self) -> Iterator[CurveView]:
        """The ranges for curve metrics, by slice and rising score."""
        return self._curves.ranges(self._rows)

    def sorted_curves(self) -> Iterator[CurveView]:
        """The same, of sorted rows, in which the negatives above a score are found."""
        assert self.table
        return self.curves()

    def levels(self) -> Iterator[LevelView]:
        """The ranges for calibration metrics, by slice and rising score."""
        reading = self._state.reading or Reading()
        under = None if self.context is None else self.context.below
        return level_views(self.table, self.totals, reading, self._rows, under)
