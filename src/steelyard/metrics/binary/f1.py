"""F1: the harmonic mean of precision and recall, by counts.

2·TP / (2·TP + FP + FN)

>>> import steelyard as sy
>>> sy.f1([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], threshold=0.3)
0.8
"""

from steelyard.metrics.binary.fbeta import fbeta
from steelyard.metrics.record import CountMetric, Counts
from steelyard.model import Value


def f1(cells: Counts) -> Value:
    return fbeta(cells, 1)


METRIC = CountMetric(name="f1", doc=__doc__, value=f1)
