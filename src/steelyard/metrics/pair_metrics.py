"""Metrics of pairs of truth and prediction: ranks and medians, as folds over ranges of rows."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from operator import add
from typing import Any

import numpy as np

from steelyard.kernels.ragged import are_equal
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.fold import PartColumns, Pass, RangeMetric, SliceParts, Unfinished
from steelyard.metrics.influence import ORDER, Interval
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.regression_metrics import RegressionMetric
from steelyard.metrics.values import ValueColumn, at_places, root_quotient_values, without
from steelyard.model import Array
from steelyard.result.metric_column import MetricColumn
from steelyard.states import Pairs
from steelyard.views.pairs import PairsView
from steelyard.views.part_columns import take

SAME_TRUTH = "every truth is the same"
SAME_PREDICTION = "every prediction is the same"


@metric_class
class PairMetric(RegressionMetric):
    """A metric of ranks or medians."""

    interval: Interval = ORDER

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(Pairs)


@metric_class
class WholePairMetric(PairMetric):
    """A metric that needs all rows together: no ranges have parts that add up to it.

    values: a function of the view, the values of all slices; those without rows have none
    """

    values: Callable[[PairsView], MetricColumn]

    def values_in(self, view: PairsView, params: dict[str, Any]) -> MetricColumn:
        found, empty = self.values(view), np.flatnonzero(view.sizes == 0).tolist()
        return without(found, dict.fromkeys(empty, NO_ROWS))


@metric_class
class PairFold(PairMetric, RangeMetric):
    """A fold over ranges of errors |p − y|; a slice without a part has no rows."""

    @staticmethod
    def ranges(view: PairsView) -> Iterator[PairsView]:
        yield view

    @abstractmethod
    def values(
        self, columns: PartColumns, params: dict[str, Any], pending: Pass
    ) -> ValueColumn | Unfinished:
        """The values of the pending slices, which have these parts."""

    def finish(
        self, view: Any, parts: SliceParts | None, params: dict[str, Any], pending: Pass
    ) -> ValueColumn | Unfinished:
        if parts is not None and are_equal(parts.numbers, pending.slices):
            return self.values(parts.columns, params, pending)
        known, columns = np.zeros(len(pending), bool), None
        if parts is not None:
            known, columns = parts.of(pending.slices)
        some, none = np.flatnonzero(known), np.flatnonzero(~known)
        whys = dict.fromkeys(range(len(none)), NO_ROWS)
        found: list[tuple[Array, ValueColumn]]
        found = [(none, MetricColumn(np.full(len(none), np.nan), whys))]
        if not len(some):
            return found[0][1]
        made = self.values(columns, params, pending.among(some))
        if not isinstance(made, Unfinished):
            return at_places([*found, (some, made)], len(pending))
        values = at_places([*found, (some, made.values)], len(pending))
        assert isinstance(values, MetricColumn)
        return Unfinished(values, some[made.places], made.next)


@metric_class
class ErrorFold(PairFold):
    """A fold whose parts are a tuple of columns.

    part: a function of a range, by slice number; value: a function of the joined parts
    """

    part: Callable[[PairsView], Any]
    value: Callable[[Any], MetricColumn]

    def make(self, range_: PairsView, params: dict[str, Any], pending: Pass) -> SliceParts:
        columns, present = self.part(range_), range_.present
        return SliceParts(present, columns if range_.is_full else take(columns, present))

    def values(self, columns: PartColumns, params: dict[str, Any], pending: Pass) -> MetricColumn:
        return self.value(columns)


@metric_class
class RankFold(ErrorFold):
    """The same over ranges of predictions, whose rows have the rank of their truth."""

    @staticmethod  # another function than that of errors, so that the two do not share a pass
    def ranges(view: PairsView) -> Iterator[PairsView]:
        yield view


def added(lower: Any, upper: Any) -> Any:
    """The sums of two tuples of columns."""
    return type(lower)(*map(add, lower, upper))


def correlations(both: Array, truth: Array, prediction: Array) -> MetricColumn:
    """both / √(truth · prediction), each of exact columns; none where one of them varies not."""
    same = np.flatnonzero((truth == 0) | (prediction == 0)).tolist()
    whys = {place: SAME_PREDICTION if truth[place] else SAME_TRUTH for place in same}
    return root_quotient_values(both, truth * prediction, whys)
