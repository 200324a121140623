"""The values of one table, and the influences of its clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steelyard import errors, phases, plan
from steelyard.cached import cached_property
from steelyard.engines import run
from steelyard.engines.protocol import Engine, LineParts, Table
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.class_metrics import CELLS
from steelyard.metrics.fold import Ranges, WholeView
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.metrics.influence import Influences, SliceValues, of_no_lines
from steelyard.metrics.record import StateSpec
from steelyard.metrics.values import ValueColumn
from steelyard.model import Array, ClassMean, Floats, Key, Undefined
from steelyard.phrases import phrase
from steelyard.reading.key_order import KeyTuple
from steelyard.result.metric_column import MetricColumn
from steelyard.states import Groups
from steelyard.states.groups.group_chunks import GroupNumbers
from steelyard.views.classes import ClassCells
from steelyard.views.clusters import joined_lines
from steelyard.views.groups import GroupsView
from steelyard.views.sums import CellsView
from steelyard.views.view_of import ClusterView

OUTSIDE = "scores outside 0 to 1 are no probabilities"


@dataclass(frozen=True)
class EvaluatedTable:
    """The values of one table: that of a score, and of the total or one `by`.

    names: the columns of the `by`; keys: the keys of its slices, in order
    engine: what exchanged its rows
    clustered: whether influences are read
    cluster_views: states by cluster, each sorted and numbered once for all metrics
    outside: whether a score is outside 0 to 1: metrics of probabilities have no value then
    """

    score: str
    names: tuple[str, ...]
    keys: Sequence[KeyTuple]
    table: Table
    metrics: Sequence[BoundMetric]
    engine: Engine
    clustered: bool = False
    cluster_views: dict[StateSpec, ClusterView | LineParts] = field(default_factory=dict)
    outside: bool = False

    @cached_property
    def values(self) -> dict[str, ValueColumn]:
        """Of each metric, its value in every slice; shapes are added when pictures ask for them."""
        known: dict[StateSpec, Ranges] = {**self._groups_view()}
        found = self.compute(self.metrics, known)
        if self.clustered:  # groups are sorted already
            wholes = ((spec, ranges.whole) for spec, ranges in known.items())
            groups = {spec: whole for spec, whole in wholes if isinstance(whole, GroupsView)}
            self.cluster_views.update(groups)
        return found

    def compute(
        self, metrics: Sequence[BoundMetric], known: dict[StateSpec, Ranges] | None = None
    ) -> dict[str, ValueColumn]:
        """The values of some metrics in every slice; known: the ranges that there are already."""
        computed = [bound for bound in metrics if self.has_values(bound)]
        columns = run.values(computed, self.table, self.engine, known)
        found = dict(zip((bound.name for bound in computed), columns, strict=True))
        none: ValueColumn = [Undefined(OUTSIDE)] * len(self.table.slices)
        return {bound.name: found.get(bound.name, none) for bound in metrics}

    def has_values(self, bound: BoundMetric) -> bool:
        """Whether scores are such as the metric reads."""
        return not (self.outside and bound.required_columns.probability)

    def influences(self, bound: BoundMetric, numbers: Floats) -> Influences:
        """The influence of each cluster on a metric; numbers: its value in each slice shown."""
        assert bound.cluster_spec is not None
        if not self.has_values(bound):
            return of_no_lines(self.table.size)
        phases.begin("interval of", bound.name)
        values = self.values[bound.name]
        by_number = np.full(self.table.size, np.nan)
        by_number[self.table.slices] = numbers
        found = dict(zip(self.table.slices.tolist(), values, strict=True))
        slice_values = SliceValues(by_number, found)
        view = self._cluster_view(bound.cluster_spec)
        if isinstance(view, LineParts):
            parts = view.line_sums(bound, slice_values)
            if not parts:  # no rows
                return of_no_lines(self.table.size)
            sums = joined_lines(parts, self.table.size)
            return bound.metric.influences_of(sums, bound.params, slice_values)
        return bound.metric.influences(view, bound.params, slice_values)

    def cluster_details(self, bound: BoundMetric) -> dict[str, Floats]:
        """Details of a metric that hold for rows of clusters, for each slice shown."""
        if bound.details_spec is None or not self.has_values(bound):
            return {}
        view = self._cluster_view(bound.details_spec)
        if isinstance(view, LineParts):
            parts = view.line_sums(bound, None)
            if not parts:  # no rows
                return {}
            sums = joined_lines(parts, self.table.size)
        else:
            sums = bound.metric.detail_sums(view, bound.params)
        found = bound.metric.details_of(sums, bound.params)
        return {name: column[self.table.slices] for name, column in found.items()}

    def _cluster_view(self, spec: StateSpec) -> ClusterView | LineParts:
        if spec.identity not in self.cluster_views:
            self.cluster_views[spec.identity] = self.engine.exchange_clusters(self.table, spec)
        return self.cluster_views[spec.identity]

    def keep_views(self, metrics: Sequence[BoundMetric]) -> None:
        """Let go of states by cluster that none of these metrics reads."""
        specs = (spec for bound in metrics for spec in (bound.cluster_spec, bound.details_spec))
        read = {spec.identity for spec in specs if spec is not None}
        for identity in self.cluster_views.keys() - read:
            del self.cluster_views[identity]

    def _groups_view(self) -> dict[StateSpec, Ranges]:
        """The view of groups by cluster, if there is one: it serves values too."""
        view = self.cluster_views.get(plan.GROUPS.identity)
        return {plan.GROUPS.identity: WholeView(view)} if isinstance(view, GroupsView) else {}

    def number_groups_as(self, known: GroupNumbers | None) -> None:
        """Let the groups have the numbers of another score's, if its rows have the same keys."""
        state = self.table.states.get(plan.GROUPS.identity)
        if known is not None and isinstance(state, Groups):
            state.joined().number_as(known)

    @property
    def group_numbers(self) -> GroupNumbers | None:
        """The numbers of the groups, if some metric reads them."""
        state = self.table.states.get(plan.GROUPS.identity)
        return state.joined().numbers if isinstance(state, Groups) else None

    def has(self, slice_: Mapping[str, Key]) -> bool:
        """Whether there is such a slice: of two logs, one may not have it."""
        return tuple(slice_[name] for name in self.names) in self._positions

    def position(self, slice_: Mapping[str, Key]) -> int:
        """The position of a slice in the order of keys."""
        return self._positions[tuple(slice_[name] for name in self.names)]

    @cached_property
    def _positions(self) -> dict[KeyTuple, int]:
        return {key: position for position, key in enumerate(self.keys)}

    @property
    def class_means(self) -> dict[str, Any]:
        """The values of metrics that are means over classes."""
        return {
            name: column
            for name, column in self.values.items()
            if not isinstance(column, MetricColumn) and column and isinstance(column[0], ClassMean)
        }

    @cached_property
    def groups(self) -> GroupsView:
        """The groups of all slices, sorted once for all tables of groups."""
        view = self.engine.exchange(self.table, plan.GROUPS).whole
        if not isinstance(view, GroupsView):
            raise errors.NOT_BY_PARTS(what=phrase("a table of groups"))
        return view

    @cached_property
    def group_values(self) -> dict[str, Array]:
        """The value of each group, for the metrics that are means over groups."""
        return {
            bound.name: bound.metric.measure(self.groups.rows, bound.params).shown
            for bound in self.metrics
            if isinstance(bound.metric, GroupMetric)
        }

    @cached_property
    def cells(self) -> list[ClassCells] | None:
        """The class cells of each slice, if some metric reads them."""
        if CELLS.identity not in self.table.states:
            return None
        view = self.table.view(CELLS)
        assert isinstance(view, CellsView)
        return view.cells
