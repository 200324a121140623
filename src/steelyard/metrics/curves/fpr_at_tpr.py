"""FPR at a TPR: the smallest false positive rate among thresholds with at least that TPR.

Calling nothing positive is a threshold too, with both rates 0.
"""

from math import ceil

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import (
    NOTHING_CALLED,
    OperatingPoint,
    at_threshold,
    chosen,
    nothing_called,
    point_of,
)
from steelyard.metrics.division import NO_NEGATIVES, decimal, like
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import number
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def first_reached(view: CurveView, tpr: float) -> OperatingPoint:
    """The FP, the smallest, at the highest threshold with that TPR; 0 where this range has none."""
    if tpr == 0:
        return nothing_called(len(view))
    enough = [ceil(decimal(tpr) * each) for each in view.totals.positives.tolist()]
    up = like(view.totals.positives, enough)
    places, _, fp = view.most("reached", up, up)
    return point_of(view, places, fp, np.ones(len(view), np.int64))


def upper_first(lower: OperatingPoint, upper: OperatingPoint) -> OperatingPoint:
    return chosen(upper.threshold == NOTHING_CALLED, lower, upper)


def fpr_at_tpr(found: OperatingPoint, totals: Totals, tpr: float) -> MetricColumn:
    values = quotient_values(found.numerator, totals.negatives, NO_NEGATIVES)
    return at_threshold(values, found.threshold)


METRIC = CurveMetric(
    formula="min of FP/N over thresholds with TP ≥ tpr·P",
    tex=(
        r"\min_t \frac{\mathrm{FP}(t)}{N} \quad \text{where} \quad \mathrm{TP}(t) \ge \mathrm{tpr} "
        r"\cdot P"
    ),
    reading=(
        "The cost of finding that share of the positives: the share of the negatives that is "
        "called positive too. FPR95 in the literature is `fpr_at_tpr(0.95)`."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        "It depends on the lowest-scored positives, so a few wrong labels change it a lot.",
        (
            "There is no interpolation between thresholds: a tied block is taken as a whole or not "
            "at all."
        ),
        "It matters which class is positive, and papers on anomaly detection differ in that.",
    ),
    reference="Liang, Li & Srikant (2018), ICLR.",
    chinese="给定真正例率下的假正例率",
    example="sy.fpr_at_tpr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], tpr=0.9)",
    part=first_reached,
    join=upper_first,
    value=fpr_at_tpr,
    interval=DENSITY,
    parameters=(
        number(
            "tpr", least=0, most=1, means="the share of the positives that must be found, at least"
        ),
    ),
)
