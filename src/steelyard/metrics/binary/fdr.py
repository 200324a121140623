"""False discovery rate: the share of the rows called positive that are negative.

FP / (FP + TP)

>>> import steelyard as sy
>>> sy.fdr([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NONE_CALLED, ratio
from steelyard.model import Value


def fdr(cells: Counts) -> Value:
    return ratio(cells.fp, cells.tp + cells.fp, NONE_CALLED)


METRIC = CountMetric(name="fdr", doc=__doc__, value=fdr)
