"""Best threshold: the score at which a criterion is largest; of several, the highest."""

from fractions import Fraction

import numpy as np

from steelyard.metrics.curve_metrics import CurveMetric
from steelyard.metrics.curves.ks import Gap, gaps
from steelyard.metrics.division import NO_NEGATIVES, ratios
from steelyard.metrics.parameter import choice
from steelyard.model import Undefined, Value
from steelyard.views.curve import CurveView, SliceEntries, each_slice
from steelyard.views.totals import SliceTotals

Best = tuple[int | Fraction, float]  # the largest value and the highest score that has it


def best(view: CurveView, criterion: str) -> list[Gap] | list[Best]:
    """The best threshold of each slice."""
    return gaps(view) if criterion == "youden" else each_slice(_best_f1)(view)


def _best_f1(entries: SliceEntries) -> Best:
    """The largest F1 of one slice; only those with the largest rounded F1 are compared exactly."""
    if len(entries.scores) == 0:
        return Fraction(0), 0.0
    rounded = ratios(2 * entries.tp, entries.tp + entries.fp + entries.totals.positives)
    nearly = np.flatnonzero(rounded == rounded.max()).tolist()
    return max((_f1(entries, place), float(entries.scores[place])) for place in nearly)


def _f1(entries: SliceEntries, place: int) -> Fraction:
    tp, fp = int(entries.tp[place]), int(entries.fp[place])
    return Fraction(2 * tp, tp + fp + entries.totals.positives)


def best_threshold(found: Best, totals: SliceTotals, criterion: str) -> Value:
    if criterion == "youden" and totals.negatives == 0:
        return Undefined(NO_NEGATIVES)
    return found[1]


METRIC = CurveMetric(
    formula="youden: the t of max TPR(t) − FPR(t) · f1: the t of max 2·TP/(2·TP + FP + FN)",
    tex=(
        r"\arg\max_t \left(\mathrm{TPR}(t) - \mathrm{FPR}(t)\right) \quad \text{or} \quad "
        r"\arg\max_t \frac{2 \mathrm{TP}(t)}{2 \mathrm{TP}(t) + \mathrm{FP}(t) + \mathrm{FN}(t)}"
    ),
    reading=(
        "The lowest score to call positive: `score >= threshold`. It is one of the scores in the "
        "data."
    ),
    range="a score of the data",
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
    join=max,  # of equals, the higher threshold
    value=best_threshold,
    parameters=(
        choice(
            "criterion",
            "youden",
            "f1",
            means="the criterion to maximise: youden is TPR − FPR, f1 is F1",
        ),
    ),
    requires=("positives",),
)
