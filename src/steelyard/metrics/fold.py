"""Metrics that are folds over ranges of a view.

A view is read in ranges of its keys (scores or groups), each with some slices. A metric makes the
parts of the slices in a range (`make`); parts of neighbouring ranges are joined (`join`), and the
values of all slices are made of the result (`finish`), which may request another pass instead.
SliceParts are columns, one entry for each slice that a range has.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.ragged import are_equal
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.record import Metric, StateSpec, metric_class
from steelyard.metrics.values import ValueColumn, at_places
from steelyard.model import AnyValue, Array, Mask
from steelyard.result.metric_column import MetricColumn
from steelyard.views.part_columns import PartColumns as PartColumns
from steelyard.views.part_columns import concatenated, take
from steelyard.views.weightings import Weighted, Weighting
from steelyard.views.whole_view import WholeView as WholeView


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass over the ranges, for some slices.

    slices: their numbers
    part, value: further arguments of a metric's `part` and `value`, columns of these slices
    """

    slices: Array
    part: Mapping[str, Array] = field(default_factory=dict)
    value: Mapping[str, PartColumns] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.slices)

    @cached_property
    def _rising(self) -> tuple[Array, Array]:
        order = self.slices.argsort(kind="stable")
        return order, self.slices[order]

    def places_of(self, slices: Array) -> Array:
        """The places of those of some slices, which rise, that are pending.

        The few slices of a range are looked up among the many that are pending, not the other way
        round, which took two minutes more for 10,000 slices in 200 replicates.
        """
        order, rising = self._rising
        found = rising.searchsorted(slices)
        found = found[: found.searchsorted(len(rising))]  # the slices above are not pending
        found = found[rising[found] == slices[: len(found)]]
        return np.sort(order[found])

    def among(self, places: Array) -> "Pass":
        """The same for some of its slices."""
        part, value = (
            {name: take(column, places) for name, column in columns.items()}
            for columns in (self.part, self.value)
        )
        return Pass(self.slices[places], part, value)


class Unfinished(NamedTuple):
    """Values, and the request for one more pass; places: of its slices among the values."""

    values: MetricColumn
    places: Array
    next: Pass


class SliceParts(NamedTuple):
    """The parts of some slices; numbers: of these slices, rising."""

    numbers: Array
    columns: PartColumns

    def among(self, chosen: Mask) -> "SliceParts":
        """The parts of some of these slices."""
        if chosen.all():
            return self
        places = np.flatnonzero(chosen)
        return SliceParts(self.numbers[places], take(self.columns, places))

    def of(self, numbers: Array) -> tuple[Array, PartColumns]:
        """Which of some slices have a part, and the parts of these."""
        if are_equal(numbers, self.numbers):
            return np.ones(len(numbers), bool), self.columns
        places = self.numbers.searchsorted(numbers)
        known = np.append(self.numbers, -1)[places] == numbers
        return known, take(self.columns, places[known])


@metric_class
class RangeMetric(Metric):
    """A fold over the ranges of a view.

    join: joins the parts of the same slices in two ranges, the lower range first where they are
        ordered; it is given columns
    """

    join: Callable[[Any, Any], Any]
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
    def make(self, range_: Any, params: dict[str, Any], pending: Pass) -> SliceParts:
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
        self, view: Any, parts: SliceParts | None, params: dict[str, Any], pending: Pass
    ) -> ValueColumn | Unfinished:
        """The values of the pending slices, in their order; parts: None if no range has any."""


def join(metric: RangeMetric, lower: SliceParts, upper: SliceParts) -> SliceParts:
    """The parts of two neighbouring ranges, or runs of ranges; few slices are in both."""
    if lower.numbers[-1] < upper.numbers[0]:
        both = np.concatenate([lower.numbers, upper.numbers])
        return SliceParts(both, concatenated([lower.columns, upper.columns]))
    common, left, right = np.intersect1d(
        lower.numbers, upper.numbers, assume_unique=True, return_indices=True
    )
    joined = metric.join_columns(take(lower.columns, left), take(upper.columns, right))
    if len(common) == len(lower.numbers) == len(upper.numbers):
        return SliceParts(common, joined)
    mine, yours = (
        np.delete(np.arange(len(side.numbers)), places)
        for side, places in ((lower, left), (upper, right))
    )
    numbers = np.concatenate([lower.numbers[mine], common, upper.numbers[yours]])
    columns = [take(lower.columns, mine), joined, take(upper.columns, yours)]
    order = numbers.argsort()
    return SliceParts(numbers[order], take(concatenated(columns), order))


def join_all(metric: RangeMetric, parts: list[SliceParts]) -> SliceParts | None:
    """The parts of all ranges; joined in pairs, so that few joins have many slices."""
    while len(parts) > 1:
        joined = [join(metric, *both) for both in zip(parts[::2], parts[1::2], strict=False)]
        parts = joined + parts[len(joined) * 2 :]
    return parts[0] if parts else None


@dataclass(frozen=True)
class MakeParts:
    """The task of one pass over a range: the parts of metrics that read the same ranges.

    wanted: metrics, and what is pending for each
    """

    wanted: Sequence[tuple[BoundMetric, Pass]]

    def of_some(self, view: Any, slices: Array) -> list[list[SliceParts]]:
        """The parts of a view that has some slices alone, numbered there by their place.

        slices: their numbers, rising, which the parts have
        """
        return [
            [part._replace(numbers=slices[part.numbers]) for part in parts]
            for parts in self._among(slices)(view)
        ]

    def _among(self, slices: Array) -> "MakeParts":
        """The task for such a view."""
        wanted = []
        for bound, pending in self.wanted:
            some = pending.among(pending.places_of(slices))
            local = Pass(slices.searchsorted(some.slices), some.part, some.value)
            wanted.append((bound, local))
        return MakeParts(wanted)

    def __call__(self, view: Any) -> Iterator[list[SliceParts]]:
        """The parts of each metric in each range of a view, in key order."""
        first = self.wanted[0][0].metric
        assert isinstance(first, RangeMetric)
        # What the first of a range make of its rows (a sort, points of curves) serves the others.
        order = sorted(range(len(self.wanted)), key=lambda n: _pass_order(self.wanted[n][0].metric))
        for range_ in first.ranges(view):
            made = {}
            for place in order:
                bound, pending = self.wanted[place]
                assert isinstance(bound.metric, RangeMetric)
                made[place] = bound.metric.make(range_, bound.params, pending)
            yield [made[place] for place in range(len(order))]


class Ranges(Protocol):
    """One table of a state in ranges of its keys, which an engine has brought together."""

    @property
    def whole(self) -> Any:
        """What is known of all ranges: a view of the whole table where it is held here."""

    def map(self, task: MakeParts) -> Iterator[list[SliceParts]]:
        """What a task makes of each range, in key order."""

    def weighted(
        self, weightings: Sequence[Weighting], hashes: Array, metrics: Sequence[str]
    ) -> Weighted:
        """The table under some weightings.

        hashes: of the keys of clusters, by their numbers; metrics: the names of those to compute
        """


def measured(ranges: Ranges, metrics: Sequence[BoundMetric]) -> list[ValueColumn]:
    """For each metric its value in every slice; all of them read the same ranges."""
    first = metrics[0].metric
    if isinstance(first, RangeMetric) and first.folds(metrics[0].params):
        found = fold(ranges, metrics)
        return [found[bound.name] for bound in metrics]
    view = ranges.whole
    values = [bound.metric.values_in(view, bound.params) for bound in metrics]
    rest = [bound for bound, column in zip(metrics, values, strict=True) if column is None]
    lists: dict[str, list[AnyValue]] = {bound.name: [] for bound in rest}
    if rest:
        for one in view.each():  # slice by slice, so that metrics share what a view caches
            for bound in rest:
                lists[bound.name].append(bound.metric.compute(one, bound.params))
    both = zip(metrics, values, strict=True)
    return [lists[bound.name] if column is None else column for bound, column in both]


def fold(ranges: Ranges, metrics: Sequence[BoundMetric]) -> dict[str, ValueColumn]:
    """The values of metrics that read the same ranges: passes over them while any is pending."""
    whole = ranges.whole
    found: dict[str, list[tuple[Array, ValueColumn]]] = {bound.name: [] for bound in metrics}
    every = np.arange(len(whole.slices))
    waiting = [(group, every, Pass(whole.slices)) for group in _sharing(metrics)]
    while waiting:
        parts: list[list[SliceParts]] = [[] for _ in waiting]
        task = MakeParts([(group[0], pending) for group, _, pending in waiting])
        for of_range in ranges.map(task):
            for made, part in zip(parts, of_range, strict=True):
                made += [part] if len(part.numbers) else []
        again = []
        for (group, places, pending), made in zip(waiting, parts, strict=True):
            joined = join_all(group[0].metric, made)
            for bound in group:
                values = bound.metric.finish(whole, joined, bound.params, pending)
                if isinstance(values, Unfinished):
                    again.append(([bound], places[values.places], values.next))
                    values = values.values
                found[bound.name].append((places, values))
        waiting = again
    return {name: at_places(columns, len(every)) for name, columns in found.items()}


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
