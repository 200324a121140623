"""MAP: the mean over groups of average precision, the precision at the ranks of relevant rows."""

import numpy as np

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def average_precision(
    lists: Lists, relevant: Array, denominator: str, rel: float, k: int | None
) -> Floats:
    total = lists.term("precisions", rel=rel, k=k)
    return total / (relevant if denominator == "R" else np.minimum(relevant, k or relevant))


METRIC = RankingMetric(
    formula="Σ over relevant ranks i ≤ k of hits@i / i, over R; averaged over groups",
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \frac{1}{R} \sum_{i \le k, \mathrm{rel}_i} "
        r"\frac{\mathrm{hits}_i}{i}"
    ),
    reading=(
        "The mean, over the relevant rows, of the precision down to each of them. Relevant rows "
        "that are not found count as 0, so a high value needs all of them, and early."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "With a cut tools divide by R (trec_eval), by min(R, k) (LightGBM, XGBoost, Spark) or "
            "by the hits (torchmetrics): `denominator` says which."
        ),
        (
            "Ties do occur: on a TREC run with 99.5 % tied rows one rule gives 0.0737, another "
            "0.0582. Here it is the mean over all orders."
        ),
        (
            "Groups without a relevant row are left out and counted; tools that give them 0 or 1 "
            "change the mean."
        ),
        "Rows are relevant or not (`rel`): for degrees of relevance use NDCG.",
    ),
    reference="Buckley & Voorhees (2000), SIGIR, 33; ties: McSherry & Najork (2008), ECIR, 414.",
    seed="000",
    chinese="平均精度均值",
    example="sy.map([1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6])",
    aliases=("mean_average_precision",),
    value=average_precision,
    parameters=ranking_parameters(
        choice(
            "denominator",
            "R",
            "min",
            means=(
                "the denominator: R is the number of relevant rows, min is the smaller of R and k"
            ),
        )
    ),
)
