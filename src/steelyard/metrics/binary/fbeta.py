"""F-beta: the harmonic mean of precision and recall, recall counting beta² times as much.

(1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP)

>>> import steelyard as sy
>>> sy.fbeta([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], beta=2)
0.5

van Rijsbergen, Information Retrieval (1979), chapter 7.
"""

from steelyard.metrics.parameter import THRESHOLD, number
from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import decimal, ratio
from steelyard.model import Value

NOTHING_TO_FIND = "there are no positives and no row is called positive"


def fbeta(cells: Counts, beta: float) -> Value:
    square = decimal(beta) ** 2
    hits = (1 + square) * cells.tp
    return ratio(hits, hits + square * cells.fn + cells.fp, NOTHING_TO_FIND)


METRIC = CountMetric(
    name="fbeta", doc=__doc__, value=fbeta, parameters=(number("beta", above=0), THRESHOLD)
)
