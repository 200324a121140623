"""Intervals of values, on the scale of each metric."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.metrics.influence import ATANH, ENOUGH_FOR_CLASS, LOG, LOGIT, Interval
from steelyard.model import Floats
from steelyard.result.metric_column import ABSENT
from steelyard.result.sections import MetricValues, or_none
from steelyard.stats.student import t_quantile
from steelyard.stats.variance import Spread

DEFAULT_CONFIDENCE = 0.95
FEW_FREEDOM = 30  # below so many degrees of freedom, and
LARGE_SHARE = 0.1  # where one cluster has more than this share of the variance, a reader is warned

AT_END = "it is at the end of its range"
ONE_CLUSTER = "it has rows of fewer than two clusters"
FEW_NEEDED = "fewer than two clusters have rows of a class that it needs"
MAY_LEAVE = (
    f"a class has rows of fewer than {ENOUGH_FOR_CLASS} clusters, so that it may leave the mean"
)


class Intervals(NamedTuple):
    """The interval of each value; NaN where there is none, for the reason `whys` has by place."""

    low: Floats
    high: Floats
    whys: dict[int, str]


def intervals(values: Floats, spread: Spread, scale: str, confidence: float) -> Intervals:
    """Intervals that are symmetric on a metric's scale.

    scale: plain, logit (shares), log (ratios and errors) or atanh (correlations)
    """
    with np.errstate(all="ignore"):
        half = t_quantile(0.5 + confidence / 2, spread.freedom) * spread.error
        half = np.where(spread.error == 0, 0.0, half)  # every influence is 0
        low, high = SHAPES.get(scale, _plain)(values, half)
    known = np.isfinite(low) & np.isfinite(high)
    whys = {}
    for place in np.flatnonzero(~known & (values == values)).tolist():
        known_error = spread.error[place] == spread.error[place]
        whys[place] = AT_END if known_error else why_no_error(spread, place)
    return Intervals(np.where(known, low, np.nan), np.where(known, high, np.nan), whys)


def why_no_error(spread: Spread, place: int) -> str:
    """Why a value has no standard error."""
    if spread.clusters[place] < 2:
        return ONE_CLUSTER
    return MAY_LEAVE if spread.leaves[place] else FEW_NEEDED


def _plain(values: Floats, half: Floats) -> tuple[Floats, Floats]:
    return values - half, values + half


def _logit(values: Floats, half: Floats) -> tuple[Floats, Floats]:
    """expit(logit v ∓ half/(v(1 − v)))"""
    kernel = kernels.active()
    inside = (values > 0) & (values < 1)
    shares = np.where(inside, values, 0.5)
    odds = kernel.log((1.0 - shares) / shares)
    step = half / (shares * (1.0 - shares))
    ends = (1.0 / (1.0 + kernel.exp(odds + sign * step)) for sign in (1.0, -1.0))
    low, high = (np.where(inside, end, np.nan) for end in ends)
    return low, high


def _log(values: Floats, half: Floats) -> tuple[Floats, Floats]:
    """v·exp(∓half/v)"""
    factor = kernels.active().exp(half / np.where(values > 0, values, 1.0))
    low, high = (np.where(values > 0, end, np.nan) for end in (values / factor, values * factor))
    return low, high


def _atanh(values: Floats, half: Floats) -> tuple[Floats, Floats]:
    """tanh(artanh v ∓ half/(1 − v²)): artanh v is half the logit of (1 + v)/2."""
    low, high = _logit((1.0 + values) / 2.0, half / 2.0)
    return 2.0 * low - 1.0, 2.0 * high - 1.0


SHAPES = {LOGIT: _logit, LOG: _log, ATANH: _atanh}


def with_intervals(
    found: MetricValues, ends: Intervals, spread: Spread, scale: str
) -> MetricValues:
    """The values of a metric with intervals, and with what these rest on as details."""
    known = ends.low == ends.low
    columns: dict[str, list[Any]] = {
        "standard_error": spread.error.tolist(),
        "freedom": spread.freedom.tolist(),
        "clusters": spread.clusters.tolist(),
        "largest_cluster": spread.largest.tolist(),
        "scale": [scale] * len(known),
    }
    details = {
        name: [v if has else ABSENT for v, has in zip(column, known.tolist(), strict=True)]
        for name, column in columns.items()
    }
    if ends.whys:
        places = range(len(found.numbers))
        details["no_interval"] = [ends.whys.get(place, ABSENT) for place in places]
    return replace(found, details={**found.details, **details}, low=ends.low, high=ends.high)


def with_cluster_details(
    found: MetricValues, interval: Interval, of_clusters: Mapping[str, Floats]
) -> MetricValues:
    """The values of a metric without intervals, where a cluster is named.

    of_clusters: details that hold for rows of clusters
    """
    columns: dict[str, list[Any]] = {name: or_none(each) for name, each in of_clusters.items()}
    if interval.rows_taken_as:
        columns["rows_taken_as"] = [interval.rows_taken_as] * len(found.numbers)
    has = (found.numbers == found.numbers).tolist()
    details = {
        name: [value if known else ABSENT for value, known in zip(column, has, strict=True)]
        for name, column in columns.items()
    }
    return replace(found, details={**found.details, **details})
