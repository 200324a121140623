"""Confusion: the four cells at a threshold, rows or weight.

TP: positive, called positive · FP: negative, called positive
FN: positive, called negative · TN: negative, called negative

>>> import steelyard as sy
>>> sy.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
Confusion(tp=1, fp=1, fn=1, tn=1)
>>> sy.confusion([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], sample_weight=[1, 1, 0.5, 1])
Confusion(tp=1, fp=0.5, fn=1, tn=1)
"""

from fractions import Fraction

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import rounded
from steelyard.model import Confusion


def confusion(cells: Counts) -> Confusion:
    def weight(cell: int) -> int | float:
        exact = Fraction(cell, cells.scale)
        return exact.numerator if exact.denominator == 1 else rounded(exact)

    return Confusion(*(weight(cell) for cell in cells[:4]))


METRIC = CountMetric(name="confusion", doc=__doc__, value=confusion, shape=Confusion)
