"""Metrics of the score table that read ranges of sorted rows, with every slice in them."""

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from steelyard.kernels.ragged import are_equal
from steelyard.metrics.curve_metrics import ScoreTableMetric
from steelyard.metrics.fold import Pass, SliceParts
from steelyard.metrics.probability_metrics import ProbabilityMetric
from steelyard.metrics.record import metric_class
from steelyard.views.levels import LevelView
from steelyard.views.scores import ScoreView


@metric_class
class LevelTableMetric(ScoreTableMetric):
    """A metric whose `part` is given the rows of a range."""

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[LevelView]:
        return view.levels()

    def make(self, range_: LevelView, params: dict[str, Any], pending: Pass) -> SliceParts:
        """The parts of the pending slices."""
        if not pending.part and are_equal(range_.slices, pending.slices):
            return SliceParts(range_.slices, self.part(range_, **params))
        order = pending.slices.argsort()
        places = pending.slices[order].searchsorted(range_.slices)
        mine = np.append(pending.slices[order], -1)[places] == range_.slices
        if not mine.all():
            range_ = range_.take(np.flatnonzero(mine))
        further = pending.among(order[places[mine]]).part if pending.part else {}
        columns = self.part(range_, **params, **further) if len(range_) else None
        return SliceParts(range_.slices, columns)

    def part_key(self, params: dict[str, Any]) -> Hashable:
        return self.part, self.join, *params.items()


@metric_class
class LevelMetric(ProbabilityMetric, LevelTableMetric):
    """A metric of probability levels."""
