"""Recall at a precision: the largest recall among thresholds with at least that precision.

max of TP/P over TP ≥ precision·(TP + FP)

>>> import steelyard as sy
>>> sy.recall_at_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], precision=0.9)
0.5
"""

from steelyard.metrics.parameter import number
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, decimal, ratio
from steelyard.model import Undefined, Value
from steelyard.states import Chunk, Totals

FITS_INT64 = 1 << 31  # a factor below this times a narrow column


def most_found(chunk: Chunk, precision: float) -> int:
    """The largest TP at that precision; 0 where no threshold reaches it."""
    wanted = decimal(precision)
    tp, called = chunk.tp, chunk.tp + chunk.fp
    if wanted.denominator >= FITS_INT64:
        tp, called = tp.astype(object), called.astype(object)
    precise = tp * wanted.denominator >= called * wanted.numerator
    return int(chunk.tp[precise].max(initial=0))


def recall_at_precision(found: list[int], totals: Totals, precision: float) -> Value:
    if not any(found):
        wanted = repr(precision).removesuffix(".0")
        return Undefined(f"no threshold has a precision of {wanted} or more")
    return ratio(max(found), totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    name="recall_at_precision",
    doc=__doc__,
    part=most_found,
    value=recall_at_precision,
    parameters=(number("precision", least=0, most=1),),
    needs=("positives",),
)
