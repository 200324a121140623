"""TPR at an FPR: the largest true positive rate among thresholds with at most that FPR.

Calling nothing positive is a threshold too, with TPR 0.
"""

from math import floor

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import (
    OperatingPoint,
    at_threshold,
    found_positives,
    highest,
)
from steelyard.metrics.division import NO_POSITIVES, decimal, like
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import number
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def most_found(view: CurveView, fpr: float) -> OperatingPoint:
    """The largest TP with no more than that FPR; 0 where every threshold has more."""
    most = [floor(decimal(fpr) * each) for each in view.totals.negatives.tolist()]
    down = like(view.totals.negatives, most)
    return found_positives(view, view.most("allowed", down, down))


def tpr_at_fpr(found: OperatingPoint, totals: Totals, fpr: float) -> MetricColumn:
    values = quotient_values(found.numerator, totals.positives, NO_POSITIVES)
    return at_threshold(values, found.threshold)


METRIC = CurveMetric(
    formula="max of TP/P over thresholds with FP ≤ fpr·N",
    tex=(
        r"\max_t \frac{\mathrm{TP}(t)}{P} \quad \text{where} \quad \mathrm{FP}(t) \le \mathrm{fpr} "
        r"\cdot N"
    ),
    reading=(
        "The largest share of the positives that can be found if that share of the negatives may "
        "raise a false alarm."
    ),
    range="0 to 1; chance is about fpr",
    better="higher",
    pitfalls=(
        (
            "There is no interpolation: if the highest-scored block already has too many "
            "negatives, it is 0."
        ),
        "At an FPR of 0.001 a thousand negatives allow one false alarm: use enough of them.",
        "The threshold is chosen on these rows; on new ones the FPR will be a little off.",
    ),
    reference="Neyman & Pearson (1933), Philosophical Transactions of the Royal Society A 231:289.",
    chinese="给定假正例率下的真正例率",
    example="sy.tpr_at_fpr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fpr=0.5)",
    part=most_found,
    join=highest,
    value=tpr_at_fpr,
    interval=DENSITY,
    parameters=(
        number(
            "fpr",
            least=0,
            most=1,
            means="the share of the negatives that may be called positive, at most",
        ),
    ),
)
