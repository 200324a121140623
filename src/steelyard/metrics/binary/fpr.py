"""False positive rate: the share of the negatives that are called positive.

FP / (FP + TN)

>>> import steelyard as sy
>>> sy.fpr([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_NEGATIVES, ratio
from steelyard.model import Value


def fpr(cells: Counts) -> Value:
    return ratio(cells.fp, cells.negatives, NO_NEGATIVES)


METRIC = CountMetric(name="fpr", doc=__doc__, value=fpr)
