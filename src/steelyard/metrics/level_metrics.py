"""Metrics of the score table that read the sorted rows of each slice."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from steelyard.metrics.curve_metrics import SlicedScoreTableMetric
from steelyard.metrics.each_slice import objects
from steelyard.metrics.fold import PendingPasses, SliceParts
from steelyard.metrics.influence import Influences, SliceValues
from steelyard.metrics.probability_metrics import ProbabilityMetric
from steelyard.metrics.record import metric_class
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.levels import LevelView
from steelyard.views.scores import ScoreView


@metric_class
class SliceMetric(SlicedScoreTableMetric):
    """A metric whose `part` is given the rows of one slice in a range."""

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[LevelView]:
        return view.levels()

    def make(self, range_: LevelView, params: dict[str, Any], pending: PendingPasses) -> SliceParts:
        """The parts of the slices whose pass is pending."""
        both = zip(range_.slices.tolist(), range_.levels, strict=True)
        chosen = [(number, levels) for number, levels in both if number in pending]
        found = [self.part(levels, **params, **pending[number].part) for number, levels in chosen]
        return SliceParts(np.array([number for number, _ in chosen], np.int64), objects(found))


@metric_class
class LevelMetric(ProbabilityMetric, SliceMetric):
    """A metric of probability levels.

    influence: its influence values, a function of the rows with their clusters and of its values
    """

    influence: Callable[..., Influences] | None = None

    def influences(
        self, view: ClusteredScores, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        assert self.influence is not None
        return self.influence(view, values, **params)
