"""Best F1: the largest F1 over all thresholds.

max of 2·TP / (TP + FP + P)

>>> import steelyard as sy
>>> sy.best_f1([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
0.8
"""

from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import ratios
from steelyard.model import Array, Value
from steelyard.states import Chunk, Totals


def f1s(chunk: Chunk) -> Array:
    """F1 at each threshold, rounded once."""
    return ratios(2 * chunk.tp, chunk.tp + chunk.fp + chunk.totals.positives)


def largest(chunk: Chunk) -> float:
    return float(f1s(chunk).max())


def best_f1(values: list[float], totals: Totals) -> Value:
    return max(values)


METRIC = CurveMetric(name="best_f1", doc=__doc__, part=largest, value=best_f1, needs=("positives",))
