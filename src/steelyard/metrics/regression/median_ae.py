"""Median absolute error: the median of the absolute errors, by weight."""

import numpy as np

from steelyard.metrics.division import TOO_LARGE
from steelyard.metrics.regression_metrics import PairMetric
from steelyard.metrics.values import without
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView


def median_ae(view: PairsView) -> MetricColumn:
    lower, upper = view.middle_errors()
    with np.errstate(over="ignore"):
        sums = lower + upper
    # Halves of numbers whose sum overflows are exact, so that each mean is rounded once.
    means = np.where(np.isinf(sums), lower / 2 + upper / 2, sums / 2)
    beyond = np.flatnonzero(np.isinf(upper)).tolist()
    return without(MetricColumn(means), dict.fromkeys(beyond, TOO_LARGE))


METRIC = PairMetric(
    aliases=("median_absolute_error",),
    values=median_ae,
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
