"""Recall at k: the share of a group's relevant rows among the first k ranks.

hits@k / R, averaged over groups; `average="micro"` pools: Σ hits / Σ R

>>> import steelyard as sy
>>> sy.recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)
0.5
"""

import numpy as np

from steelyard.metrics.over_groups import RankingMetric, quotients, ranking_parameters
from steelyard.metrics.parameter import REQUIRED, choice, count
from steelyard.model import Array, Floats
from steelyard.states import Lists


def recall(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Floats:
    found, parts = lists.hits_within(rel, k)
    return quotients(found, parts * divisor(lists, relevant, denominator, rel, k))


def divisor(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Array:
    """R, or the most that k ranks can find of it."""
    return relevant if denominator == "R" else np.minimum(relevant, k)


METRIC = RankingMetric(
    name="recall",
    doc=__doc__,
    value=recall,
    pooled=divisor,
    parameters=ranking_parameters(
        choice("average", "macro", "micro"),
        choice("denominator", "R", "min"),
        cut=count("k", REQUIRED),
    ),
)
