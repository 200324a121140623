"""Average precision: precision averaged over the positives, a tied block being one threshold.

Σ over thresholds of (R_k − R_{k−1})·P_k, the step rule

>>> import steelyard as sy
>>> sy.average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
0.8333333333333334

Each threshold's precision is taken to 93 binary places (more under extreme imbalance), cut; the sum
is exact, the result rounded once.
"""

from steelyard.metrics.curves.fixed_point import places, sum_of_quotients
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def precision_sum(chunk: Chunk) -> int:
    return sum_of_quotients(
        chunk.long_pos, chunk.long_tp, chunk.long_tp + chunk.long_fp, chunk.totals
    )


def ap(sums: list[int], totals: Totals) -> Value:
    return ratio(sum(sums), totals.positives << places(totals), NO_POSITIVES)


METRIC = CurveMetric(
    name="ap",
    doc=__doc__,
    aliases=("average_precision",),
    part=precision_sum,
    value=ap,
    needs=("positives",),
)
