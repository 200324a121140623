"""Precision at k: the share of the first k ranks that is relevant.

hits@k / k, averaged over groups; `denominator="min"` divides a shorter list by its length

>>> import steelyard as sy
>>> sy.precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=4)
0.5
"""

import numpy as np

from steelyard.metrics.over_groups import (
    NEEDED_K,
    RankingMetric,
    quotients,
    ranking_parameters,
)
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.states import Lists


def precision(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Floats:
    found, parts = lists.hits_within(rel, k)
    # A list of no rows has found none: any divisor will do.
    of = k if denominator == "k" else np.maximum(np.minimum(lists.sizes, k), 1)
    return quotients(found, parts * of)


METRIC = RankingMetric(
    name="precision",
    doc=__doc__,
    value=precision,
    parameters=ranking_parameters(choice("denominator", "k", "min"), cut=NEEDED_K),
)
