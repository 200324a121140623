"""CG: the grades of a ranked list, added up."""

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.influence import PLAIN
from steelyard.metrics.ranking.gains import GAIN, gains
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def cg(lists: Lists, relevant: Array, gain: str, rel: float, k: int | None) -> Floats:
    return gains(lists, "gain", gain, k)


METRIC = RankingMetric(
    scale=PLAIN,
    formula="Σ gain over the first k ranks, averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} \sum_{i=1}^{k} \mathrm{gain}_i",
    reading="The relevance of the first k ranks, in any order. DCG and NDCG are built on it.",
    range="0 and above",
    better="higher",
    pitfalls=(
        "The order inside the first k does not count; without `@k` no order counts at all.",
        "Groups with more relevant rows gain more, so they dominate the mean.",
    ),
    reference="Järvelin & Kekäläinen (2002), ACM TOIS 20(4):422.",
    seed="000",
    chinese="累计增益",
    example="sy.cg([3, 2, 3, 0, 1, 2], [6, 5, 4, 3, 2, 1], k=6)",
    value=cg,
    parameters=ranking_parameters(GAIN),
)
