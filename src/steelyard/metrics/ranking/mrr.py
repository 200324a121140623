"""MRR: the mean over groups of 1/rank of the first relevant row; 0 where none is found.

Ties are taken in expectation: the first of r relevant rows among n tied ones is the j-th with the
probability C(n − j, r − 1)/C(n, r).
"""

import numpy as np

from steelyard.kernels.ragged import by_length
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def reciprocal_rank(lists: Lists, relevant: Array, rel: float, k: int | None) -> Floats:
    hits = lists.hits(rel)
    before = lists.hits_above(rel, lists.starts)
    listed = np.flatnonzero(before[1:] > before[:-1])
    blocks = lists.blocks(hits[before[:-1][listed]])
    found = lists.hits_in(rel, blocks)
    longest = len(lists.grades) if k is None else k
    values = np.zeros(len(lists))
    # The first relevant row is at one of n − r + 1 places of its block; those to rank k count.
    places = np.clip(longest - blocks.above, 0, blocks.size - found + 1)
    for some, bits in by_length(places):
        j = np.arange(1 << bits)
        n, r = blocks.size[some, None], found[some, None]
        step = np.where(j == 0, r / n, (n - j - r + 1) / np.maximum(n - j, 1))
        chance = np.cumprod(np.where(j < places[some, None], step, 0.0), axis=1)
        terms = chance / (blocks.above[some, None] + 1 + j)
        values[blocks.list[some]] = np.cumsum(terms, axis=1)[:, -1]
    return values


METRIC = RankingMetric(
    formula="1/rank of the first relevant row, averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} \frac{1}{\text{rank of the first relevant row}}",
    reading=(
        "How early the first relevant row is: 1 if it is always at rank 1, 0.5 if it is always at "
        "rank 2."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "Only the first relevant row counts, however many there are.",
        (
            "The step from rank 1 to 2 costs 0.5, that from 10 to 11 costs 0.009: it is about the "
            "first ranks."
        ),
        (
            "0.5 does not mean rank 2 on average: half of the lists at rank 1 and half without a "
            "hit also give 0.5."
        ),
    ),
    reference="Voorhees (1999), TREC-8, 77; ties: McSherry & Najork (2008), ECIR, 414.",
    chinese="平均倒数排名",
    example="sy.mrr([0, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])",
    value=reciprocal_rank,
    parameters=ranking_parameters(),
)
