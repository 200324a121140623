"""Specificity: the share of the negatives that are called negative.

TN / (TN + FP)

>>> import steelyard as sy
>>> sy.specificity([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_NEGATIVES, ratio
from steelyard.model import Value


def specificity(cells: Counts) -> Value:
    return ratio(cells.tn, cells.negatives, NO_NEGATIVES)


METRIC = CountMetric(name="specificity", doc=__doc__, aliases=("tnr",), value=specificity)
