"""Recall at k: the share of a group's relevant rows among the first k ranks.

hits@k / R, averaged over groups; `average="micro"` pools: Σ hits / Σ R

>>> import steelyard as sy
>>> sy.recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)
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


def recall(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Floats:
    found, parts = lists.hits_within(rel, k)
    return quotients(found, parts * _divisor(relevant, denominator, k))


def hits_and_divisor(
    lists: Lists, relevant: Array, denominator: str, rel: float, k: int
) -> tuple[Array, Array, Array]:
    """What is pooled: the hits of each list, in parts where k cuts a tie, and their divisor."""
    return (*lists.hits_within(rel, k), _divisor(relevant, denominator, k))


def _divisor(relevant: Array, denominator: str, k: int) -> Array:
    """R, or the most that k ranks can find of it."""
    return relevant if denominator == "R" else np.minimum(relevant, k)


METRIC = RankingMetric(
    name="recall",
    doc=__doc__,
    value=recall,
    pooled=hits_and_divisor,
    parameters=ranking_parameters(
        choice("average", "macro", "micro"),
        choice("denominator", "R", "min"),
        cut=NEEDED_K,
    ),
)
