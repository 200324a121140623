"""Metrics of the score table as probabilities: folds over its ranges, by slice and rising score."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from steelyard.metrics.division import missing_class
from steelyard.metrics.fold import AnotherPass, PendingPasses, RangeMetric
from steelyard.metrics.probability_metrics import ProbabilityMetric
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue
from steelyard.states import ScoreTable
from steelyard.views.levels import LevelView
from steelyard.views.scores import ScoreView


@dataclass(frozen=True, kw_only=True)
class LevelMetric(ProbabilityMetric, RangeMetric):
    """A fold over ranges of the score table as probabilities.

    part: of the rows of one slice in a range
    join: the parts of two neighbouring ranges, the lower first
    value: of all a slice's ranges together, and its totals; or `AnotherPass`
    requires: the classes without which there is no value
    """

    part: Callable[..., Any]
    value: Callable[..., AnyValue | AnotherPass]
    requires: tuple[str, ...] = ()

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ScoreTable)

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[LevelView]:
        return view.levels()

    def parts(
        self, range_: LevelView, params: dict[str, Any], pending: PendingPasses
    ) -> tuple[list[int], list[Any]]:
        """The parts of the slices that want a pass."""
        both = zip(range_.slices.tolist(), range_.levels, strict=True)
        chosen = [(number, levels) for number, levels in both if number in pending]
        found = [self.part(levels, **params, **pending[number].part) for number, levels in chosen]
        return [number for number, _ in chosen], found

    def finish(
        self, view: ScoreView, number: int, part: Any, params: dict[str, Any]
    ) -> AnyValue | AnotherPass:
        totals = view.slice_totals(number)
        why = missing_class(totals.positives, totals.negatives, self.requires)
        return why or self.measure(part, totals, params)

    def measure(self, part: Any, totals: Any, params: dict[str, Any]) -> AnyValue | AnotherPass:
        """The value, given one row or more."""
        return self.value(part, totals, **params)
