"""Lift: how many times denser the positives are among the top share q of all rows.

capture(q) / q

>>> import steelyard as sy
>>> sy.lift([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1], q=0.2)
2.5
"""

from fractions import Fraction

from steelyard.metrics.curves.capture import SHARE, captured
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, decimal, ratio
from steelyard.model import Value
from steelyard.states import Totals


def lift(found: list[Fraction], totals: Totals, q: float) -> Value:
    return ratio(sum(found), decimal(q) * totals.positives, NO_POSITIVES)


METRIC = CurveMetric(
    name="lift", doc=__doc__, part=captured, value=lift, parameters=(SHARE,), needs=("positives",)
)
