"""RBP: the relevance met by a reader who goes on to the next rank with the chance p.

(1 − p) · Σ p^(rank − 1) over the relevant ranks

>>> import steelyard as sy
>>> sy.rbp([1, 0, 1], [0.9, 0.8, 0.7], p=0.5)
0.625

Moffat & Zobel (2008), ACM TOIS 27(1):2.
"""

import numpy as np

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import number
from steelyard.metrics.value import decimal, rounded
from steelyard.model import Array, Floats
from steelyard.states import Lists, list_sums


def rbp(lists: Lists, relevant: Array, p: float, rel: float, k: int | None) -> Floats:
    rows, list_, rank = lists.top(k)
    share = lists.expected(rows, lambda grades: (grades >= rel).astype(np.float64))
    powers = np.cumprod(np.append(1.0, np.full(int(rank.max(initial=1)) - 1, p)))
    total = list_sums(list_, share * powers[rank - 1], len(lists))
    values: Floats = np.minimum(rounded(1 - decimal(p)) * total, 1.0)  # 1 − p^n may round up
    return values


METRIC = RankingMetric(
    name="rbp",
    doc=__doc__,
    value=rbp,
    parameters=ranking_parameters(number("p", 0.8, above=0, below=1)),
)
