"""sMAPE: the mean error as a share of the mean of truth and prediction; a fraction from 0 to 2."""

from steelyard.metrics.division import NO_ROWS, finite_ratio
from steelyard.metrics.influence import Quotient, TermSums
from steelyard.metrics.regression_metrics import ErrorMetric
from steelyard.model import Value
from steelyard.views.sums import SumLine


def quotient(sums: TermSums) -> Quotient:
    return 2 * sums["symmetric"], sums["weight"]


def smape(sums: SumLine) -> Value:
    return finite_ratio(*quotient(sums), NO_ROWS)


METRIC = ErrorMetric(
    aliases=("symmetric_mean_absolute_percentage_error",),
    value=smape,
    quotient=quotient,
    terms=("symmetric",),
    formula="Σ w·2|p − y|/(|y| + |p|) / Σ w, where a row of two zeros counts 0",
    tex=r"\mathrm{sMAPE} = \frac{1}{\sum_i w_i} \sum_i w_i \frac{2 |p_i - y_i|}{|y_i| + |p_i|}",
    reading=(
        "The error as a share of the mean of truth and prediction: 0 is perfect, 2 is the value of "
        "a row in which one of the two is 0 or their signs differ."
    ),
    range="0 to 2",
    better="lower",
    pitfalls=(
        "It is not symmetric: for a truth of 100, 110 costs 0.095 and 90 costs 0.105.",
        "Where the truth is 0, any prediction but 0 costs 2, however small it is.",
        (
            "There are other definitions in use (without the 2, without the bars, up to 200 per "
            "cent): check before comparing."
        ),
    ),
    reference=(
        "Makridakis (1993), International Journal of Forecasting 9(4):527; Hyndman & Koehler "
        "(2006), International Journal of Forecasting 22(4):679."
    ),
    chinese="对称平均绝对百分比误差",
    example="sy.smape([100.0, 100.0], [110.0, 90.0])",
)
