"""Recall at k: the share of a group's relevant rows among the first k ranks."""

import numpy as np

from steelyard.metrics.division import quotients
from steelyard.metrics.group_metrics import NEEDED_K, RankingMetric, ranking_parameters
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def recall(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Floats:
    found, parts = lists.columns("hits", rel=rel, k=k)
    return quotients(found, parts * _divisor(relevant, denominator, k))


def hits_and_divisor(
    lists: Lists, relevant: Array, denominator: str, rel: float, k: int
) -> tuple[Array, Array, Array]:
    """The hits of each list, as fractions where k cuts a tied block, and their divisor."""
    found, parts = lists.columns("hits", rel=rel, k=k)
    return found, parts, _divisor(relevant, denominator, k)


def _divisor(relevant: Array, denominator: str, k: int) -> Array:
    """R, or the number of relevant rows that k ranks can have at most."""
    return relevant if denominator == "R" else np.minimum(relevant, k)


METRIC = RankingMetric(
    formula="hits@k / R, averaged over groups; pooled: Σ hits@k / Σ R",
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \frac{\mathrm{hits}_k}{R} \quad \text{or} \quad "
        r"\frac{\sum_g \mathrm{hits}_k}{\sum_g R}"
    ),
    reading=(
        "The share of the relevant rows of a user that is among the first k. It is commonly used "
        "for the first stage of a recommender, which selects candidates."
    ),
    range="0 to 1; at most k/R in a group with more than k relevant rows",
    better="higher",
    pitfalls=(
        (
            'A group with more than k relevant rows cannot reach 1: `denominator="min"` divides by '
            "min(R, k), as LensKit does."
        ),
        (
            "The mean over users and the pooled share differ if some users have many relevant "
            "rows: `average` says which."
        ),
        "`recall(0.3)`, without the @, is another metric, at a threshold of the score.",
    ),
    reference=(
        "Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), chapter 8."
    ),
    seed="001",
    chinese="前 k 名召回率",
    example="sy.recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)",
    value=recall,
    pooled=hits_and_divisor,
    parameters=ranking_parameters(
        choice(
            "average",
            "macro",
            "micro",
            means="macro is the mean over groups, micro pools: all hits over all relevant rows",
        ),
        choice(
            "denominator",
            "R",
            "min",
            means=(
                "the denominator: R is the number of relevant rows, min is the smaller of R and k"
            ),
        ),
        cut=NEEDED_K,
    ),
)
