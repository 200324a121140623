"""Kolmogorov-Smirnov: the largest gap between TPR and FPR over all thresholds.

max over t of TP(t)/P − FP(t)/N

>>> import steelyard as sy
>>> sy.ks([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.5
"""

from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Array, Value
from steelyard.states import Chunk, Totals


def gaps(chunk: Chunk) -> Array:
    """(TPR − FPR)·P·N at each threshold, as whole numbers."""
    values: Array = chunk.tp * chunk.totals.negatives - chunk.fp * chunk.totals.positives
    return values


def largest_gap(chunk: Chunk) -> int:
    return int(gaps(chunk).max())


def ks(largest: list[int], totals: Totals) -> Value:
    return ratio(max(largest), totals.positives * totals.negatives, NO_ROWS)


METRIC = CurveMetric(name="ks", doc=__doc__, part=largest_gap, value=ks)
