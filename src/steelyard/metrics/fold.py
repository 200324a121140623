"""Metrics that are folds over ranges of a view, and one fold as it runs.

A view is read in ranges of its keys (scores or groups), each with every slice in it. A metric makes
a part for each slice of a range (`parts`); the parts of a slice are joined from range to range
(`join`), and a value is made of the result (`finish`), which may request another pass instead.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.record import Metric, StateSpec, metric_class
from steelyard.model import AnyValue, Array


@dataclass(frozen=True)
class AnotherPass:
    """The request of a metric for one more pass over the ranges of a slice.

    part: further arguments of its `part` in that pass; value: further arguments of its `value`
    """

    part: Mapping[str, Any] = field(default_factory=dict)
    value: Mapping[str, Any] = field(default_factory=dict)


FIRST_PASS = AnotherPass()
PendingPasses = Mapping[int, AnotherPass]  # by the number of a slice


@metric_class
class RangeMetric(Metric):
    """A fold over the ranges of a view.

    join: joins the parts of two ranges of one slice, the lower range first where they are ordered
    """

    join: Callable[[Any, Any], Any]

    def folds(self, params: dict[str, Any]) -> bool:
        return True

    @staticmethod
    @abstractmethod
    def ranges(view: Any) -> Iterator[Any]:
        """The ranges of a view; metrics with the same `ranges` share a pass."""

    @abstractmethod
    def parts(
        self, range_: Any, params: dict[str, Any], pending: PendingPasses
    ) -> tuple[list[int], Sequence[Any] | Array]:
        """The numbers of the slices in a range, and the part of each."""

    def part_key(self, params: dict[str, Any]) -> Hashable:
        """Metrics with equal keys have the same parts, which are made and joined once.

        They need one pass. None: the parts are this metric's own.
        """
        return None

    @abstractmethod
    def finish(
        self, view: Any, number: int, part: Any, params: dict[str, Any]
    ) -> AnyValue | AnotherPass:
        """The value of a slice from its joined parts; part is None for a slice without any."""

    def compute(self, view: Any, params: dict[str, Any]) -> AnyValue:
        raise TypeError(f"{self.name} is a fold over ranges")


class Fold:
    """The fold of one metric, or of some that have the same parts, over the ranges of a view.

    pending: the slices that need a pass; found: of each metric, the values of the other slices
    """

    def __init__(self, metrics: Sequence[BoundMetric], view: Any) -> None:
        first = metrics[0].metric
        assert isinstance(first, RangeMetric)
        self._metrics, self._view = metrics, view
        self._metric, self._params = first, metrics[0].params
        self._parts: dict[int, Any] = {}
        self.pending: dict[int, AnotherPass] = dict.fromkeys(view.slices.tolist(), FIRST_PASS)
        self.found: dict[str, dict[int, AnyValue]] = {bound.name: {} for bound in metrics}

    def take(self, range_: Any) -> None:
        """Join the parts of a range to those of the ranges before it."""
        numbers, parts = self._metric.parts(range_, self._params, self.pending)
        listed = parts.tolist() if isinstance(parts, np.ndarray) else parts
        known, join = self._parts, self._metric.join
        if known.keys().isdisjoint(numbers):
            known.update(zip(numbers, listed, strict=True))
            return
        for number, part in zip(numbers, listed, strict=True):
            known[number] = join(known[number], part) if number in known else part

    def finish(self) -> None:
        """After the last range: the values of the pending slices, or the next pass of each."""
        pending, self.pending = self.pending, {}
        parts, self._parts = self._parts, {}
        for bound in self._metrics:
            assert isinstance(bound.metric, RangeMetric)
            finish, found = bound.metric.finish, self.found[bound.name]
            for number, request in pending.items():
                params = {**bound.params, **request.value} if request.value else bound.params
                value = finish(self._view, number, parts.get(number), params)
                if isinstance(value, AnotherPass):
                    self.pending[number] = value
                else:
                    found[number] = value


def folds(metrics: Sequence[BoundMetric], view: Any) -> list[Fold]:
    """The folds of some metrics; those with the same parts share one."""
    shared: dict[Hashable, list[BoundMetric]] = {}
    for bound in metrics:
        assert isinstance(bound.metric, RangeMetric)
        key = bound.metric.part_key(bound.params)
        shared.setdefault(bound.name if key is None else key, []).append(bound)
    return [Fold(group, view) for group in shared.values()]


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
    return found
