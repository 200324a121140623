"""Specs → metrics → distinct states. However many metrics, each state is made once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from steelyard import errors
from steelyard.metrics.catalogue import Bound, resolve
from steelyard.metrics.record import CurveMetric, Need, compute_together
from steelyard.model import AnyValue
from steelyard.spec import Spec
from steelyard.states import Sample, ScoreTable, State

SAMPLE = Need(Sample)


@dataclass(frozen=True)
class Plan:
    """The metrics asked for, once each and in the order asked, and the states they need."""

    metrics: tuple[Bound, ...]
    needs: tuple[Need, ...]


def make(specs: str | Iterable[str | Spec]) -> Plan:
    """The plan for a table: one number a metric, and the sample beside it."""
    specs = [specs] if isinstance(specs, str) else specs
    metrics = {bound.name: bound for bound in map(resolve, specs)}
    for bound in metrics.values():
        if bound.metric.shape is not None:
            raise errors.NOT_A_NUMBER(metric=bound.metric.name)
    needs = [SAMPLE, *(need(bound) for bound in metrics.values())]
    return Plan(tuple(metrics.values()), tuple(dict.fromkeys(needs)))


def need(bound: Bound) -> Need:
    """The state that a metric reads."""
    return bound.metric.need(dict(bound.params))


def values(metrics: Iterable[Bound], states: Mapping[Need, State]) -> list[AnyValue]:
    """Every metric's value; those that read curves share one pass over the score table."""
    metrics = list(metrics)
    curves = [
        (bound.metric, dict(bound.params))
        for bound in metrics
        if isinstance(bound.metric, CurveMetric)
    ]
    together: list[AnyValue] = []
    if curves:
        table = states[Need(ScoreTable)]
        assert isinstance(table, ScoreTable)
        together = compute_together(curves, table.totals(), table.chunks())
    rest = iter(together)
    return [
        next(rest)
        if isinstance(bound.metric, CurveMetric)
        else bound.metric.compute(states[need(bound)], dict(bound.params))
        for bound in metrics
    ]
