"""Hit rate: the share of groups with a relevant row among the first k ranks.

If k cuts a block of n tied rows after m of them, and r of the n are relevant, the chance of a hit
is 1 − C(n − r, m)/C(n, m).
"""

from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def hit_rate(lists: Lists, relevant: Array, rel: float, k: int | None) -> Floats:
    return lists.term("hit", rel=rel, k=k)


METRIC = RankingMetric(
    formula="groups with hits@k > 0, over all groups with a relevant row",
    tex=r"\frac{1}{|G|} \sum_{g \in G} [\mathrm{hits}_k \gt 0]",
    reading="The share of users who find at least one relevant row among the first k.",
    range="0 to 1",
    better="higher",
    pitfalls=(
        "One hit counts as much as ten, and rank k as much as rank 1.",
        (
            "Some texts call pooled recall a hit rate: the hits of all users, divided by all "
            "relevant rows. That is `recall(average=micro)@k`."
        ),
        (
            "Against a hundred sampled negatives it is far higher than against the whole "
            "catalogue, and may order models differently."
        ),
    ),
    reference="Deshpande & Karypis (2004), ACM TOIS 22(1):143.",
    seed="001",
    chinese="命中率",
    example="sy.hit_rate([1, 0, 0, 1], [0.9, 0.8, 0.9, 0.8], group=[1, 1, 2, 2], k=1)",
    aliases=("hr",),
    value=hit_rate,
    parameters=ranking_parameters(),
)
