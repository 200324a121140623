"""Best threshold: the score at which a criterion is best; of several, the highest.

`best_threshold(cost, fp=1, fn=5)` has the least cost fp·FP + fn·FN, which is among its details. The
threshold is infinite where no other is better than calling no row positive.
"""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves import best_f1
from steelyard.metrics.curves.ks import Gap, gaps, larger
from steelyard.metrics.curves.operating_point import (
    OperatingPoint,
    highest,
    nothing_called,
    point_of,
)
from steelyard.metrics.division import decimal, rounded
from steelyard.metrics.influence import NOT_SMOOTH
from steelyard.metrics.parameter import choice, number
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.values import missing_classes
from steelyard.result.metric_column import MetricColumn
from steelyard.views.curve import CurveView
from steelyard.views.sums import exact
from steelyard.views.totals import Totals

# The classes without which a criterion has no value.
REQUIRED = {"youden": ("positives", "negatives"), "f1": ("positives",), "cost": ()}


def best(view: CurveView, criterion: str, fp: float, fn: float) -> Gap | OperatingPoint:
    """The best threshold of each slice."""
    if criterion == "youden":
        return gaps(view)
    return best_f1.largest(view) if criterion == "f1" else _most_saved(view, fp, fn)


def _most_saved(view: CurveView, fp: float, fn: float) -> OperatingPoint:
    """The largest fn·TP − fp·FP, the cost saved by calling rows positive; 0/1 for calling none."""
    gain, loss = decimal(fn), decimal(fp)
    unit = lcm(gain.denominator, loss.denominator)
    up, down = int(gain * unit), int(loss * unit)
    factors = (np.full(len(view), each, object) for each in (up, down))
    found = view.most("gain", *factors)
    saved = found.tp.astype(object) * up - found.fp.astype(object) * down
    return point_of(view, found.places, saved, np.full(len(view), unit, object))


def better(lower: Gap | OperatingPoint, upper: Gap | OperatingPoint) -> Gap | OperatingPoint:
    if isinstance(lower, Gap) and isinstance(upper, Gap):
        return larger(lower, upper)
    assert isinstance(lower, OperatingPoint)
    assert isinstance(upper, OperatingPoint)
    return highest(lower, upper)


def best_threshold(
    found: Gap | OperatingPoint | None, totals: Totals, criterion: str, fp: float, fn: float
) -> MetricColumn:
    if found is None:  # slices without positives
        found = nothing_called(len(totals.positives))
    missing = missing_classes(totals.positives, totals.negatives, REQUIRED[criterion])
    whys = {place: why for place, why in enumerate(missing.tolist()) if why is not None}
    numbers = found.threshold.copy()
    numbers[list(whys)] = np.nan
    if isinstance(found, Gap) or criterion != "cost":
        return MetricColumn(numbers, whys)
    unit, price = exact(1, totals.power), decimal(fn)
    costs = [
        rounded((price * positives - Fraction(above, below)) * unit)
        for positives, above, below in zip(totals.positives.tolist(), *found[:2], strict=True)
    ]
    return MetricColumn(numbers, whys, {"cost": costs})


@metric_class
class BestThreshold(CurveMetric):
    """A metric whose costs belong to one criterion."""

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        if params["criterion"] != "cost" and (params["fp"], params["fn"]) != (1, 1):
            raise errors.COST_ONLY(criterion=params["criterion"])
        return super().state_spec(params)


METRIC = BestThreshold(
    formula=(
        "youden: the t of max TPR(t) − FPR(t) · f1: the t of max 2·TP/(2·TP + FP + FN) · cost: the "
        "t of min fp·FP(t) + fn·FN(t)"
    ),
    tex=(
        r"\arg\max_t \left(\mathrm{TPR}(t) - \mathrm{FPR}(t)\right) \quad \text{or} \quad "
        r"\arg\max_t \frac{2 \mathrm{TP}(t)}{2 \mathrm{TP}(t) + \mathrm{FP}(t) + \mathrm{FN}(t)} "
        r"\quad \text{or} \quad \arg\min_t \left(c_{fp} \mathrm{FP}(t) + c_{fn} "
        r"\mathrm{FN}(t)\right)"
    ),
    reading=(
        "The lowest score to call positive: `score >= threshold`. It is one of the scores in the "
        "data, or infinite where no score is better than calling nothing positive."
    ),
    range="a score of the data, or infinite",
    better="depends",
    pitfalls=(
        (
            "It is chosen on these rows; on new rows it is not quite the best, more so with few "
            "positives."
        ),
        (
            "Youden's criterion treats a false alarm and a missed positive as equally bad for "
            "classes of equal size. With imbalanced classes it calls far too many rows positive."
        ),
        "Some tools give the midpoint between two scores (pROC: 0.205 where this gives 0.22).",
    ),
    reference="Youden (1950), Cancer 3(1):32.",
    chinese="最佳阈值",
    example="sy.best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    part=best,
    join=better,
    value=best_threshold,
    interval=NOT_SMOOTH,
    parameters=(
        choice(
            "criterion",
            "youden",
            "f1",
            "cost",
            means="what is best: the largest TPR − FPR (youden) or F1 (f1), or the least cost",
        ),
        number("fp", 1.0, least=0, means="what a false positive costs, if the criterion is cost"),
        number("fn", 1.0, least=0, means="what a false negative costs, if the criterion is cost"),
    ),
    requires=(),  # see REQUIRED
)
