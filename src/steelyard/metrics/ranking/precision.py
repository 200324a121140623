"""Precision at k: the share of the first k ranks that is relevant."""

import numpy as np

from steelyard.metrics.division import quotients
from steelyard.metrics.group_metrics import NEEDED_K, RankingMetric, ranking_parameters
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def precision(lists: Lists, relevant: Array, denominator: str, rel: float, k: int) -> Floats:
    found, parts = lists.columns("hits", rel=rel, k=k)
    # A list without rows has no hits: any divisor above 0 gives 0.
    divisor = k if denominator == "k" else np.maximum(np.minimum(lists.sizes, k), 1)
    return quotients(found, parts * divisor)


METRIC = RankingMetric(
    formula="hits@k / k, averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} \frac{\mathrm{hits}_k}{k}",
    reading="The share of the first k rows, such as the first screen, that is relevant.",
    range="0 to 1; at most R/k in a group with fewer than k relevant rows",
    better="higher",
    pitfalls=(
        (
            "Groups with fewer than k relevant rows cannot reach 1, so the mean is below 1 even "
            "for perfect lists; that of `r_precision` is not."
        ),
        (
            'A list shorter than k is divided by k, as trec_eval does; `denominator="min"` divides '
            "it by its length, as XGBoost does."
        ),
        "`precision(0.3)`, without the @, is another metric, at a threshold of the score.",
    ),
    reference=(
        "Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), chapter 8."
    ),
    chinese="前 k 名精确率",
    example="sy.precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=3)",
    value=precision,
    parameters=ranking_parameters(
        choice(
            "denominator",
            "k",
            "min",
            means="the denominator: k, or min for the smaller of k and the list's length",
        ),
        cut=NEEDED_K,
    ),
)
