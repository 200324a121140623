"""Percentile intervals of metrics without influence values, by resampling clusters.

In each replicate every cluster has a weight of its own from Poisson(1), and the metric is computed
as it is of any rows. The ends of an interval are values of replicates, never between two of them.
With n values that is the k-th from each end, k = ⌊(n + 1)·(1 − confidence)/2⌋ (Efron & Tibshirani,
An Introduction to the Bootstrap, 1993, 12.5).
"""

from collections.abc import Sequence
from dataclasses import replace
from math import floor
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.division import decimal
from steelyard.metrics.fold import Ranges, measured, passes
from steelyard.metrics.values import ValueColumn
from steelyard.model import AnyValue, Array, Detailed, Floats
from steelyard.result.metric_column import ABSENT, MetricColumn
from steelyard.result.sections import MetricValues
from steelyard.stats.intervals import ONE_CLUSTER, Intervals
from steelyard.stats.poisson_weights import Replicate

MISSING = 10  # a slice has no interval if more than one replicate in so many has no value there

NOT_REQUESTED = "its interval needs resampled clusters, with bootstrap=..."
NO_VALUE = "{missing:,} of {all:,} replicates have no value"
TOO_FEW = "{values:,} replicates are too few for a confidence of {confidence}"


class Replicates(NamedTuple):
    """The values of a metric in replicates.

    values: a line for each slice, a column for each replicate; NaN where there is none
    clusters: how many clusters each slice has
    """

    values: Floats
    clusters: Array


def replicates(
    ranges: Ranges,
    metrics: Sequence[BoundMetric],
    hashes: Array,
    count: int,
) -> dict[str, Replicates]:
    """The values of metrics that read the same table, in each of `count` replicates.

    hashes: of the keys of clusters, by their numbers
    """
    names = [bound.name for bound in metrics]
    clusters, weighted = ranges.weighted([*map(Replicate, range(count))], hashes, names)
    values = {name: np.empty((len(clusters), count)) for name in names}
    done = 0
    for some in weighted:
        end = done + len(some.whole.slices) // max(len(clusters), 1)
        for bounds in passes(metrics).values():
            for bound, column in zip(bounds, measured(some, bounds), strict=True):
                found = _numbers(column).reshape(end - done, len(clusters))
                values[bound.name][:, done:end] = found.T
        done = end
    return {name: Replicates(found, clusters) for name, found in values.items()}


def _numbers(column: ValueColumn) -> Floats:
    """The values as numbers, NaN where there is none."""
    if isinstance(column, MetricColumn):
        return column.numbers
    return np.array([_number(value) for value in column])


def _number(value: AnyValue) -> float:
    """The value as a number, NaN where there is none."""
    if isinstance(value, Detailed):
        value = value.value
    return value if isinstance(value, float) else np.nan


def with_percentiles(found: MetricValues, made: Replicates, confidence: float) -> MetricValues:
    """The values of a metric with percentile intervals, and with what these rest on as details."""
    ends = percentiles(found.numbers, made, confidence)
    columns = {
        "clusters": made.clusters.tolist(),
        "replicates": np.count_nonzero(made.values == made.values, axis=1).tolist(),
    }
    known = (ends.low == ends.low).tolist()
    details: dict[str, list[Any]] = {
        name: [v if has else ABSENT for v, has in zip(column, known, strict=True)]
        for name, column in columns.items()
    }
    if ends.whys:
        details["no_interval"] = [ends.whys.get(place, ABSENT) for place in range(len(known))]
    return replace(found, details={**found.details, **details}, low=ends.low, high=ends.high)


def without_replicates(found: MetricValues, why: str) -> MetricValues:
    """The values of a metric whose clusters were not resampled; why: it has no influence values."""
    text = f"{NOT_REQUESTED}: {why}"
    shown = [text if value == value else ABSENT for value in found.numbers.tolist()]
    return replace(found, details={**found.details, "no_interval": shown})


def percentiles(numbers: Floats, made: Replicates, confidence: float) -> Intervals:
    """The interval of each slice, or the reason why it has none."""
    low, high = np.full((2, len(numbers)), np.nan)
    whys = {}
    for place in np.flatnonzero(numbers == numbers).tolist():
        values = made.values[place]
        values = np.sort(values[values == values])
        outside = floor((len(values) + 1) * (1 - decimal(confidence)) / 2)
        why = _why_none(len(values), made, place)
        if why is None and not outside:
            why = TOO_FEW.format(values=len(values), confidence=confidence)
        if why is None:
            low[place], high[place] = values[outside - 1], values[-outside]
        else:
            whys[place] = why
    return Intervals(low, high, whys)


def _why_none(values: int, made: Replicates, place: int) -> str | None:
    if made.clusters[place] < 2:
        return ONE_CLUSTER
    every = made.values.shape[1]
    missing = every - values
    return NO_VALUE.format(missing=missing, all=every) if missing * MISSING > every else None
