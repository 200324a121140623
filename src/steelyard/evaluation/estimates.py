"""The value of a plain function with its interval, where a cluster is given."""

from typing import Any

import numpy as np

from steelyard import errors, plan
from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Table
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.influence import BOOTSTRAP
from steelyard.metrics.record import Metric
from steelyard.model import AnyValue, ClassMean, Detailed
from steelyard.phrases import phrase
from steelyard.reading.batch import Batch
from steelyard.states.base import TOTAL_SLICE
from steelyard.stats.intervals import DEFAULT_CONFIDENCE, intervals
from steelyard.stats.variance import spread_of

CLUSTER, CONFIDENCE = KEYWORDS = ("cluster", "confidence")  # of functions with intervals
HELP = """\
cluster: the key of rows that depend on each other, such as the user, or "row" if none do: the
    value is an EstimatedValue then: a float with the ends of its interval, low and high
confidence: how often such intervals cover the true value, 0.95 if not given"""


def has_interval(metric: Metric) -> bool:
    """Whether the plain function of a metric takes a cluster, for an interval."""
    return metric.shape is None and not metric.interval.why


def no_interval(metric: Metric) -> errors.SteelyardError:
    """The error for a cluster given to a metric that has no interval."""
    why = metric.interval.why or "it is more than one number"
    resampled = metric.shape is None and metric.interval.kind == BOOTSTRAP
    hint = phrase("a table has one, with bootstrap=1000") if resampled else "leave out cluster"
    return errors.NO_INTERVAL(metric=metric.name, why=why, hint=hint)


def checked_confidence(cluster: Any, confidence: float | None) -> float:
    """The confidence of an interval, which needs a cluster."""
    if cluster is None:
        raise errors.CLUSTER_NEEDED(option=phrase("confidence=..."))
    return plan.checked_confidence(confidence, None) or DEFAULT_CONFIDENCE


def value_and_ends(
    bound: BoundMetric, batch: Batch, confidence: float
) -> tuple[AnyValue, float, float, str]:
    """The value, both ends of its interval, and the reason if there is no interval.

    batch: rows with clusters
    """
    assert bound.cluster_spec is not None
    specs = plan.combined([bound.state_spec, bound.cluster_spec])
    states = {spec.identity: spec.empty(1, clustered=True) for spec in specs}
    for state in states.values():
        state.update(batch)
    table = Table(states, 0, 1, TOTAL_SLICE)
    found = EvaluatedTable("", (), [()], table, [bound], IN_MEMORY, clustered=True)
    [value] = found.values[bound.name]
    plain = value.value if isinstance(value, ClassMean | Detailed) else value
    if not isinstance(plain, float):
        return value, np.nan, np.nan, ""
    numbers = np.array([plain])
    spread = spread_of(found.influences(bound, numbers), bound.metric.interval.freedom)
    ends = intervals(numbers, spread, bound.metric.scale, confidence)
    return value, float(ends.low[0]), float(ends.high[0]), ends.whys.get(0, "")
