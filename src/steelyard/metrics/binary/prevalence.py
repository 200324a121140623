"""Prevalence: the share of the rows that are positive (in ads, the click-through rate).

P / (P + N)

>>> import steelyard as sy
>>> sy.prevalence([1, 0, 0, 0], [0.9, 0.4, 0.6, 0.1])
0.25
"""

from steelyard.metrics.record import CountMetric, Counts
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value


def prevalence(cells: Counts) -> Value:
    return ratio(cells.positives, cells.all, NO_ROWS)


METRIC = CountMetric(name="prevalence", doc=__doc__, value=prevalence, parameters=())
