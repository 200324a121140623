"""Capture: the share of the positives among the top share q of all rows.

TP at depth q·(P + N), divided by P; linear inside a tied block

>>> import steelyard as sy
>>> sy.capture([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1], q=0.2)
0.5
"""

from fractions import Fraction

from steelyard.metrics.curves.depth import positives_within
from steelyard.metrics.parameter import number
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, decimal, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals

SHARE = number("q", above=0, most=1)


def captured(chunk: Chunk, q: float) -> Fraction:
    return positives_within(chunk, decimal(q) * chunk.totals.all)


def capture(found: list[Fraction], totals: Totals, q: float) -> Value:
    return ratio(sum(found), totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    name="capture",
    doc=__doc__,
    part=captured,
    value=capture,
    parameters=(SHARE,),
    needs=("positives",),
)
