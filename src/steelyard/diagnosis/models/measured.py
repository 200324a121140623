"""A metric of some rows of a log, as `evaluate` computes it: its value and its influences."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np

from steelyard import phases
from steelyard.cached import cached_property
from steelyard.diagnosis.two_logs.reading import OF_GROUPS
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.engines.protocol import Table
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import Influences
from steelyard.metrics.record import StateSpec
from steelyard.model import Array, Detailed, Floats, Mask, Undefined, Value
from steelyard.reading.batch import Batch
from steelyard.reading.clusters import ClusterCodes
from steelyard.reading.grouping import GroupColumns, RowKeys
from steelyard.reading.slices import KeyNumbers, Slices
from steelyard.states.base import TOTAL_SLICE
from steelyard.stats.differences import Change
from steelyard.stats.variance import spread_of
from steelyard.views.clusters import ClusterLines

EVALUATED_AS = {"ctr": "prevalence"}


def bound_metric(two: TwoLogs, metric: str) -> BoundMetric:
    """The metric of that name; that of groups has the parameters of the request."""
    if metric in OF_GROUPS:
        assert two.bound is not None
        return two.bound
    return catalogue.resolve(EVALUATED_AS.get(metric, metric))


class MeasuredRows:
    """A metric of all rows of a log, or of some of them."""

    def __init__(self, two: TwoLogs, log: LogRows, bound: BoundMetric) -> None:
        self._clusters, self._bound = two.cluster_count, bound
        specs = [bound.state_spec, *([] if bound.cluster_spec is None else [bound.cluster_spec])]
        self._table = EvaluatedTable(
            "",
            (),
            [()],
            table_of(two, log, specs),
            [bound],
            two.engine,
            clustered=True,
            outside=log.probability is None,
        )

    @cached_property
    def found(self) -> Value:
        """The value, or the reason for none."""
        with phases.watched_by(None):  # of a search that is one phase
            found = self._table.values[self._bound.name][0]
        value = found.value if isinstance(found, Detailed) else found
        assert isinstance(value, float | Undefined)
        return value

    @property
    def value(self) -> float:
        """The value; NaN where there is none."""
        return nan if isinstance(self.found, Undefined) else self.found

    @cached_property
    def number(self) -> Change:
        """The value, with the influence of each cluster by cluster number."""
        value = np.array([self.value])
        with phases.watched_by(None):
            found = self._table.influences(self._bound, value)
        self._table.cluster_views.clear()  # it has sorted rows
        influences = by_number(found, self._clusters)
        return Change(value, influences, spread_of(influences))


def table_of(
    two: TwoLogs,
    log: LogRows,
    specs: Sequence[StateSpec],
    codes: Array | None = None,
    count: int = 1,
) -> Table:
    """The states of the rows of a log, as a scan makes them; codes, count: of slices."""
    batch, states = _batch(two, log, codes, count), {}
    tables = 1 if codes is None else 2
    for spec in {each.identity: each for each in specs}.values():
        states[spec.identity] = spec.empty(tables, clustered=True)
        states[spec.identity].update(batch)
    return Table(states, tables - 1, count, TOTAL_SLICE if codes is None else np.arange(count))


def _batch(two: TwoLogs, log: LogRows, codes: Array | None, count: int) -> Batch:
    """The rows as a reader gives them; groups and clusters have the numbers of both logs."""
    slices = []
    if codes is not None:
        keys = KeyNumbers()
        keys.number([(number,) for number in range(count)])
        slices = [Slices(keys, codes, np.zeros(count, np.int64))]
    return Batch(
        len(log),
        replace(two.reading, score_type=log.score.dtype.name),
        log.given_weight,
        slices=tuple(slices),
        clusters=ClusterCodes(log.clusters, two.cluster_count),
        score=log.score,
        outside=log.probability is None,
        positive=log.positive,
        grade=log.grade,
        groups=None if log.groups is None else GroupColumns((RowKeys(log.groups),)),
    )


def by_number(found: Influences, clusters: int) -> Influences:
    """The influences on one slice, with a line for each of so many cluster numbers.

    All rows and some of them then have the same lines, which are quick to add.
    """
    if len(found.lines) == clusters:
        return found

    def of_all(columns: Sequence[Array]) -> tuple[Any, ...]:
        made = tuple(np.zeros(clusters, column.dtype) for column in columns)
        for all_, column in zip(made, columns, strict=True):
            all_[found.lines.clusters] = column
        return made

    return found._replace(
        lines=lines_of_numbers(clusters),
        columns=of_all(found.columns),
        shares=of_all(found.shares),
        present=of_all(found.present),
        required=of_all(found.required),
    )


def of_numbers(
    columns: Sequence[Floats], shares: Sequence[Floats], present: Sequence[Mask]
) -> Influences:
    """Influences in columns by cluster number; present: the clusters that have rows in each."""
    lines = lines_of_numbers(len(columns[0]))
    return Influences(lines, tuple(columns), tuple(shares), tuple(present))


def lines_of_numbers(clusters: int) -> ClusterLines:
    """A line for each of so many cluster numbers, in one slice."""
    ends = np.array([0, clusters])
    return ClusterLines(np.zeros(clusters, np.intp), np.arange(clusters), ends)
