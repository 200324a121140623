"""NDCG: the DCG of a ranked list over that of the best order of its group.

DCG@k / IDCG@k, where IDCG takes the k largest gains of all the group's rows, listed or not

>>> import steelyard as sy
>>> sy.ndcg([0, 1, 2], [0.3, 0.2, 0.1], k=1), sy.ndcg([2, 1, 0], [0.3, 0.2, 0.1])
(0.0, 1.0)

Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422; ties: McSherry & Najork (2008), ECIR, 414.
"""

import numpy as np

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.ranking.gains import GAIN, dcg, ideal_dcg
from steelyard.model import Array, Floats
from steelyard.states import Lists


def ndcg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    # A block's mean gain may round up to its largest.
    shares: Floats = np.minimum(dcg(lists, gain, k) / ideal_dcg(lists, gain, k), 1.0)
    return shares


METRIC = RankingMetric(name="ndcg", doc=__doc__, value=ndcg, parameters=ranking_parameters(GAIN))
