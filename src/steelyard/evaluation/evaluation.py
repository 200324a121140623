"""The values of a plan's metrics in every table, as the columns of a Result."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import phases
from steelyard.cached import cached_property
from steelyard.engines.protocol import Engine, Table
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.division import of_no_weight
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.metrics.record import SCORE, StateSpec
from steelyard.model import (
    AnyValue,
    Array,
    ClassMean,
    Conventions,
    Detailed,
    Key,
    ShapeRow,
    Undefined,
    Value,
)
from steelyard.plan import Plan
from steelyard.reading.clusters import ROW, ClusterNumbers
from steelyard.reading.key_order import KeyTuple
from steelyard.report.classes import ClassTable, class_table
from steelyard.report.groups import GroupTable, group_table
from steelyard.report.tables import TablesOnRequest
from steelyard.result.metric_column import MetricColumn
from steelyard.result.result import Result
from steelyard.result.result_rows import ResultRows
from steelyard.result.sections import ColumnSection, MetricValues, computed
from steelyard.stats.bootstrap import (
    Replicates,
    replicates,
    with_percentiles,
    without_replicates,
)
from steelyard.stats.intervals import intervals, with_cluster_details, with_intervals
from steelyard.stats.poisson_weights import cluster_hashes
from steelyard.stats.variance import spread_of
from steelyard.views.groups import GroupsView
from steelyard.views.sums import SumsView

OF_PRESET = "its number is the preset's, since there is no value"
HELD_FOR_PICTURES = 20_000_000  # rows of all tables: about 240 MB while the result lives


class Evaluation:
    """The metrics of a plan, evaluated on some tables.

    tables: of each, the name of its score, its number, the keys of its slices and its states
    clusters: the keys of clusters, which there are where intervals are requested
    engine: what scanned the rows
    """

    def __init__(
        self,
        todo: Plan,
        conventions: Conventions,
        tables: Sequence[tuple[str, int, Sequence[KeyTuple], Table]],
        clusters: ClusterNumbers,
        engine: Engine,
    ) -> None:
        self.plan = todo
        self.engine = engine
        self.conventions = conventions
        self._unevaluated = tables
        self._clusters = clusters

    def result(self) -> Result:
        """The result; it keeps the states for pictures, unless they hold many rows."""
        sections = [self._section(each) for each in self.tables]
        shapes = [
            row
            for table, section in zip(self.tables, sections, strict=True)
            for row in self._shape_rows(table, section)
        ]
        rows = ResultRows(sections)
        held = sum(sum(section.sample["n"]) for section in sections)
        pictures = self if held <= HELD_FOR_PICTURES else None
        return Result(rows, self.conventions, self.groups(), self._classes(), shapes, pictures)

    def refuse_varying_clusters(self) -> None:
        """Refuse groups that have rows of several clusters, before anything is computed."""
        specs = {bound.state_spec for bound in self.plan.metrics if bound.metric.shape is None}
        totals = [table for _, number, _, table in self._unevaluated if not number]
        each = (self.engine.exchange(table, spec) for table in totals for spec in specs)
        for view in (ranges.whole for ranges in each):
            if isinstance(view, GroupsView):
                _ = view.rows.clusters

    @cached_property
    def tables(self) -> list[EvaluatedTable]:
        names, found = ((), *self.conventions.by), []
        for score, number, keys, table in self._unevaluated:
            drawn = [] if number else [p for p in self.plan.pictures if self._is_drawn(p)]
            metrics = (*self.plan.metrics, *drawn)
            clustered = self.conventions.cluster is not None
            outside = score in self.conventions.not_probabilities
            columns = names[number]
            each = EvaluatedTable(
                score, columns, keys, table, metrics, self.engine, clustered, outside=outside
            )
            found.append(each)
        return found

    def _section(self, table: EvaluatedTable) -> ColumnSection:
        """The columns of one table."""
        sample, resampled = self.sample(table), self.replicates(table)
        values = {}
        metrics = [bound for bound in self.plan.metrics if bound.metric.shape is None]
        for place, bound in enumerate(metrics):
            found = self.column(table, bound, sample)
            values[bound.name] = self._with_interval(table, bound, found, resampled)
            table.keep_views(metrics[place + 1 :])  # they may have as many lines as there are rows
        return ColumnSection(table.score, table.names, list(table.keys), sample, values)

    def _with_interval(
        self,
        table: EvaluatedTable,
        bound: BoundMetric,
        found: MetricValues,
        resampled: Mapping[str, Replicates],
    ) -> MetricValues:
        """The values of a metric with their intervals, where a cluster was given."""
        confidence = self.conventions.confidence
        if confidence is None:
            return found
        if bound.name in resampled:
            return with_percentiles(found, resampled[bound.name], confidence)
        if bound.is_resampled:
            return without_replicates(found, bound.metric.interval.why)
        if bound.cluster_spec is None:
            if self.conventions.cluster == ROW:
                return found
            return with_cluster_details(found, bound.metric.interval, table.cluster_details(bound))
        numbers = computed(found)
        scale, freedom = bound.metric.scale, bound.metric.interval.freedom
        spread = spread_of(table.influences(bound, numbers), freedom).take(table.table.slices)
        ends = intervals(numbers, spread, scale, confidence)
        for place in np.flatnonzero(found.numbers != numbers).tolist():
            if found.numbers[place] == found.numbers[place]:
                ends.whys[place] = OF_PRESET
        return with_intervals(found, ends, spread, scale)

    def replicates(self, table: EvaluatedTable) -> dict[str, Replicates]:
        """The values of metrics in the replicates of a bootstrap, where one is requested."""
        count = self.conventions.bootstrap
        found: dict[str, Replicates] = {}
        if count is not None:
            metrics = [bound for bound in self.plan.metrics if bound.is_resampled]
            metrics = [bound for bound in metrics if table.has_values(bound)]
            for state_spec in dict.fromkeys(bound.state_spec.identity for bound in metrics):
                bounds = [each for each in metrics if each.state_spec.identity == state_spec]
                phases.begin("resampling for", ", ".join(bound.name for bound in bounds))
                ranges = self.engine.exchange(table.table, state_spec)
                found |= replicates(ranges, bounds, self._cluster_hashes, count)
        return found

    @cached_property
    def _cluster_hashes(self) -> Array:
        return cluster_hashes(self._clusters)

    def _shape_rows(self, table: EvaluatedTable, section: ColumnSection) -> Iterator[ShapeRow]:
        """The shapes of one table: slice by slice, metric by metric."""
        shapes = [bound.name for bound in table.metrics if bound.metric.shape is not None]
        if not shapes:  # 200,000 slices are not looked at
            return
        for place, keys in enumerate(table.keys):
            slice_ = dict(zip(table.names, keys, strict=True))
            for name in shapes:
                value: Any = table.values[name][place]
                if self._weighted and not section.sample["weight"][place]:
                    value = of_no_weight(value)
                why = value.why if isinstance(value, Undefined) else None
                yield ShapeRow(
                    name,
                    table.score,
                    None,
                    why,
                    **{name: column[place] for name, column in section.sample.items()},
                    slice=slice_,
                    shape=None if why is not None else value,
                )

    # --- shapes that pictures ask for -------------------------------------------------------------
    @cached_property
    def shape_names(self) -> tuple[str, ...]:
        """The shapes that can be computed from the states."""
        every = self.plan.with_pictures()
        shapes = [b for b in (*every.metrics, *every.pictures) if b.metric.shape is not None]
        return tuple(bound.name for bound in shapes if self.can_make(bound))

    def can_make(self, bound: BoundMetric) -> bool:
        """Whether a metric can be computed from the states, for every score."""
        held = {spec.identity: spec for spec in self.plan.state_specs}
        return _serves(held, bound.state_spec) and self._is_drawn(bound)

    def _is_drawn(self, bound: BoundMetric) -> bool:
        """Whether a score is such as a shape reads: some shapes read probabilities."""
        outside = self.conventions.not_probabilities
        return not bound.required_columns.probability or len(outside) < len(self.conventions.scores)

    def make_shape(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Any:
        """The shape of a score and slice; it is computed for all slices of the `by`, once."""
        found = self._find(score, slice_)
        if bound.name not in found.values:
            found.values.update(found.compute([bound]))
        return found.values[bound.name][found.position(slice_)]

    def make_number(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Value:
        """The value of a score and slice, likewise."""
        return _value(self.make_shape(bound, score, slice_))[0]

    @property
    def _weighted(self) -> bool:
        return "weight" in self.conventions.roles

    def sample(self, table: EvaluatedTable) -> dict[str, list[Any]]:
        """The columns shown with the values of every slice."""
        return _sample(table.table, self.plan)

    def column(
        self, table: EvaluatedTable, bound: BoundMetric, sample: Mapping[str, Sequence[Any]]
    ) -> MetricValues:
        """The values of one metric, as rows show them."""
        measured, weights = table.values[bound.name], sample["weight"]
        plain = bound.metric.function not in self.plan.preset.undefined
        has_weight = not self._weighted or all(weights)
        if isinstance(measured, MetricColumn) and plain and has_weight:
            return MetricValues(measured.numbers, measured.whys, measured.details)
        if not has_weight:
            pairs = zip(measured, weights, strict=True)
            measured = [value if weight else of_no_weight(value) for value, weight in pairs]
        if plain and {float, Undefined}.issuperset(map(type, measured)):
            return MetricValues.of(list(measured))
        if plain:  # quick for many slices: a Detailed is a value and its details already
            shown = [v if type(v) is Detailed else _value(v) for v in measured]
        else:
            shown = [self._shown(bound, *_value(value)) for value in measured]
        return MetricValues.of([value for value, _ in shown], [found for _, found in shown])

    def _shown(
        self, bound: BoundMetric, value: Value, details: Mapping[str, Any]
    ) -> tuple[Value, Mapping[str, Any]]:
        """The value and details of a row: a preset may have a number where there is no value."""
        shown = self.plan.shown_value(bound, value)
        if shown is value or not isinstance(value, Undefined):
            return shown, details
        return shown, {**details, "undefined": value.why}

    # --- tables of groups and classes -------------------------------------------------------------
    def groups(self) -> TablesOnRequest[GroupTable] | None:
        """The tables of groups; None if no metric is a mean over groups."""
        metrics = tuple(b.name for b in self.plan.metrics if isinstance(b.metric, GroupMetric))
        return TablesOnRequest(metrics, self._group_table) if metrics else None

    def _classes(self) -> TablesOnRequest[ClassTable] | None:
        metrics = tuple(self.tables[0].class_means) if self.tables else ()
        return TablesOnRequest(metrics, self._class_table) if metrics else None

    def _find(self, score: str, slice_: Mapping[str, Key]) -> EvaluatedTable:
        return next(t for t in self.tables if t.score == score and t.names == tuple(slice_))

    def _group_table(self, score: str, slice_: Mapping[str, Key]) -> GroupTable:
        found = self._find(score, slice_)
        chosen = np.zeros(0, np.int64)
        if found.has(slice_):
            chosen = found.groups.of_slice(int(found.table.slices[found.position(slice_)]))
        names, values = self.conventions.group, found.group_values
        return group_table(found.groups.rows, chosen, names, values, score=score, slice=slice_)

    def _class_table(self, score: str, slice_: Mapping[str, Key]) -> ClassTable:
        found = self._find(score, slice_)
        position = found.position(slice_)
        cells = None if found.cells is None else found.cells[position]
        values = {name: column[position] for name, column in found.class_means.items()}
        heads = {bound.name: bound.without("average").name for bound in found.metrics}
        return class_table(cells, values, heads, score=score, slice=slice_)


def _serves(held: Mapping[StateSpec, StateSpec], wanted: StateSpec) -> bool:
    """Whether the states, by identity, have what a metric reads, with every term of its sums."""
    found = held.get(wanted.identity)
    return found is not None and found.serving([wanted]) == found


def _value(measured: AnyValue) -> tuple[Value, Mapping[str, Any]]:
    """A value as one number, and its details."""
    if isinstance(measured, float | Undefined):
        return measured, {}
    assert isinstance(measured, ClassMean | Detailed)
    return measured.value, measured.details


def _sample(table: Table, todo: Plan) -> dict[str, list[Any]]:
    """The columns shown with the values of every slice: exact counts, and sums rounded once."""
    view = table.view(todo.sample)
    assert isinstance(view, SumsView)
    sums = view.columns
    rows, weight = sums.counts("rows"), sums["weight"]
    found: dict[str, list[Any]] = {
        "n": rows,
        "dropped": sums.counts("dropped"),
        "weight": sums.rounded(weight),
    }
    if todo.reads == SCORE:
        positives, weighted = sums.counts("positives"), sums["weighted_positives"]
        others = [all_ - up for all_, up in zip(weight, weighted, strict=True)]
        found["positives"] = positives
        found["negatives"] = [all_ - up for all_, up in zip(rows, positives, strict=True)]
        found["weighted_positives"] = sums.rounded(weighted)
        found["weighted_negatives"] = sums.rounded(others)
    if todo.reads == SCORE or todo.required_columns.numbers:
        name = "prediction_sum" if todo.reads == SCORE else "number_sum"
        found["prediction_sum"] = sums.rounded(sums[name])
        found["weighted_prediction_sum"] = sums.rounded(sums[f"weighted_{name}"])
    return found
