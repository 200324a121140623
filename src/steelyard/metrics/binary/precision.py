"""Precision: the share of the rows called positive that are positive.

TP / (TP + FP)

>>> import steelyard as sy
>>> sy.precision([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NONE_CALLED, ratio
from steelyard.model import Value


def precision(cells: Counts) -> Value:
    return ratio(cells.tp, cells.tp + cells.fp, NONE_CALLED)


METRIC = CountMetric(name="precision", doc=__doc__, value=precision)
