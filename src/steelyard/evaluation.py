"""The numbers of a job: the values of every table's slices, as the columns of a Result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from steelyard import plan
from steelyard.engines.memory import ENGINE
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.metrics.record import SCORE
from steelyard.model import (
    AnyValue,
    Array,
    ClassMean,
    Conventions,
    Detailed,
    Key,
    Undefined,
    Value,
)
from steelyard.plan import Plan, Table
from steelyard.reading.key_order import KeyTuple
from steelyard.report.classes import ClassTable, class_table
from steelyard.report.groups import GroupTable, group_table
from steelyard.report.tables import TablesOnRequest
from steelyard.result import Result
from steelyard.rows import ColumnSection, MetricValues, ResultRows
from steelyard.views.classes import ClassCells
from steelyard.views.groups import GroupsView
from steelyard.views.sums import CellsView, SumsView


@dataclass(frozen=True)
class EvaluatedTable:
    """The values of one table: of a score, and of the total or of a `by`."""

    score: str
    names: tuple[str, ...]
    keys: Sequence[KeyTuple]
    table: Table
    metrics: Sequence[BoundMetric]
    values: Mapping[str, list[AnyValue]]

    def place(self, slice_: Mapping[str, Key]) -> int:
        """Where a slice stands."""
        return self._places[tuple(slice_[name] for name in self.names)]

    @cached_property
    def _places(self) -> dict[KeyTuple, int]:
        return {key: place for place, key in enumerate(self.keys)}

    @property
    def class_means(self) -> dict[str, list[Any]]:
        """The metrics that are means over classes."""
        return {
            name: column
            for name, column in self.values.items()
            if column and isinstance(column[0], ClassMean)
        }

    @cached_property
    def groups(self) -> GroupsView:
        """The groups of all slices, sorted once however many tables are asked for."""
        view = ENGINE.exchange(self.table, plan.GROUPS)
        assert isinstance(view, GroupsView)
        return view

    @cached_property
    def group_values(self) -> dict[str, Array]:
        """What each group has, by the metrics that are means over groups."""
        return {
            bound.name: bound.metric.measure(self.groups.rows, bound.params).shown
            for bound in self.metrics
            if isinstance(bound.metric, GroupMetric)
        }

    @cached_property
    def cells(self) -> list[ClassCells] | None:
        """The cells of classes of each slice, where some metric reads them."""
        if plan.CELLS.identity not in self.table.states:
            return None
        view = ENGINE.exchange(self.table, plan.CELLS)
        assert isinstance(view, CellsView)
        return view.cells


class Evaluation:
    """What a plan's metrics come to on some tables."""

    def __init__(
        self,
        todo: Plan,
        conventions: Conventions,
        tables: Sequence[tuple[str, int, Sequence[KeyTuple], Table]],
    ) -> None:
        self.plan = todo
        self.conventions = conventions
        self._given = tables

    def result(self) -> Result:
        rows = ResultRows(self._section(each) for each in self._tables)
        return Result(rows, self.conventions, self._groups(), self._classes())

    @cached_property
    def _tables(self) -> list[EvaluatedTable]:
        return list(self._measured())

    def _measured(self) -> Iterator[EvaluatedTable]:
        names = ((), *self.conventions.by)
        for score, number, keys, table in self._given:
            columns = plan.values(self.plan.metrics, table, ENGINE)
            found = {b.name: c for b, c in zip(self.plan.metrics, columns, strict=True)}
            yield EvaluatedTable(score, names[number], keys, table, self.plan.metrics, found)

    def _section(self, of: EvaluatedTable) -> ColumnSection:
        """The columns of one table."""
        values = {
            bound.name: self._column(bound, of.values[bound.name]) for bound in self.plan.metrics
        }
        sample = _sample(of.table, self.plan)
        return ColumnSection(of.score, of.names, list(of.keys), sample, values)

    def _column(self, bound: BoundMetric, measured: list[AnyValue]) -> MetricValues:
        """One metric's values, as rows show them."""
        plain = bound.metric.function not in self.plan.preset.undefined
        if plain and {float, Undefined}.issuperset(map(type, measured)):
            return MetricValues.plain(measured)
        return MetricValues.of([self._shown(bound, *_value(value)) for value in measured])

    def _shown(
        self, bound: BoundMetric, value: Value, details: Mapping[str, Any]
    ) -> tuple[Value, Mapping[str, Any]]:
        """The value that a row shows: a preset may have one where there is none."""
        given = self.plan.instead(bound, value)
        if given is value or not isinstance(value, Undefined):
            return given, details
        return given, {**details, "undefined": value.why}

    # --- tables beside the rows ------------------------------------------------------------------
    def _groups(self) -> TablesOnRequest[GroupTable] | tuple[()]:
        metrics = tuple(b.name for b in self.plan.metrics if isinstance(b.metric, GroupMetric))
        return TablesOnRequest(metrics, self._group_table) if metrics else ()

    def _classes(self) -> TablesOnRequest[ClassTable] | tuple[()]:
        metrics = tuple(self._tables[0].class_means) if self._tables else ()
        return TablesOnRequest(metrics, self._class_table) if metrics else ()

    def _find(self, score: str, slice_: Mapping[str, Key]) -> EvaluatedTable:
        return next(t for t in self._tables if t.score == score and t.names == tuple(slice_))

    def _group_table(self, score: str, slice_: Mapping[str, Key]) -> GroupTable:
        of = self._find(score, slice_)
        chosen = of.groups.of_slice(int(of.table.slices[of.place(slice_)]))
        names, values = self.conventions.group, of.group_values
        return group_table(of.groups.rows, chosen, names, values, score=score, slice=slice_)

    def _class_table(self, score: str, slice_: Mapping[str, Key]) -> ClassTable:
        of = self._find(score, slice_)
        place = of.place(slice_)
        cells = None if of.cells is None else of.cells[place]
        values = {name: column[place] for name, column in of.class_means.items()}
        return class_table(cells, values, score=score, slice=slice_)


def _value(measured: AnyValue) -> tuple[Value, Mapping[str, Any]]:
    """A value that fits a row, and what else there is to say."""
    if isinstance(measured, float | Undefined):
        return measured, {}
    assert isinstance(measured, ClassMean | Detailed)
    return measured.value, measured.details


def _sample(table: Table, todo: Plan) -> dict[str, list[Any]]:
    """What stands beside each number of a slice: counts as they are, sums rounded once."""
    view = ENGINE.exchange(table, todo.sample)
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
