"""Recall: the share of the positives that are called positive.

TP / (TP + FN)

>>> import steelyard as sy
>>> sy.recall([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold=0.3)
1.0
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_POSITIVES, ratio
from steelyard.model import Value


def recall(cells: Counts) -> Value:
    return ratio(cells.tp, cells.positives, NO_POSITIVES)


METRIC = CountMetric(name="recall", doc=__doc__, aliases=("sensitivity", "tpr"), value=recall)
