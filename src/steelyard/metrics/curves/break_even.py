"""Break-even point: precision and recall where the two are equal.

TP/P at depth TP + FP = P, linear inside a tied block

>>> import steelyard as sy
>>> sy.break_even([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
0.5
"""

from fractions import Fraction

from steelyard.metrics.curves.depth import positives_within
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def found_in_time(chunk: Chunk) -> Fraction:
    return positives_within(chunk, Fraction(chunk.totals.positives))


def break_even(found: list[Fraction], totals: Totals) -> Value:
    return ratio(sum(found), totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    name="break_even", doc=__doc__, part=found_in_time, value=break_even, needs=("positives",)
)
