"""NDCG: the DCG of a ranked list, divided by that of the best order of its group."""

import numpy as np

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.ranking.gains import GAIN, gains
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def ndcg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    # The mean gain of a block is rounded, so the quotient may be just above 1.
    found, best = (gains(lists, name, gain, k) for name in ("discounted_gain", "ideal_gain"))
    shares: Floats = np.minimum(found / best, 1.0)
    return shares


METRIC = RankingMetric(
    formula=(
        "DCG@k / IDCG@k, where IDCG takes the k largest gains of all the group's rows, listed or "
        "not"
    ),
    tex=r"\frac{1}{|G|} \sum_{g \in G} \frac{\mathrm{DCG}_k}{\mathrm{IDCG}_k}",
    reading=(
        "How close the order is to the best one, which has 1. It uses degrees of relevance, and "
        "low ranks count less."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "Gains are the grade (trec_eval, scikit-learn) or 2^grade − 1 (LightGBM, XGBoost): "
            "with grades of 0 and 1 both are the same, otherwise not."
        ),
        (
            "The best order is that of all judged rows of the group. Tools that use the retrieved "
            "list alone do not penalise relevant rows that were never found; Spark's can exceed 1."
        ),
        (
            "Groups without a relevant row have no best order: here they are left out and counted, "
            "LightGBM and XGBoost give them 1, scikit-learn 0."
        ),
        "XGBoost's `ndcg` without a cut is `ndcg@32`.",
        (
            "Short lists score high by chance: three rows with one relevant have 0.71 on average "
            "in a random order."
        ),
    ),
    reference=(
        "Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422; ties: McSherry & Najork (2008), ECIR, "
        "414."
    ),
    seed="001",
    chinese="归一化折损累计增益",
    example="sy.ndcg([3, 2, 3, 0, 1, 2, 3, 0], [8, 7, 6, 5, 4, 3, 2, 1], k=6)",
    aliases=("ndcg_score",),
    value=ndcg,
    parameters=ranking_parameters(GAIN),
)
