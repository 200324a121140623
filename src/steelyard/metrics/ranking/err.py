"""ERR: the expected 1/rank of the row where a reader stops; a higher grade stops more readers.

In a tied block, the chance of passing j rows is the j-th elementary symmetric mean of the chances
of passing each row; chances below 2⁻⁶⁰ are left out. A list with a block that would take more than
ten seconds has no value.
"""

from steelyard import errors
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import count
from steelyard.metrics.ranking.gains import LARGEST_POWER, beyond
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists

TOO_LONG = (
    "a group has too many tied rows to average over all their orders; ties=stable takes one order"
)


def err(lists: Lists, relevant: Array, max_grade: int, rel: float, k: int | None) -> Floats:
    invalid = beyond(lists, max_grade)
    if invalid is not None:
        raise errors.BEYOND_MAX_GRADE(most=max_grade, value=invalid)
    return lists.term("stops", max_grade=max_grade, k=k)


METRIC = RankingMetric(
    formula=(
        "Σ 1/i · s_i · Π over j < i of (1 − s_j), averaged over groups, where s = (2^grade − "
        "1)/2^max_grade"
    ),
    tex=(
        r"\frac{1}{|G|} \sum_{g \in G} \sum_{i=1}^{k} \frac{s_i}{i} \prod_{j \lt i} (1 - s_j) "
        r"\quad \text{with } s = \frac{2^{\mathrm{grade}} - 1}{2^{g_{\max}}}"
    ),
    reading=(
        "A reader goes down the list and stops once satisfied: the mean of 1/rank of that row. "
        "Rows after an excellent one hardly count."
    ),
    range="0 to below 1",
    better="higher",
    pitfalls=(
        (
            "`max_grade` is a property of the data set, not of the rows at hand: with another one "
            "all values change."
        ),
        (
            "With grades of 0 and 1 pass `max_grade=1`; otherwise a relevant row satisfies one "
            "reader in sixteen only."
        ),
        "It is about the first good row; where readers need many results, use NDCG or recall.",
    ),
    reference="Chapelle et al. (2009), CIKM, 621.",
    chinese="预期倒数排名",
    example="sy.err([4, 0, 2], [0.9, 0.8, 0.7])",
    value=err,
    no_value=TOO_LONG,
    parameters=ranking_parameters(
        count(
            "max_grade", 4, most=LARGEST_POWER, means="the highest grade that the judges can give"
        )
    ),
)
