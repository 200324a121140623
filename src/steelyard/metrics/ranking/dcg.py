"""DCG: the gains of a ranked list, each discounted by its rank.

Σ gain/log2(rank + 1) over the first k ranks; gain is the grade, or 2^grade − 1

>>> import steelyard as sy
>>> round(sy.dcg([3, 2, 3, 0, 1, 2], [6, 5, 4, 3, 2, 1], k=6), 10)
6.8611266886

Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422.
"""

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.ranking.gains import GAIN
from steelyard.metrics.ranking.gains import dcg as sum_of
from steelyard.model import Array, Floats
from steelyard.states import Lists


def dcg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    return sum_of(lists, gain, k)


METRIC = RankingMetric(name="dcg", doc=__doc__, value=dcg, parameters=ranking_parameters(GAIN))
