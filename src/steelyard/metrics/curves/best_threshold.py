"""Best threshold: the score at which a criterion is largest; of equals, the highest.

youden: TPR − FPR · f1: 2·TP/(2·TP + FP + FN)

>>> import steelyard as sy
>>> sy.best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.8

It is the lowest score to call positive: score >= threshold. Youden (1950), Cancer 3(1):32.
"""

from fractions import Fraction

import numpy as np

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
    part=best,
    value=best_threshold,
    parameters=(choice("criterion", "youden", "f1"),),
    needs=("positives",),
)
