"""FPR at a TPR: the smallest false positive rate among thresholds with at least that TPR.

min of FP/N over TP ≥ tpr·P; calling nothing positive is a threshold too, with both rates 0

>>> import steelyard as sy
>>> sy.fpr_at_tpr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], tpr=0.9)
0.5
"""

from math import ceil

from steelyard.metrics.parameter import number
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_NEGATIVES, decimal, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def least_false(chunk: Chunk, tpr: float) -> int:
    if tpr == 0:
        return 0
    enough = chunk.tp >= ceil(decimal(tpr) * chunk.totals.positives)
    return int(chunk.fp[enough].min(initial=chunk.totals.negatives))


def fpr_at_tpr(false: list[int], totals: Totals, tpr: float) -> Value:
    return ratio(min(false), totals.negatives, NO_NEGATIVES)


METRIC = CurveMetric(
    name="fpr_at_tpr",
    doc=__doc__,
    part=least_false,
    value=fpr_at_tpr,
    parameters=(number("tpr", least=0, most=1),),
)
