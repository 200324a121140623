"""Precision at a recall: the largest precision among thresholds with at least that recall.

max of TP/(TP + FP) over TP ≥ recall·P

>>> import steelyard as sy
>>> sy.precision_at_recall([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], recall=0.95)
0.6666666666666666
"""

from math import ceil

from steelyard.metrics.parameter import number
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import decimal, ratios
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def best_precision(chunk: Chunk, recall: float) -> float:
    # Rounding keeps order, so the largest rounded quotient is the largest quotient, rounded.
    enough = chunk.tp >= ceil(decimal(recall) * chunk.totals.positives)
    tp, fp = chunk.tp[enough], chunk.fp[enough]
    return float(ratios(tp, tp + fp).max(initial=0.0))


def precision_at_recall(best: list[float], totals: Totals, recall: float) -> Value:
    return max(best)


METRIC = CurveMetric(
    name="precision_at_recall",
    doc=__doc__,
    part=best_precision,
    value=precision_at_recall,
    parameters=(number("recall", least=0, most=1),),
    needs=("positives",),
)
