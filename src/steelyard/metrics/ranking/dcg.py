"""DCG: the gains of a ranked list, each discounted by its rank."""

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.influence import PLAIN
from steelyard.metrics.ranking.gains import GAIN, gains
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def dcg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    return gains(lists, "discounted_gain", gain, k)


METRIC = RankingMetric(
    scale=PLAIN,
    formula=(
        "Σ gain/log2(rank + 1) over the first k ranks, averaged over groups; gain is the grade, or "
        "2^grade − 1"
    ),
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \sum_{i=1}^{k} \frac{\mathrm{gain}_i}{\log_2(i + 1)} \quad "
        r"\text{with } \mathrm{gain} = \mathrm{rel} \text{ or } 2^{\mathrm{rel}} - 1"
    ),
    reading=(
        "The relevance of a list for a reader who pays less attention to lower ranks: rank 1 "
        "counts in full, rank 3 half, rank 7 a third."
    ),
    range="0 and above",
    better="higher",
    pitfalls=(
        (
            "It has no upper limit and depends on the number of relevant rows of a group: `ndcg` "
            "divides by the best possible value."
        ),
        (
            "Linear and 2^grade − 1 gains are both called DCG. LightGBM, XGBoost and TF-Ranking "
            "use the second, trec_eval and scikit-learn the first."
        ),
    ),
    reference=(
        "Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422; 2^grade − 1: Burges et al. (2005), "
        "ICML, 89."
    ),
    seed="000",
    chinese="折损累计增益",
    example="sy.dcg([3, 2, 3, 0, 1, 2], [6, 5, 4, 3, 2, 1], k=6)",
    aliases=("dcg_score",),
    value=dcg,
    parameters=ranking_parameters(GAIN),
)
