"""WAPE: the sum of absolute errors over the sum of absolute truths; a fraction."""

from steelyard.metrics.division import finite_ratio
from steelyard.metrics.influence import LOG, OF_ERRORS, Quotient, TermSums
from steelyard.metrics.regression_metrics import ErrorMetric
from steelyard.model import Value
from steelyard.views.sums import SumLine


def quotient(sums: TermSums) -> Quotient:
    return sums["absolute"], sums["truth_size"]


def wape(sums: SumLine) -> Value:
    return finite_ratio(*quotient(sums), "every truth is 0")


METRIC = ErrorMetric(
    aliases=("weighted_absolute_percentage_error",),
    value=wape,
    interval=OF_ERRORS,
    scale=LOG,
    quotient=quotient,
    terms=("truth_size", "absolute"),
    formula="Σ w·|p − y| / Σ w·|y|",
    tex=r"\mathrm{WAPE} = \frac{\sum_i w_i |p_i - y_i|}{\sum_i w_i |y_i|}",
    reading=(
        "The sum of all errors as a share of the sum of all truths: MAE over the mean size of a "
        "truth. Truths of 0 are fine unless all are 0."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        "Large truths dominate it: a model may be useless for the many small ones.",
        (
            "Like MAE it rewards the median, so for skewed demand the best forecast is too low in "
            "total; read it together with bias."
        ),
    ),
    reference="Kolassa & Schütz (2007), Foresight 6:40, as MAD/mean.",
    chinese="加权绝对百分比误差",
    example="sy.wape([0.0, 4.0, 6.0], [1.0, 4.0, 5.0])",
)
