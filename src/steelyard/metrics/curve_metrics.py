"""Metrics of a curve: the rows of each slice in the order of their scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from steelyard.metrics.division import missing_class
from steelyard.metrics.fold import PendingPasses, RangeMetric
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue, Array
from steelyard.states import ScoreTable
from steelyard.views.curve import CurveView
from steelyard.views.scores import ScoreView


@dataclass(frozen=True, kw_only=True)
class CurveMetric(RangeMetric):
    """A fold over ranges of the score table, by slice and rising score.

    part: a function of one range (and of the parameters) that gives a part for each slice in it
    join: joins the parts of two neighbouring ranges of one slice, the lower first; the sum unless
        specified
    value: a function of a slice's joined parts and its totals
    requires: the classes without which there is no value
    """

    part: Callable[..., Sequence[Any] | Array]
    value: Callable[..., AnyValue]
    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ScoreTable)

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[CurveView]:
        return view.curves()

    def parts(
        self, range_: CurveView, params: dict[str, Any], pending: PendingPasses
    ) -> tuple[list[int], Sequence[Any] | Array]:
        return range_.slices.tolist(), self.part(range_, **params)

    def finish(self, view: ScoreView, number: int, part: Any, params: dict[str, Any]) -> AnyValue:
        totals = view.slice_totals(number)
        why = missing_class(totals.positives, totals.negatives, self.requires)
        return why or self.value(part, totals, **params)
