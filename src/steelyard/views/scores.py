"""The view of a score table: its ranges as curves, or as probabilities."""

from collections.abc import Iterator

from steelyard.cached import cached_property
from steelyard.model import Array, Reading
from steelyard.reading.batch import required
from steelyard.states.score_table import ScoreTable, SortedTable
from steelyard.views.curve import CurveView, curve_views
from steelyard.views.levels import LevelView, level_views
from steelyard.views.resampled import cluster_counts, resampled_scores
from steelyard.views.table_view import TableView
from steelyard.views.totals import Totals, totals


class ScoreView(TableView[ScoreTable]):
    """One table of a score table; rows: of a class in a range."""

    @cached_property
    def table(self) -> SortedTable:
        return self._state.sorted(self._number, self._count)

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
    def totals(self) -> Totals:
        return totals(self.table)

    def curves(self) -> Iterator[CurveView]:
        """The ranges for curve metrics, by slice and rising score."""
        return curve_views(self.table, self.totals, self._rows)

    def levels(self) -> Iterator[LevelView]:
        """The ranges for calibration metrics, by slice and rising score."""
        reading = self._state.reading or Reading()
        return level_views(self.table, self.totals, reading, self._rows)
