"""MRR: the mean over groups of 1/rank of the first relevant row; 0 where none is found.

Ties are taken in expectation: the first of r relevant rows among n tied ones is the j-th with the
probability C(n − j, r − 1)/C(n, r).
"""

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def reciprocal_rank(lists: Lists, relevant: Array, rel: float, k: int | None) -> Floats:
    return lists.term("reciprocal", rel=rel, k=k)


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
