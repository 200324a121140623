"""R-precision: precision at rank R, where R is the number of relevant rows of the group."""

from steelyard.metrics.division import quotients
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def r_precision(lists: Lists, relevant: Array, rel: float) -> Floats:
    found, parts = lists.columns("hits_to_relevant", rel=rel)
    return quotients(found, parts * relevant)


METRIC = RankingMetric(
    formula="hits@R / R, averaged over groups",
    tex=r"\frac{1}{|G|} \sum_{g \in G} \frac{\mathrm{hits}_R}{R}",
    reading=(
        "Precision at a depth that fits each group, where precision and recall are equal. A "
        "perfect list has 1, however many relevant rows there are."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "In a group with one relevant row only rank 1 counts.",
        "The order within the first R ranks does not count, nor do lower ranks.",
        "For one list of all rows it is `break_even`.",
    ),
    reference="Buckley & Voorhees (2000), SIGIR, 33.",
    chinese="R 精确率",
    example="sy.r_precision([1, 0, 1, 1], [0.9, 0.8, 0.7, 0.6])",
    value=r_precision,
    parameters=ranking_parameters(cut=None),
)
