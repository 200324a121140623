"""Metrics of bins of probabilities, of equal mass or of equal width."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.fold import PartColumns
from steelyard.metrics.level_metrics import LevelMetric
from steelyard.metrics.parameter import Parameter, choice, count
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.metrics.values import ValueColumn, at_places
from steelyard.model import Floats
from steelyard.reading.batch import required
from steelyard.result.metric_column import MetricColumn
from steelyard.states import ScoreTable
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineSums
from steelyard.views.levels import LevelView
from steelyard.views.levels.bins import Bins, join
from steelyard.views.part_columns import SliceLists
from steelyard.views.sums import KeyedSumsView
from steelyard.views.totals import Totals

BINS = count("bins", 10, most=1 << 20, means="how many bins the rows are put into")
KIND = choice(
    *("kind", "mass", "width"),
    means="whether all bins have the same weight of rows (mass) or the same width (width)",
)
TERMS = ("weight", "weighted_positives", "expected", "variance")  # the sums of `Bins`


def mass_bins(levels: LevelView, bins: int, kind: str = "mass") -> SliceLists:
    """The bins of equal mass that have rows in a range."""
    return levels.bins(bins)


@metric_class
class BinMetric(LevelMetric):
    """A metric of bins.

    value: a function of the bins that have rows, of slices that have bins
    details_by_line: for details that hold for rows of clusters, exact sums by slice and cluster: a
        function of the rows and the parameters
    details_of_lines: these details, a function of the sums and the parameters
    """

    part: Callable[..., Any] = mass_bins
    join: Callable[[Any, Any], Any] = join
    value: Callable[[SliceLists], ValueColumn]
    details_by_line: Callable[..., LineSums] | None = None
    details_of_lines: Callable[..., Mapping[str, Floats]] | None = None
    parameters: tuple[Parameter, ...] = (BINS, KIND)

    def folds(self, params: dict[str, Any]) -> bool:
        """Bins of equal mass are a fold over scores, bins of equal width are sums."""
        return params.get("kind") != "width"

    def part_key(self, params: dict[str, Any]) -> Any:
        return self.part, params["bins"]

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        if params.get("kind") == "width":
            return sums_of(*TERMS, key=f"bin {params['bins']}")
        return StateSpec(ScoreTable)

    def details_spec(self, params: dict[str, Any]) -> StateSpec | None:
        return None if self.details_by_line is None else StateSpec(ScoreTable)

    def detail_sums(self, view: ClusteredScores, params: dict[str, Any]) -> LineSums:
        return required(self.details_by_line)(view, **params)

    def details_of(self, sums: LineSums, params: dict[str, Any]) -> Mapping[str, Floats]:
        return required(self.details_of_lines)(sums, **params)

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        further: Mapping[str, PartColumns],
    ) -> ValueColumn:
        return self.value(columns)

    def values_in(self, view: KeyedSumsView, params: dict[str, Any]) -> ValueColumn:
        """The values of bins of equal width."""
        starts, numbers, sums = view.lines(TERMS)
        bins = SliceLists(starts, Bins(numbers, *sums))
        some = np.diff(starts) > 0
        found = []
        if some.any():
            places = np.flatnonzero(some)
            found.append((places, self.value(bins if some.all() else bins.take(places))))
        if not some.all():
            none = np.flatnonzero(~some)
            reasons = dict.fromkeys(range(len(none)), NO_ROWS)
            found.append((none, MetricColumn(np.full(len(none), np.nan), reasons)))
        return at_places(found, len(some))
