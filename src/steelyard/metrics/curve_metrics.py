"""Metrics of the score table: the rows of each slice in the order of their scores."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from operator import add
from typing import Any

from steelyard.metrics.division import missing_class
from steelyard.metrics.fold import AnotherPass, PendingPasses, RangeMetric
from steelyard.metrics.influence import Influences, SliceValues
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.model import AnyValue, Array
from steelyard.states import ScoreTable
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.curve import CurveView
from steelyard.views.scores import ScoreView


@metric_class
class ScoreTableMetric(RangeMetric):
    """A fold over ranges of the score table, by slice and rising score.

    part: a function of one range
    join: joins the parts of two neighbouring ranges of one slice, the lower first
    value: a function of a slice's joined parts and its totals
    requires: the classes without which there is no value
    """

    part: Callable[..., Any]
    value: Callable[..., AnyValue | AnotherPass]
    requires: tuple[str, ...] = ()

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ScoreTable)

    def finish(
        self, view: ScoreView, number: int, part: Any, params: dict[str, Any]
    ) -> AnyValue | AnotherPass:
        totals = view.slice_totals(number)
        why = missing_class(totals.positives, totals.negatives, self.requires)
        return why or self.value(part, totals, **params)


@metric_class
class CurveMetric(ScoreTableMetric):
    """A metric of a curve; its `part` gives a part for each slice of a range.

    join: the sum unless specified
    influence: a function of the rows with their clusters, and of the value of each line
    """

    influence: Callable[..., Influences] | None = None
    part: Callable[..., Sequence[Any] | Array]
    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[CurveView]:
        return view.curves()

    def part_key(self, params: dict[str, Any]) -> Hashable:
        return self.part, self.join, *params.items()

    def parts(
        self, range_: CurveView, params: dict[str, Any], pending: PendingPasses
    ) -> tuple[list[int], Sequence[Any] | Array]:
        return range_.slices.tolist(), self.part(range_, **params)

    def influences(
        self, view: ClusteredScores, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        assert self.influence is not None
        return self.influence(view, view.lines.spread(values.numbers), **params)
