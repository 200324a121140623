"""Average precision: precision averaged over the positives; a tied block is one threshold.

Each threshold's precision is rounded once; their sum by weight is exact, and the result rounded
once. In functions y_true may be a matrix of 0 and 1, a column for each label: `average` is macro,
micro or weighted over the labels, or samples, the mean over the rows (see `sy.lrap`).
"""

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.division import NO_POSITIVES, quotients
from steelyard.metrics.influence import LOGIT, Influences, of_lines
from steelyard.metrics.values import quotient_values
from steelyard.model import Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clustered_scores import ClusteredScores, cumulative
from steelyard.views.curve import CurveView
from steelyard.views.sums import ExactColumn
from steelyard.views.totals import Totals


def precision_sum(view: CurveView) -> ExactColumn:
    return view.add_term("precision")


def ap(found: ExactColumn, totals: Totals) -> MetricColumn:
    return quotient_values(*found.over(totals.positives), NO_POSITIVES)


def influence(rows: ClusteredScores, value: Floats) -> Influences:
    """(w/W⁺)·[y(π − AP) + yB − C], with the precision π at the row's score.

    B is the sum of w/PP over the positives at or below that score, where PP is the weight at or
    above each; C is the same sum times its precision.
    """
    curve = rows.curve
    if curve is None:  # no positives, so no value
        none = np.zeros(len(rows.lines))
        return of_lines(rows.lines, none, none > 0)
    above = curve.long_tp + curve.long_fp
    precision, steps = quotients(curve.long_tp, above), quotients(curve.long_pos, above)
    b, c = cumulative(steps, curve.starts), cumulative(steps * precision, curve.starts)
    up, down = rows.entries
    total = rows.positives.add((precision + b - c)[up]) - value * rows.positives.weights
    total -= rows.negatives.add(np.where(down < 0, 0.0, c[down]))
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without positives
        column = total / rows.positives.totals
    found = of_lines(rows.lines, column, value == value)
    return found._replace(required=(rows.positives.weights > 0,))


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
    influence=influence,
    scale=LOGIT,
    requires=("positives",),
    averages_labels=True,
)
