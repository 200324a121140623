"""Metrics of the score table: the rows of each slice in the order of their scores."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from operator import add
from typing import Any

import numpy as np

from steelyard.kernels.ragged import are_equal
from steelyard.metrics.each_slice import EachSlice, objects
from steelyard.metrics.fold import PartColumns, Pass, RangeMetric, SliceParts, Unfinished
from steelyard.metrics.influence import Influences, SliceValues
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.values import ValueColumn, at_places, missing_classes
from steelyard.model import Array
from steelyard.reading.batch import required
from steelyard.result.metric_column import MetricColumn
from steelyard.states import ScoreTable
from steelyard.views.clustered_scores import ClusteredScores, LineSides, sides_of
from steelyard.views.clusters import LineSums
from steelyard.views.context import LineSteps
from steelyard.views.curve import AreaView, CurveView
from steelyard.views.scores import ScoreView
from steelyard.views.totals import Totals

FoundValues = ValueColumn | Unfinished


@metric_class
class ScoreTableMetric(RangeMetric):
    """A fold over ranges of the score table, by slice and rising score.

    part: a function of one range
    join: joins the parts of two neighbouring ranges, the lower first
    value: a function of the joined parts of some slices and of their totals; it is given None for
        slices without a part
    requires: the classes without which there is no value
    by_line: exact sums by slice and cluster, see `LineSteps`: a function of rows with their
        clusters and of the values
    influence: the influence values, a function of these sums and of the values
    """

    part: Callable[..., Any]
    value: Callable[..., Any]
    by_line: Callable[..., LineSteps] | None = None
    influence: Callable[..., Influences] | None = None
    requires: tuple[str, ...] = ()

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(ScoreTable)

    def line_sums(
        self, view: ClusteredScores, params: dict[str, Any], values: SliceValues
    ) -> LineSums | LineSteps:
        return required(self.by_line)(view, values, **params)

    def influences_of(
        self, sums: LineSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        return required(self.influence)(sums, values, **params)

    def finish(
        self,
        view: ScoreView,
        parts: SliceParts | None,
        params: dict[str, Any],
        pending: Pass,
    ) -> FoundValues:
        totals = view.totals.take(pending.slices)
        return self.values_of(pending, totals, parts, params)

    def values_of(
        self, pending: Pass, totals: Totals, parts: SliceParts | None, params: dict[str, Any]
    ) -> FoundValues:
        """The values of the pending slices with these totals, in this order."""
        whole = parts is not None and are_equal(pending.slices, parts.numbers)
        if parts is not None and whole and totals.have_both_classes:
            return self._values_of_all(pending, totals, parts, params)
        whys = missing_classes(totals.positives, totals.negatives, self.requires)
        refused = np.array([why is not None for why in whys.tolist()], bool)
        places = np.flatnonzero(~refused)
        known, columns = np.zeros(len(places), bool), None
        if parts is not None:
            known, columns = parts.of(pending.slices[places])
        found: list[tuple[Array, ValueColumn]] = []
        rest: Unfinished | None = None
        for chosen, given in ((places[known], columns), (places[~known], None)):
            if len(chosen):
                further = pending.among(chosen).value if pending.value else {}
                made = self.values(given, totals.take(chosen), params, further)
                if isinstance(made, Unfinished):
                    of_slices = chosen[made.places]
                    request = replace(made.next, slices=pending.slices[of_slices])
                    rest, made = Unfinished(made.values, of_slices, request), made.values
                found.append((chosen, made))
        if refused.any():
            there = np.flatnonzero(refused)
            reasons = dict(enumerate(whys[there].tolist()))
            found.append((there, MetricColumn(np.full(len(there), np.nan), reasons)))
        values = at_places(found, len(pending))
        if rest is None:
            return values
        assert isinstance(values, MetricColumn)
        return rest._replace(values=values)

    def _values_of_all(
        self, pending: Pass, totals: Totals, parts: SliceParts, params: dict[str, Any]
    ) -> FoundValues:
        """The same where each slice has both classes and a part."""
        made = self.values(parts.columns, totals, params, pending.value)
        if isinstance(made, Unfinished):
            request = replace(made.next, slices=pending.slices[made.places])
            return made._replace(next=request)
        return made

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        further: Mapping[str, PartColumns],
    ) -> FoundValues:
        """The values of some slices; further: what a pass that is not the first was given."""
        found: FoundValues = self.value(columns, totals, **params, **further)
        return found


@metric_class
class SlicedScoreTableMetric(EachSlice, ScoreTableMetric):
    """The same slice by slice: the functions are given the rows, the part, the totals of one."""

    def values(
        self,
        columns: PartColumns,
        totals: Totals,
        params: dict[str, Any],
        further: Mapping[str, PartColumns],
    ) -> FoundValues:
        parts = [None] * len(totals.positives) if columns is None else columns
        return [self.value(part, totals.at(place), **params) for place, part in enumerate(parts)]


@metric_class
class CurveMetric(ScoreTableMetric):
    """A metric of a curve; its `part` gives the parts of all slices of a range.

    join: the sum unless specified
    """

    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")
    pass_order = 1

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[Any]:
        return view.curves()

    def part_key(self, params: dict[str, Any]) -> Hashable:
        return self.part, self.join, *params.items()

    def make(
        self, range_: AreaView | CurveView, params: dict[str, Any], pending: Pass
    ) -> SliceParts:
        return SliceParts(range_.slices, self.part(range_, **params))


@metric_class
class AreaMetric(CurveMetric):
    """A metric of the areas under curves, which needs none of their points.

    quotient: numerator and denominator of the value, where it is a quotient of whole numbers: a
        function of twice the area and of the weight of all pairs, of one slice or of columns
    influence: a function of the sums of both classes by line, and of the value of each line
    """

    quotient: Callable[[Any, Any], tuple[Any, Any]] | None = None
    pass_order = 2

    @staticmethod
    def ranges(view: ScoreView) -> Iterator[AreaView]:
        return view.areas()

    def line_sums(
        self, view: ClusteredScores, params: dict[str, Any], values: SliceValues
    ) -> LineSums:
        return view.line_sums

    def influences_of(
        self, sums: LineSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        rows = LineSides(sums.lines, sides_of(sums))
        return required(self.influence)(rows, sums.lines.spread(values.numbers), **params)


@metric_class
class SlicedValueMetric(SlicedScoreTableMetric, CurveMetric):
    """A metric of a curve whose parts and values are Python objects, one for each slice."""

    join: Callable[[Any, Any], Any] = add
    requires: tuple[str, ...] = ("positives", "negatives")


@metric_class
class SlicedCurveMetric(SlicedValueMetric):
    """The same, whose `part` is given the entries of one slice."""

    def make(
        self, range_: AreaView | CurveView, params: dict[str, Any], pending: Pass
    ) -> SliceParts:
        assert isinstance(range_, CurveView)
        return SliceParts(
            range_.slices, objects(self.part(entries, **params) for entries in range_.each())
        )
