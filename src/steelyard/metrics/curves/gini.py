"""Gini: AUC on a scale where chance is 0, also Somers' D of score on label.

2·AUC − 1

>>> import steelyard as sy
>>> sy.gini([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.5
"""

from steelyard.metrics.curves.auc import doubled_area
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value
from steelyard.states import Totals


def gini(areas: list[int], totals: Totals) -> Value:
    pairs = totals.positives * totals.negatives
    return ratio(sum(areas) - pairs, pairs, NO_ROWS)


METRIC = CurveMetric(name="gini", doc=__doc__, part=doubled_area, value=gini)
