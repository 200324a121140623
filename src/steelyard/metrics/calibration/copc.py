"""COPC: clicks over predicted clicks.

One number for all rows: it does not say where predictions are too high and where too low.
"""

from steelyard.metrics.influence import LOG, Quotient, TermSums
from steelyard.metrics.probability_metrics import EXPECTED, NONE_EXPECTED, SumMetric


def clicks_over_expected(sums: TermSums) -> Quotient:
    return sums["weighted_positives"], sums["expected"]


METRIC = SumMetric(
    formula="Σ w·y / Σ w·p",
    tex=r"\mathrm{COPC} = \frac{\sum_i w_i y_i}{\sum_i w_i p_i}",
    reading=(
        "1 means that as many clicks happened as were predicted. 0.8 means that there were 8 "
        "clicks for every 10 predicted: predictions are too high by a quarter."
    ),
    range="0 and above; 1 is best",
    better="nearer 1",
    pitfalls=(
        (
            "A model that predicts the base rate everywhere has a COPC of 1: read slices, "
            "field_ece and AUC as well."
        ),
        "Predictions that are too high for some rows and too low for others cancel.",
        "A model that was trained on sampled negatives predicts too much: pass downsampled=r.",
    ),
    reference="Common in computational advertising, as click over predicted click.",
    chinese="点击率校准比（实际点击 / 预估点击）",
    seed="002",
    example="sy.copc([1, 0, 0, 0], [0.4, 0.1, 0.2, 0.1])",
    state=EXPECTED,
    quotient=clicks_over_expected,
    why=NONE_EXPECTED,
    scale=LOG,
)
