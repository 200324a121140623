"""Accuracy: the share of rows that are called right.

(TP + TN) / (TP + FP + FN + TN)

>>> import steelyard as sy
>>> sy.accuracy([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5

Under imbalance it says little: 90 positives and 10 negatives, all called positive, make 0.9.
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value


def accuracy(cells: Counts) -> Value:
    return ratio(cells.tp + cells.tn, cells.all, NO_ROWS)


METRIC = CountMetric(name="accuracy", doc=__doc__, value=accuracy)
