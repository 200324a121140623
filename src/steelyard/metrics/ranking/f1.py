"""F1 at k: precision and recall at k as one number, their harmonic mean.

2·hits@k / (k + R), averaged over groups

>>> import steelyard as sy
>>> sy.f1_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)
0.5
"""

from steelyard.metrics.over_groups import (
    NEEDED_K,
    RankingMetric,
    quotients,
    ranking_parameters,
)
from steelyard.model import Array, Floats
from steelyard.states import Lists


def f1(lists: Lists, relevant: Array, rel: float, k: int) -> Floats:
    found, parts = lists.hits_within(rel, k)
    return quotients(2 * found, parts * (k + relevant))


METRIC = RankingMetric(
    name="f1", doc=__doc__, value=f1, parameters=ranking_parameters(cut=NEEDED_K)
)
