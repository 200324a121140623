"""Median absolute error: the median of the absolute errors, by weight."""

from fractions import Fraction
from math import isinf

from steelyard.metrics.division import TOO_LARGE, rounded
from steelyard.metrics.regression_metrics import PairMetric
from steelyard.model import Undefined, Value
from steelyard.views.pair_rows import PairRows


def median_ae(rows: PairRows) -> Value:
    lower, upper = rows.middle_errors()
    if isinf(lower) or isinf(upper):
        return Undefined(TOO_LARGE)
    return rounded((Fraction(lower) + Fraction(upper)) / 2)


METRIC = PairMetric(
    aliases=("median_absolute_error",),
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
