"""Metrics of the score table: the rows of each slice in the order of their scores."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from operator import add
from typing import Any

import numpy as np

from steelyard.metrics.each_slice import EachSlice, objects
from steelyard.metrics.fold import AnotherPass, PartColumns, PendingPasses, RangeMetric, SliceParts
from steelyard.metrics.influence import Influences, SliceValues
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.values import ValueColumn, at_places, missing_classes
from steelyard.model import AnyValue, Array
from steelyard.result.metric_column import MetricColumn
from steelyard.states import ScoreTable
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.curve import AreaView, CurveView
from steelyard.views.scores import ScoreView
from steelyard.views.totals import Totals

FoundValues = ValueColumn | Sequence[AnyValue | AnotherPass]


@metric_class
class ScoreTableMetric(RangeMetric):
    """A fold over ranges of the score table, by slice and rising score.

    part: a function of one range
    join: joins the parts of two neighbouring ranges, the lower first
    value: a function of the joined parts of some slices and of their totals; it is given None for
        slices without a part
    requires: the classes without which there is no value
    """

    part: Callable[..., Any]
    value: Callable[..., Any]
    requires: tuple[str, ...] = ()

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ScoreTable)

    def finish(
        self,
        view: ScoreView,
        parts: SliceParts | None,
        params: dict[str, Any],
        pending: PendingPasses,
    ) -> FoundValues:
        numbers = np.array(list(pending), np.int64)
        requests = list(pending.values())
        return self.values_of(numbers, view.totals.take(numbers), parts, params, requests)

    def values_of(
        self,
        numbers: Array,
        totals: Totals,
        parts: SliceParts | None,
        params: dict[str, Any],
        requests: Sequence[AnotherPass],
    ) -> FoundValues:
        """The values of the slices with these numbers and totals, in this order."""
        whys = missing_classes(totals.positives, totals.negatives, self.requires)
        refused = np.array([why is not None for why in whys.tolist()], bool)
        places = np.flatnonzero(~refused)
        known, columns = np.zeros(len(places), bool), None
        if parts is not None:
            known, columns = parts.of(numbers[places])
        found: list[tuple[Array, Any]] = []
        for chosen, given in ((places[known], columns), (places[~known], None)):
            if len(chosen):
                own = [requests[place] for place in chosen.tolist()]
                found.append((chosen, self.values(given, totals.take(chosen), params, own)))
        if refused.any():
            there = np.flatnonzero(refused)
            reasons = dict(enumerate(whys[there].tolist()))
            found.append((there, MetricColumn(np.full(len(there), np.nan), reasons)))
        return at_places(found, len(numbers))

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        requests: Sequence[AnotherPass],
    ) -> FoundValues:
        """The values of some slices; requests: of each, what its pass was requested with."""
        found: FoundValues = self.value(columns, totals, **params)
        return found


@metric_class
class SlicedScoreTableMetric(EachSlice, ScoreTableMetric):
    """The same slice by slice: the functions are given the rows, the part, the totals of one."""

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        requests: Sequence[AnotherPass],
    ) -> FoundValues:
        parts = [None] * len(requests) if columns is None else columns
        return [
            self.value(part, totals.at(place), **params, **request.value)
            for place, (part, request) in enumerate(zip(parts, requests, strict=True))
        ]


@metric_class
class CurveMetric(ScoreTableMetric):
    """A metric of a curve; its `part` gives the parts of all slices of a range.

    join: the sum unless specified
    influence: a function of the rows with their clusters, and of the value of each line
    """

    influence: Callable[..., Influences] | None = None
    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")
    pass_order = 1

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[Any]:
        return view.curves()

    def part_key(self, params: dict[str, Any]) -> Hashable:
        return self.part, self.join, *params.items()

    def make(
        self, range_: AreaView | CurveView, params: dict[str, Any], pending: PendingPasses
    ) -> SliceParts:
        return SliceParts(range_.slices, self.part(range_, **params))

    def influences(
        self, view: ClusteredScores, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        assert self.influence is not None
        return self.influence(view, view.lines.spread(values.numbers), **params)


@metric_class
class AreaMetric(CurveMetric):
    """A metric of the areas under curves, which needs none of their points."""

    pass_order = 2

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[AreaView]:
        return view.areas()


@metric_class
class SlicedCurveMetric(SlicedScoreTableMetric, CurveMetric):
    """A metric of a curve whose `part` is given the entries of one slice."""

    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")

    def make(
        self, range_: AreaView | CurveView, params: dict[str, Any], pending: PendingPasses
    ) -> SliceParts:
        assert isinstance(range_, CurveView)
        return SliceParts(
            range_.slices, objects(self.part(entries, **params) for entries in range_.each())
        )
