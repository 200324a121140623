"""Recall at a precision: the largest recall among thresholds with at least that precision."""

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.operating_point import (
    OperatingPoint,
    at_threshold,
    found_positives,
    highest,
)
from steelyard.metrics.division import NO_POSITIVES, decimal
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import number
from steelyard.metrics.values import quotient_values
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.totals import Totals


def most_found(view: CurveView, precision: float) -> OperatingPoint:
    """The largest TP at that precision; 0 where no threshold reaches it."""
    wanted = decimal(precision)
    up, down = wanted.denominator - wanted.numerator, wanted.numerator
    factors = (np.full(len(view), each, object) for each in (up, down))
    return found_positives(view, view.most("precise", *factors))


def recall_at_precision(found: OperatingPoint, totals: Totals, precision: float) -> MetricColumn:
    wanted = repr(precision).removesuffix(".0")
    why = f"no threshold has a precision of {wanted} or more"
    none = dict.fromkeys(np.flatnonzero(found.numerator == 0).tolist(), why)
    values = quotient_values(found.numerator, totals.positives, NO_POSITIVES, none)
    return at_threshold(values, found.threshold)


METRIC = CurveMetric(
    formula="max of TP/P over thresholds with TP ≥ precision·(TP + FP)",
    tex=(
        r"\max_t \frac{\mathrm{TP}(t)}{P} \quad \text{where} \quad \mathrm{TP}(t) \ge "
        r"\mathrm{precision} \cdot (\mathrm{TP}(t) + \mathrm{FP}(t))"
    ),
    reading=(
        "The largest share of the positives that can be found if positive calls must be that "
        "precise."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "Where no threshold reaches that precision there is no value; tools that show 0 hide that.",
        (
            "Precision does not fall steadily as the threshold falls: the best threshold may be "
            "far below the first that fails."
        ),
        "It depends on prevalence: the same model on rarer positives finds less at that precision.",
    ),
    reference="Eban et al. (2017), AISTATS, 832.",
    chinese="给定精确率下的召回率",
    example="sy.recall_at_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], precision=0.9)",
    part=most_found,
    join=highest,
    value=recall_at_precision,
    interval=DENSITY,
    parameters=(
        number(
            "precision",
            least=0,
            most=1,
            means="the share of positive calls that must be right, at least",
        ),
    ),
    requires=("positives",),
)
