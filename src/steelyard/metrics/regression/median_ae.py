"""Median absolute error: the median of the absolute errors, by weight."""

import numpy as np

from steelyard.kernels.interface import MiddleErrors
from steelyard.metrics.division import TOO_LARGE
from steelyard.metrics.pair_metrics import ErrorFold
from steelyard.metrics.values import without
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView


def join(one: MiddleErrors, other: MiddleErrors) -> MiddleErrors:
    """Each of the two is in one range."""
    return MiddleErrors(*map(np.fmin, one, other))


def median_ae(middles: MiddleErrors) -> MetricColumn:
    lower, upper = middles
    with np.errstate(over="ignore"):
        sums = lower + upper
    # Halves of numbers whose sum overflows are exact, so that each mean is rounded once.
    means = np.where(np.isinf(sums), lower / 2 + upper / 2, sums / 2)
    beyond = np.flatnonzero(np.isinf(upper)).tolist()
    return without(MetricColumn(means), dict.fromkeys(beyond, TOO_LARGE))


METRIC = ErrorFold(
    aliases=("median_absolute_error",),
    part=PairsView.middle_errors,
    join=join,
    value=median_ae,
    formula=(
        "the median of |p − y| by weight; the mean of the two middle ones where the weight splits "
        "exactly in half between them"
    ),
    tex=r"\operatorname{median}_i |p_i - y_i|",
    reading="The size of a typical error: half of the rows are off by less, half by more.",
    range="0 and above",
    better="lower",
    pitfalls=(
        "Almost half of the rows may be arbitrarily wrong without changing it.",
        "Medians of parts cannot be merged: it needs all rows together, in memory.",
    ),
    reference=(
        "Gauss (1816), Zeitschrift für Astronomie 1:185, on the median of errors as a measure of "
        "precision."
    ),
    chinese="中位数绝对误差",
    example="sy.median_ae([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])",
)
