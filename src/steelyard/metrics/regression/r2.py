"""R²: the share of the truth's variance that the predictions explain."""

import numpy as np

from steelyard.metrics.division import finite_ratio, ratios
from steelyard.metrics.influence import TermSums
from steelyard.metrics.regression_metrics import SAME_TRUTH, ErrorMetric
from steelyard.model import Floats, Undefined, Value
from steelyard.views.sums import SumLine

# Squares are multiples of 2**-1074: of a variance of 2**-1014 that is a share of 2**-60.
LEAST_VARIANCE = 1014
NEARLY_SAME_TRUTH = "every truth is the same, or too close to the others for squares in float64"


def r2(sums: SumLine) -> Value:
    # Both sums times the weight, so that nothing is rounded before the one quotient.
    weight, truths = sums["weight"], sums["truth_squared"] + sums["truth_squared_rest"]
    around_mean = weight * truths - sums["truth"] ** 2
    if around_mean << LEAST_VARIANCE < weight**2:  # below zero where squares of truths underflow
        return Undefined(SAME_TRUTH if truths and not around_mean else NEARLY_SAME_TRUTH)
    return finite_ratio(around_mean - weight * sums["squared"], around_mean, SAME_TRUTH)


def influence(own: TermSums, total: TermSums, value: Floats) -> Floats:
    """−w·[e² − (1 − R²)·(y − ȳ)²]/SST, from whole numbers: for truths of 1e8 ± 1 squares cancel.

    With W = Σw and S = Σwy of the slice, W²·Σw(y − ȳ)² of a line is W²·Σwy² − 2WS·Σwy + S²·Σw.
    """
    weight, truth, errors = (total.whole(term) for term in ("weight", "truth", "squared"))
    squares = [
        sums.whole("truth_squared") + sums.whole("truth_squared_rest") for sums in (own, total)
    ]
    around = weight * squares[1] - truth * truth  # W·SST
    distances = (squares[0] * weight - 2 * truth * own.whole("truth")) * weight
    distances += truth * truth * own.whole("weight")
    above = errors * distances - own.whole("squared") * around * weight
    return ratios(above, np.where(around > 0, around * around, 1))


METRIC = ErrorMetric(
    aliases=("r2_score",),
    value=r2,
    influence=influence,
    terms=("truth", "truth_squared", "truth_squared_rest", "squared"),
    formula="1 − Σ w·(p − y)² / Σ w·(y − ȳ)²",
    tex=r"R^2 = 1 - \frac{\sum_i w_i (p_i - y_i)^2}{\sum_i w_i (y_i - \bar y)^2}",
    reading=(
        "How much better the predictions are than the mean of the truth: 1 is perfect, 0 is no "
        "better than that mean, below 0 is worse."
    ),
    range="at most 1, no lower limit",
    better="higher",
    pitfalls=(
        (
            "It may be negative: only for a least-squares fit, on its own training rows, is it the "
            "square of a correlation."
        ),
        (
            "It depends on how varied the truth is: the same errors give a lower R² in a slice of "
            "similar rows than in the whole."
        ),
        "The mean is that of the evaluated rows, which is not known when a forecast is made.",
    ),
    reference="Kvålseth (1985), The American Statistician 39(4):279.",
    chinese="决定系数",
    example="sy.r2([3.0, -0.5, 2.0, 7.0], [2.5, 0.0, 2.0, 8.0])",
)
