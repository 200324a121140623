"""Average precision: precision averaged over the positives; a tied block is one threshold.

Each threshold's precision is rounded once; their sum by weight is exact, and the result rounded
once. In functions y_true may be a matrix of 0 and 1, a column for each label: `average` is macro,
micro or weighted over the labels, or samples, the mean over the rows (see `sy.lrap`).
"""

from itertools import repeat

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, ExactSums
from steelyard.kernels.ragged import running_sums, steps
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.division import NO_POSITIVES, quotients
from steelyard.metrics.influence import LOGIT, Influences, SliceValues, of_lines
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Floats
from steelyard.result.metric_column import MetricColumn
from steelyard.states import exact_sums
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineSums
from steelyard.views.context import LineSteps
from steelyard.views.curve import CurveView
from steelyard.views.sums import ExactColumn
from steelyard.views.totals import Totals

# B is at most 1 + ln(W⁺/w) for the lowest weight w, below 2**11 for float64 weights, and C is not
# above it: int64 holds both. Fixed, so that the unit of weights changes no bit.
UNIT = 2.0**52


def precision_sum(view: CurveView) -> ExactColumn:
    return view.add_term("precision")


def ap(found: ExactColumn, totals: Totals) -> MetricColumn:
    return quotient_values(*found.over(totals.positives), NO_POSITIVES)


def by_line(rows: ClusteredScores, values: SliceValues) -> LineSteps:
    """Σ w·[y(π + B) − C] of each line, and its weight of positives.

    π is the precision at the row's score, B the sum of w/PP over the positives at or below it,
    where PP is the weight at or above each; C is the same sum times its precision. The terms of B
    and C are rounded to whole multiples of 1/UNIT, so that their sums are exact.
    """
    precision, *terms = _terms(rows)
    starts = rows.point_starts
    sums = [running_sums(column)[starts] for column in terms]
    around = yield [_two_digits(steps(column)) for column in sums]
    b, c = map(_running, terms, around.below, repeat(starts))
    up, down = rows.places
    total = rows.positives.exact((np.insert(precision, starts[:-1], 0.0) + b - c)[up])
    below = {power: -digit for power, digit in rows.negatives.exact(c[down]).items()}
    exact_sums.add(total, below, None, len(rows.lines))
    return LineSums(rows.lines, (total, rows.positives.exact()))


def _terms(rows: ClusteredScores) -> tuple[Floats, Array, Array]:
    """The precision at each point of the curve, and its terms of B and of C."""
    curve = rows.curve
    if curve is None:  # no positives
        return np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64)
    above = curve.long_tp + curve.long_fp
    precision, term = quotients(curve.long_tp, above), quotients(curve.long_pos, above)
    b, c = (np.rint(each * UNIT).astype(np.int64) for each in (term, term * precision))
    return precision, b, c


def _running(terms: Array, below: ExactSums, starts: Array) -> Floats:
    """What is below each slice's first point, and the sums up to each of its points."""
    first = np.array(exact_sums.integers(below, 0, np.arange(len(starts) - 1)), np.int64)
    sums = np.cumsum(np.insert(terms, starts[:-1], first))  # modulo 2**64 over all slices
    places = starts[:-1] + np.arange(len(starts) - 1)
    sums -= np.repeat(sums[places] - first, 1 + steps(starts))
    found: Floats = sums / UNIT
    return found


def _two_digits(column: Array) -> ExactSums:
    return {0: column & MASK, DIGIT: column >> DIGIT}


def influence(sums: LineSums, values: SliceValues) -> Influences:
    """(Σ w·[y(π + B) − C] − AP·Σ wy)/W⁺"""
    (own, weights), (_, total) = sums.rounded(1)
    value = sums.lines.spread(values.numbers)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without positives
        column, share = (own - value * weights) / total, weights / total
    found = of_lines(sums.lines, column, share, value == value)
    return found._replace(required=(weights > 0,))


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
    by_line=by_line,
    influence=influence,
    scale=LOGIT,
    requires=("positives",),
    averages_labels=True,
)
