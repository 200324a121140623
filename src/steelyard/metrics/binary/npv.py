"""Negative predictive value: the share of the rows called negative that are negative.

TN / (TN + FN)

>>> import steelyard as sy
>>> sy.npv([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import ALL_CALLED, ratio
from steelyard.model import Value


def npv(cells: Counts) -> Value:
    return ratio(cells.tn, cells.tn + cells.fn, ALL_CALLED)


METRIC = CountMetric(name="npv", doc=__doc__, value=npv)
