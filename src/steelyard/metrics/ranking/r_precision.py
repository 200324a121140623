"""R-precision: precision at rank R, the number of relevant rows that the group has.

hits@R / R

>>> import steelyard as sy
>>> sy.r_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
0.5
"""

from steelyard.metrics.over_groups import RankingMetric, quotients, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.states import Lists


def r_precision(lists: Lists, relevant: Array, rel: float) -> Floats:
    found, parts = lists.hits_within(rel, relevant)
    return quotients(found, parts * relevant)


METRIC = RankingMetric(
    name="r_precision", doc=__doc__, value=r_precision, parameters=ranking_parameters(cut=None)
)
