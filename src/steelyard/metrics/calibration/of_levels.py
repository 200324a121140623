"""Metrics of the score table as probabilities: folds over its ranges, by slice and rising score."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from steelyard.metrics.probability import ProbabilityMetric
from steelyard.metrics.record import Joined, Metric, Need, Wanted
from steelyard.metrics.value import lacking
from steelyard.model import AnyValue
from steelyard.states import ScoreTable
from steelyard.views.levels import LevelView
from steelyard.views.scores import ScoreView
from steelyard.views.totals import SliceTotals


@dataclass(frozen=True)
class Again:
    """One more pass over a slice, which its value asks for.

    part: further arguments of the metric's part; value: those of its value
    """

    part: Mapping[str, Any] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)


FIRST = Again()


@dataclass(frozen=True, kw_only=True)
class LevelMetric(ProbabilityMetric):
    """A fold over ranges of the score table as probabilities.

    part: of the rows of one slice in a range
    join: the parts of two neighbouring ranges, the lower first
    value: of all a slice's ranges together, and its totals; or `Again`
    needs: without these classes there is no value
    """

    part: Callable[..., Any]
    join: Callable[[Any, Any], Any]
    value: Callable[..., AnyValue | Again]
    needs: tuple[str, ...] = ()

    def need(self, params: dict[str, Any]) -> Need:
        return Need(ScoreTable)

    def finish(self, part: Any, totals: SliceTotals, **params: Any) -> AnyValue | Again:
        """The value of a slice, of which all ranges were seen."""
        return self.value(part, totals, **params)

    def compute(self, view: Any, params: dict[str, Any]) -> AnyValue:
        raise TypeError(f"{self.name} is read off ranges, not off one slice")

    @staticmethod
    def together(wanted: Wanted, view: Any) -> list[list[AnyValue]]:
        """Several metrics in one pass over the ranges, and more passes for slices that ask.

        Bins of equal width are not read off the score table, but off sums.
        """
        if not isinstance(view, ScoreView):
            return Metric.together(wanted, view)
        folds = [Fold(metric, params, view) for metric, params in wanted]
        while any(fold.asked for fold in folds):
            for levels in view.levels():
                for fold in folds:
                    fold.take(levels)
            for fold in folds:
                fold.finish()
        return [[fold.found[number] for number in view.slices.tolist()] for fold in folds]


class Fold:
    """One metric on its way over the ranges.

    asked: the slices that want a pass; found: the values of the others
    """

    def __init__(self, metric: Any, params: dict[str, Any], view: ScoreView) -> None:
        assert isinstance(metric, LevelMetric)
        self._metric, self._params, self._view = metric, params, view
        self._parts = Joined(metric.join)
        self.asked: dict[int, Again] = dict.fromkeys(view.slices.tolist(), FIRST)
        self.found: dict[int, AnyValue] = {}

    def take(self, view: LevelView) -> None:
        """The parts of a range."""
        numbers = view.slices.tolist()
        chosen = [place for place, number in enumerate(numbers) if number in self.asked]
        parts = [
            self._metric.part(view.levels[place], **self._params, **self.asked[numbers[place]].part)
            for place in chosen
        ]
        self._parts.take(view.slices[chosen], parts)

    def finish(self) -> None:
        """The values of the slices asked for, or what they ask for next."""
        asked, self.asked = self.asked, {}
        parts, self._parts = self._parts, Joined(self._metric.join)
        for number, again in asked.items():
            totals = self._view.totals.at(number)
            why = lacking(totals.positives, totals.negatives, self._metric.needs)
            params = {**self._params, **again.value}
            value = why or self._metric.finish(parts.found[number], totals, **params)
            if isinstance(value, Again):
                self.asked[number] = value
            else:
                self.found[number] = value
