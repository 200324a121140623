"""Metrics that are folds over ranges of a view.

A view is read in ranges of its keys (scores or groups), each with some slices. A metric makes the
parts of the slices in a range (`make`); parts of neighbouring ranges are joined (`join`), and the
values of all slices are made of the result (`finish`), which may request another pass instead.
SliceParts are columns, one entry for each slice that a range has.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.record import Metric, StateSpec, metric_class
from steelyard.metrics.values import ValueColumn
from steelyard.model import AnyValue, Array, Mask


@dataclass(frozen=True)
class AnotherPass:
    """The request of a metric for one more pass over the ranges of a slice.

    part: further arguments of its `part` in that pass; value: further arguments of its `value`
    """

    part: Mapping[str, Any] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)


FIRST_PASS = AnotherPass()
PendingPasses = Mapping[int, AnotherPass]  # by the number of a slice
# An array, or a NamedTuple of columns; a field that is no column is about all slices.
PartColumns = Any


class SliceParts(NamedTuple):
    """The parts of some slices; numbers: of these slices, rising."""

    numbers: Array
    columns: PartColumns

    def among(self, chosen: Mask) -> "SliceParts":
        """The parts of some of these slices."""
        if chosen.all():
            return self
        places = np.flatnonzero(chosen)
        return SliceParts(self.numbers[places], _take(self.columns, places))

    def of(self, numbers: Array) -> tuple[Array, PartColumns]:
        """Which of some slices have a part, and the parts of these."""
        places = self.numbers.searchsorted(numbers)
        known = np.append(self.numbers, -1)[places] == numbers
        return known, _take(self.columns, places[known])


@metric_class
class RangeMetric(Metric):
    """A fold over the ranges of a view.

    join: joins the parts of the same slices in two ranges, the lower range first where they are
        ordered; it is given columns
    sorts: whether it sorts the rows of a range: others, made later, need not sort them again
    """

    join: Callable[[Any, Any], Any]
    sorts: bool = False
    # Passes over one view are in this order: what the first of them make of the rows (a sort, the
    # points of curves) serves the later ones.
    pass_order = 0

    def folds(self, params: dict[str, Any]) -> bool:
        return True

    @staticmethod
    @abstractmethod
    def ranges(view: Any) -> Iterator[Any]:
        """The ranges of a view; metrics with the same `ranges` share a pass."""

    @abstractmethod
    def make(self, range_: Any, params: dict[str, Any], pending: PendingPasses) -> SliceParts:
        """The parts of the slices in a range."""

    def join_columns(self, lower: PartColumns, upper: PartColumns) -> PartColumns:
        return self.join(lower, upper)

    def part_key(self, params: dict[str, Any]) -> Hashable:
        """Metrics with equal keys have the same parts, which are made and joined once.

        They need one pass. None: the parts are this metric's own.
        """
        return None

    @abstractmethod
    def finish(
        self, view: Any, parts: SliceParts | None, params: dict[str, Any], pending: PendingPasses
    ) -> ValueColumn | Sequence[AnyValue | AnotherPass]:
        """The values of the pending slices, in their order; parts: None if no range has any."""


def join(metric: RangeMetric, lower: SliceParts, upper: SliceParts) -> SliceParts:
    """The parts of two neighbouring ranges, or runs of ranges; few slices are in both."""
    if lower.numbers[-1] < upper.numbers[0]:
        both = np.concatenate([lower.numbers, upper.numbers])
        return SliceParts(both, _concatenate([lower.columns, upper.columns]))
    common, left, right = np.intersect1d(
        lower.numbers, upper.numbers, assume_unique=True, return_indices=True
    )
    joined = metric.join_columns(_take(lower.columns, left), _take(upper.columns, right))
    if len(common) == len(lower.numbers) == len(upper.numbers):
        return SliceParts(common, joined)
    mine, yours = (
        np.delete(np.arange(len(side.numbers)), places)
        for side, places in ((lower, left), (upper, right))
    )
    numbers = np.concatenate([lower.numbers[mine], common, upper.numbers[yours]])
    columns = [_take(lower.columns, mine), joined, _take(upper.columns, yours)]
    order = numbers.argsort()
    return SliceParts(numbers[order], _take(_concatenate(columns), order))


def join_all(metric: RangeMetric, parts: list[SliceParts]) -> SliceParts | None:
    """The parts of all ranges; joined in pairs, so that few joins have many slices."""
    while len(parts) > 1:
        joined = [join(metric, *both) for both in zip(parts[::2], parts[1::2], strict=False)]
        parts = joined + parts[len(joined) * 2 :]
    return parts[0] if parts else None


def _take(columns: PartColumns, places: Array) -> PartColumns:
    if isinstance(columns, np.ndarray):
        return columns[places]
    if isinstance(columns, tuple):
        return type(columns)(*(_take(column, places) for column in columns))
    return columns


def _concatenate(columns: Sequence[PartColumns]) -> PartColumns:
    first = columns[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(columns)
    if isinstance(first, tuple):
        return type(first)(*(_concatenate(each) for each in zip(*columns, strict=True)))
    return next((each for each in columns if each), first)


def fold(view: Any, metrics: Sequence[BoundMetric]) -> dict[str, ValueColumn]:
    """The values of metrics that read the same ranges: passes over them while any is pending."""
    first = metrics[0].metric
    assert isinstance(first, RangeMetric)
    found: dict[str, Any] = {}
    every = dict.fromkeys(view.slices.tolist(), FIRST_PASS)
    waiting = [(group, every) for group in _sharing(metrics)]
    while waiting:
        parts: list[list[SliceParts]] = [[] for _ in waiting]
        both = list(zip(waiting, parts, strict=True))
        both.sort(key=lambda each: not each[0][0][0].metric.sorts)
        for range_ in first.ranges(view):
            for (group, pending), made in both:
                part = group[0].metric.make(range_, group[0].params, pending)
                made += [part] if len(part.numbers) else []
        again = []
        for (group, pending), made in zip(waiting, parts, strict=True):
            joined = join_all(group[0].metric, made)
            for bound in group:
                values = bound.metric.finish(view, joined, bound.params, pending)
                found[bound.name], rest = _with_known(found.get(bound.name), values, pending)
                again += [([bound], rest)] if rest else []
        waiting = again
    return {
        name: values if not isinstance(values, dict) else [values[n] for n in every]
        for name, values in found.items()
    }


def _with_known(
    known: dict[int, Any] | None, values: Any, pending: PendingPasses
) -> tuple[Any, dict[int, AnotherPass]]:
    """The values found so far, and the slices that need another pass."""
    if known is None and not (
        isinstance(values, list) and any(isinstance(each, AnotherPass) for each in values)
    ):
        return values, {}
    found = (known or {}) | dict(zip(pending, values, strict=True))
    return found, {n: value for n, value in found.items() if isinstance(value, AnotherPass)}


def _sharing(metrics: Sequence[BoundMetric]) -> list[list[Any]]:
    """The metrics with the same parts."""
    shared: dict[Hashable, list[BoundMetric]] = {}
    for bound in metrics:
        assert isinstance(bound.metric, RangeMetric)
        key = bound.metric.part_key(bound.params)
        shared.setdefault(bound.name if key is None else key, []).append(bound)
    return list(shared.values())


def passes(
    metrics: Iterable[BoundMetric],
) -> dict[tuple[StateSpec, Any], list[BoundMetric]]:
    """The metrics of each pass: those that read the same ranges of the same state."""
    found: dict[tuple[StateSpec, Any], list[BoundMetric]] = {}
    for bound in metrics:
        metric, ranges = bound.metric, None
        if isinstance(metric, RangeMetric) and metric.folds(bound.params):
            ranges = metric.ranges
        found.setdefault((bound.state_spec.identity, ranges), []).append(bound)
    return dict(sorted(found.items(), key=lambda each: _pass_order(each[1][0].metric)))


def _pass_order(metric: Metric) -> int:
    return metric.pass_order if isinstance(metric, RangeMetric) else 0
