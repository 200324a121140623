"""Balanced accuracy: the mean of the two classes' accuracies.

(TP/(TP+FN) + TN/(TN+FP)) / 2

>>> import steelyard as sy
>>> sy.balanced_accuracy([1] * 90 + [0] * 10, [0.9] * 100)
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_ROWS, lacking, ratio
from steelyard.model import Value


def balanced_accuracy(cells: Counts) -> Value:
    positives, negatives = cells.positives, cells.negatives
    right = cells.tp * negatives + cells.tn * positives
    absent = lacking(positives, negatives, ("positives", "negatives"))
    return absent or ratio(right, 2 * positives * negatives, NO_ROWS)


METRIC = CountMetric(name="balanced_accuracy", doc=__doc__, value=balanced_accuracy)
