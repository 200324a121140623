"""Bias: the mean of prediction minus truth."""

from steelyard.metrics.division import NO_ROWS, finite_ratio
from steelyard.metrics.influence import Quotient, TermSums
from steelyard.metrics.regression_metrics import ErrorMetric
from steelyard.model import Value
from steelyard.views.sums import SumLine


def quotient(sums: TermSums) -> Quotient:
    return sums.difference("prediction", "truth"), sums["weight"]


def bias(sums: SumLine) -> Value:
    return finite_ratio(*quotient(sums), NO_ROWS)


METRIC = ErrorMetric(
    aliases=("mean_error",),
    value=bias,
    quotient=quotient,
    terms=("truth", "prediction"),
    formula="Σ w·(p − y) / Σ w",
    tex=r"\mathrm{bias} = \frac{\sum_i w_i (p_i - y_i)}{\sum_i w_i}",
    reading="How much predictions are too high (above 0) or too low (below 0) on average.",
    range="any number",
    better="nearer 0",
    pitfalls=(
        (
            "0 does not mean that predictions are good: errors of +10 and −10 cancel, and so do "
            "parts of the data; read it by slice."
        ),
        "Some define it as truth minus prediction: check the sign before comparing.",
    ),
    reference="Murphy & Winkler (1987), Monthly Weather Review 115(7):1330.",
    chinese="平均误差（预测 − 真实）",
    example="sy.bias([3.0, 5.0, 2.0], [2.5, 5.0, 4.0])",
)
