"""Best F1: the largest F1 over all thresholds."""

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import (
    OperatingPoint,
    at_threshold,
    highest,
    point_of,
)
from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import MAXIMUM
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def largest(view: CurveView) -> OperatingPoint:
    """The largest F1 of each slice."""
    positives = view.totals.positives
    places, tp, fp = view.most("share", np.zeros(len(view), np.int64), positives)
    return point_of(view, places, 2 * tp, tp + fp + positives)


def best_f1(best: OperatingPoint, totals: Totals) -> MetricColumn:
    values = quotient_values(best.numerator, best.denominator, NO_POSITIVES)
    return at_threshold(values, best.threshold)


METRIC = CurveMetric(
    formula="max over t of 2·TP / (TP + FP + P)",
    tex=r"\max_t \frac{2 \mathrm{TP}(t)}{\mathrm{TP}(t) + \mathrm{FP}(t) + P}",
    reading="The F1 of the best threshold. It compares models whose scores have different scales.",
    range="0 to 1; at least 2·prevalence/(1 + prevalence)",
    better="higher",
    pitfalls=(
        "The threshold is chosen on the rows it is measured on: on new rows, expect less.",
        (
            "Calling everything positive gives an F1 of 2π/(1 + π) at a prevalence of π: compare "
            "with that, not with 0."
        ),
        "The threshold itself is in its details, and is `best_threshold(f1)`.",
    ),
    reference="Lipton, Elkan & Naryanaswamy (2014), ECML PKDD, 225.",
    chinese="最佳 F1 值",
    example="sy.best_f1([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])",
    part=largest,
    join=highest,
    value=best_f1,
    interval=MAXIMUM,
    requires=("positives",),
)
