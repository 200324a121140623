"""Average precision: precision averaged over the positives; a tied block is one threshold.

Each threshold's precision is rounded once; their sum by weight is exact, and the result rounded
once. In functions y_true may be a matrix of 0 and 1, a column for each label: `average` is macro,
micro or weighted over the labels, or samples, the mean over the rows (see `sy.lrap`).
"""

from fractions import Fraction

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.division import NO_POSITIVES, quotients, ratio
from steelyard.model import Value
from steelyard.views.curve import CurveView
from steelyard.views.totals import SliceTotals


def precision_sum(view: CurveView) -> list[Fraction]:
    return view.add_exactly(quotients(view.long_tp, view.long_tp + view.long_fp))


def ap(found: Fraction, totals: SliceTotals) -> Value:
    return ratio(found, totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    formula="Σ over thresholds of (R_k − R_{k−1})·P_k, where R is recall and P precision",
    tex=r"\sum_k (R_k - R_{k-1}) P_k",
    reading=(
        "The mean, over the positives, of the precision of the list down to each of them. A random "
        "model has about the prevalence, so 0.1 is good where 1 % of rows are positive."
    ),
    range="0 to 1; chance is about the prevalence",
    better="higher",
    pitfalls=(
        (
            "It depends on prevalence: with ten times as many negatives it falls, while AUC does "
            "not change."
        ),
        (
            "It is the step rule. A trapezoid under the same points (Spark, CatBoost) is too high: "
            "on a medical data set with five distinct scores 0.755 instead of 0.680."
        ),
        (
            "A tied block is one threshold. Breaking ties by row order gives a number that depends "
            "on the file."
        ),
        "It is one list of all rows; the mean over users' lists is `map`.",
    ),
    reference="Buckley & Voorhees (2000), SIGIR, 33.",
    seed="000",
    chinese="平均精确率",
    example="sy.ap([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])",
    aliases=("average_precision", "average_precision_score"),
    part=precision_sum,
    value=ap,
    requires=("positives",),
    averages_labels=True,
)
