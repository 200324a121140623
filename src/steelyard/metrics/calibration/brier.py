"""Brier score: the mean squared difference of probability and outcome.

It is mcb − dsc + unc: the cost of miscalibration, less the gain of discrimination, plus the
uncertainty of the base rate.
"""

from steelyard.metrics.influence import Quotient, TermSums
from steelyard.metrics.probability_metrics import SQUARE, SumMetric


def mean_square(sums: TermSums) -> Quotient:
    return sums["squares"], sums["weight"]


METRIC = SumMetric(
    aliases=("brier_score", "brier_score_loss"),
    formula="Σ w·(p − y)² / Σ w",
    tex=r"\frac{\sum_i w_i (p_i - y_i)^2}{\sum_i w_i}",
    reading=(
        "0 means certain and always right; predicting ½ everywhere gives 0.25. Predicting the base "
        "rate ȳ everywhere gives ȳ(1 − ȳ), which is unc."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "Where positives are rare every value is small, and 0.01 may be worse than the base "
            "rate: compare it with unc."
        ),
        "Brier's own sum runs over both classes and is twice this one.",
    ),
    reference="Brier (1950), Monthly Weather Review 78(1):1.",
    chinese="布里尔分数",
    example="sy.brier([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.35])",
    state=SQUARE,
    quotient=mean_square,
)
