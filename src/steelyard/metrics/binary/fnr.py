"""False negative rate: the share of the positives that are called negative.

FN / (FN + TP)

>>> import steelyard as sy
>>> sy.fnr([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.5
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_POSITIVES, ratio
from steelyard.model import Value


def fnr(cells: Counts) -> Value:
    return ratio(cells.fn, cells.positives, NO_POSITIVES)


METRIC = CountMetric(name="fnr", doc=__doc__, value=fnr)
