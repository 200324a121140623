"""CG: the grades of a ranked list, added up.

Σ gain over the first k ranks

>>> import steelyard as sy
>>> sy.cg([3, 2, 3, 0, 1, 2], [6, 5, 4, 3, 2, 1], k=6)
11.0
"""

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.ranking.gains import GAIN, GAINS, checked
from steelyard.model import Array, Floats
from steelyard.states import Lists, list_sums


def cg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    checked(lists, gain)
    rows, list_, _ = lists.top(k)
    return list_sums(list_, lists.expected(rows, GAINS[gain]), len(lists))


METRIC = RankingMetric(name="cg", doc=__doc__, value=cg, parameters=ranking_parameters(GAIN))
