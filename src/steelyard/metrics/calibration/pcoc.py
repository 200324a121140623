"""PCOC: predicted clicks over clicks, the inverse of COPC."""

from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import LOG, Quotient, TermSums
from steelyard.metrics.probability_metrics import EXPECTED, SumMetric


def expected_over_clicks(sums: TermSums) -> Quotient:
    return sums["expected"], sums["weighted_positives"]


METRIC = SumMetric(
    formula="Σ w·p / Σ w·y",
    tex=r"\mathrm{PCOC} = \frac{\sum_i w_i p_i}{\sum_i w_i y_i}",
    reading=(
        "1 means that as many clicks were predicted as happened. 1.25 means that predictions are "
        "too high by a quarter."
    ),
    range="0 and above; 1 is best",
    better="nearer 1",
    pitfalls=(
        "Some call this ratio COPC: check which of the two a number is.",
        "Predictions that are too high for some rows and too low for others cancel.",
    ),
    reference="Common in computational advertising, as predicted click over click.",
    chinese="预估点击与实际点击之比",
    example="sy.pcoc([1, 0, 0, 0], [0.4, 0.1, 0.2, 0.1])",
    state=EXPECTED,
    quotient=expected_over_clicks,
    why=NO_POSITIVES,
    scale=LOG,
)
