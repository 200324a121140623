"""F1 at k: the harmonic mean of precision at k and recall at k."""

from steelyard.metrics.division import quotients
from steelyard.metrics.group_metrics import NEEDED_K, RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def f1(lists: Lists, relevant: Array, rel: float, k: int) -> Floats:
    found, parts = lists.columns("hits", rel=rel, k=k)
    return quotients(2 * found, parts * (k + relevant))


METRIC = RankingMetric(
    formula="2·hits@k / (k + R), averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} \frac{2 \cdot \mathrm{hits}_k}{k + R}",
    reading="Whether the first k ranks of each list have all relevant rows and few others.",
    range="0 to 1; at most 2·min(k, R)/(k + R)",
    better="higher",
    pitfalls=(
        (
            "It is the mean of each group's F1. The F1 of mean precision and mean recall is "
            "another number."
        ),
        "Unless a group has exactly k relevant rows it cannot reach 1.",
    ),
    reference=(
        "Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), chapter 8."
    ),
    chinese="前 k 名 F1 值",
    example="sy.f1_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=3)",
    value=f1,
    parameters=ranking_parameters(cut=NEEDED_K),
)
