"""TPR at an FPR: the largest true positive rate among thresholds with at most that FPR.

max of TP/P over FP ≤ fpr·N; calling nothing positive is a threshold too, with TPR 0

>>> import steelyard as sy
>>> sy.tpr_at_fpr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fpr=0.5)
1.0
"""

from math import floor

from steelyard.metrics.parameter import number
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, decimal, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def most_found(chunk: Chunk, fpr: float) -> int:
    allowed = chunk.fp <= floor(decimal(fpr) * chunk.totals.negatives)
    return int(chunk.tp[allowed].max(initial=0))


def tpr_at_fpr(found: list[int], totals: Totals, fpr: float) -> Value:
    return ratio(max(found), totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    name="tpr_at_fpr",
    doc=__doc__,
    part=most_found,
    value=tpr_at_fpr,
    parameters=(number("fpr", least=0, most=1),),
)
