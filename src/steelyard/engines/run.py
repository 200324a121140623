"""The values of metrics in one table: the same for any engine."""

from collections.abc import Iterable

from steelyard import phases
from steelyard.engines.protocol import Engine, Table
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import Ranges, measured, passes
from steelyard.metrics.record import StateSpec
from steelyard.metrics.values import ValueColumn


def values(
    metrics: Iterable[BoundMetric],
    table: Table,
    engine: Engine,
    known: dict[StateSpec, Ranges] | None = None,
) -> list[ValueColumn]:
    """For each metric its value in every slice; metrics that read the same ranges share a pass.

    known: the ranges of states that were exchanged already; the others are added to it
    """
    metrics = list(metrics)
    groups = passes(metrics)
    found: dict[str, ValueColumn] = {}
    known = {} if known is None else known
    for identity, _ in groups:
        if identity not in known:
            phases.begin("sorting")
            known[identity] = engine.exchange(table, identity)
    for (identity, _), bounds in groups.items():
        phases.begin("computing", ", ".join(bound.name for bound in bounds))
        each = measured(known[identity], bounds)
        found |= {bound.name: column for bound, column in zip(bounds, each, strict=True)}
    return [found[bound.name] for bound in metrics]
