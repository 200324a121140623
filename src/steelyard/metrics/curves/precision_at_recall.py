"""Precision at a recall: the largest precision among thresholds with at least that recall."""

from math import ceil

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import (
    OperatingPoint,
    at_threshold,
    highest,
    point_of,
)
from steelyard.metrics.division import NONE_CALLED, decimal, like
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import number
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def best_precision(view: CurveView, recall: float) -> OperatingPoint:
    least = [ceil(decimal(recall) * each) for each in view.totals.positives.tolist()]
    up = like(view.totals.positives, least)
    places, tp, fp = view.most("share", up, np.zeros(len(view), np.int64))
    return point_of(view, places, tp, tp + fp)


def precision_at_recall(best: OperatingPoint, totals: Totals, recall: float) -> MetricColumn:
    values = quotient_values(best.numerator, best.denominator, NONE_CALLED)
    return at_threshold(values, best.threshold)


METRIC = CurveMetric(
    formula="max of TP/(TP + FP) over thresholds with TP ≥ recall·P",
    tex=(
        r"\max_t \frac{\mathrm{TP}(t)}{\mathrm{TP}(t) + \mathrm{FP}(t)} \quad \text{where} \quad "
        r"\mathrm{TP}(t) \ge \mathrm{recall} \cdot P"
    ),
    reading=(
        "The best precision if at least that share of the positives must be found. From 0.1 to 0.5 "
        "at recall 0.95, nine wrong calls in ten become one in two: that saves people's time."
    ),
    range="0 to 1; at least the prevalence",
    better="higher",
    pitfalls=(
        "It is the largest over all thresholds with enough recall, not the value at the first one.",
        "Its threshold is chosen on these rows; on new ones the recall may fall short.",
        "At a recall near 1 it depends on the few lowest-scored positives.",
    ),
    reference="Eban et al. (2017), AISTATS, 832.",
    seed="004",
    chinese="给定召回率下的精确率",
    example="sy.precision_at_recall([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], recall=0.95)",
    part=best_precision,
    join=highest,
    value=precision_at_recall,
    interval=DENSITY,
    parameters=(
        number(
            "recall",
            least=0,
            most=1,
            means="the share of the positives that must be found, at least",
        ),
    ),
    requires=("positives",),
)
