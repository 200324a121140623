"""RBP: the relevance seen by a reader who goes on to the next rank with probability p."""

import numpy as np

from steelyard.metrics.division import decimal, rounded
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import number
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def rbp(lists: Lists, relevant: Array, p: float, rel: float, k: int | None) -> Floats:
    total = lists.term("persistence", p=p, rel=rel, k=k)
    values: Floats = np.minimum(rounded(1 - decimal(p)) * total, 1.0)  # 1 − p^n may round up
    return values


METRIC = RankingMetric(
    formula="(1 − p) · Σ p^(rank − 1) over the relevant ranks, averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} (1 - p) \sum_{i: \mathrm{rel}_i} p^{i - 1}",
    reading=(
        "The share of relevant rows among those that a reader sees, who reads two rows on average "
        "for p = 0.5, five for 0.8, twenty for 0.95."
    ),
    range="0 to 1; at most 1 − p^n for a list of n rows",
    better="higher",
    pitfalls=(
        (
            "p is part of the metric: values of different p cannot be compared, and tools have "
            "different defaults."
        ),
        "It is not normalized: a group with one relevant row cannot exceed 1 − p.",
        "Rows below the cut could add p^k at most: that is how much of the value is unknown.",
    ),
    reference="Moffat & Zobel (2008), ACM TOIS 27(1):2.",
    chinese="排序偏置精度",
    example="sy.rbp([1, 0, 1], [0.9, 0.8, 0.7], p=0.5)",
    value=rbp,
    parameters=ranking_parameters(
        number(
            "p",
            0.8,
            above=0,
            below=1,
            means="the probability that the reader goes on to the next rank",
        )
    ),
)
