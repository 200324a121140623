"""Best threshold: the score at which a criterion is largest; of equals, the highest."""

from fractions import Fraction

import numpy as np

from steelyard.metrics.about import About
from steelyard.metrics.curves.best_f1 import f1s
from steelyard.metrics.curves.ks import largest_gap
from steelyard.metrics.parameter import choice
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_NEGATIVES
from steelyard.model import Undefined, Value
from steelyard.states import Chunk, Totals


def best(chunk: Chunk, criterion: str) -> tuple[int | Fraction, float]:
    """The largest value of the criterion and the highest score that has it."""
    if criterion == "youden":
        largest, place = largest_gap(chunk)
        return largest, float(chunk.scores[place])
    rounded = f1s(chunk)
    nearly = [int(i) for i in np.flatnonzero(rounded == rounded.max())]
    exact = [_f1(chunk, i) for i in nearly]
    value = max(exact)
    return value, float(chunk.scores[nearly[exact.index(value)]])


def _f1(chunk: Chunk, i: int) -> Fraction:
    tp, fp = int(chunk.tp[i]), int(chunk.fp[i])
    return Fraction(2 * tp, tp + fp + chunk.totals.positives)


def best_threshold(
    found: list[tuple[int | Fraction, float]], totals: Totals, criterion: str
) -> Value:
    if criterion == "youden" and totals.negatives == 0:
        return Undefined(NO_NEGATIVES)
    return max(found, key=lambda pair: pair[0])[1]  # the first of equals: chunks run high to low


METRIC = CurveMetric(
    name="best_threshold",
    doc=__doc__,
    about=About(
        formula="youden: the t of max TPR(t) − FPR(t) · f1: the t of max 2·TP/(2·TP + FP + FN)",
        tex=(
            r"\arg\max_t \left(\mathrm{TPR}(t) - \mathrm{FPR}(t)\right) \quad \text{or} \quad "
            r"\arg\max_t \frac{2 \mathrm{TP}(t)}{2 \mathrm{TP}(t) + \mathrm{FP}(t) + "
            r"\mathrm{FN}(t)}"
        ),
        reading=(
            "The lowest score to call positive: `score >= threshold`. It is a score of the "
            "data, on the data's own scale."
        ),
        range="a score of the data",
        better="depends",
        pitfalls=(
            (
                "It is chosen on these rows; on new rows it is a little off, the more so the "
                "fewer positives there are."
            ),
            (
                "Youden's criterion takes a false alarm and a miss for equally bad at equal class "
                "sizes. Under imbalance it calls far too many."
            ),
            (
                "Some tools give the midpoint between two scores (pROC: 0.205 where this gives "
                "0.22)."
            ),
        ),
        reference="Youden (1950), Cancer 3(1):32.",
        chinese="最佳阈值",
        example="sy.best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    ),
    part=best,
    value=best_threshold,
    parameters=(
        choice(
            "criterion",
            "youden",
            "f1",
            means="what is to be largest: youden is TPR − FPR, f1 is F1",
        ),
    ),
    needs=("positives",),
)
