"""F-beta: the harmonic mean of precision and recall, where recall counts beta² times as much."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import decimal
from steelyard.metrics.influence import Quotient
from steelyard.metrics.parameter import THRESHOLD, number

NOTHING_TO_FIND = "there are no positives and no row is called positive"


def fbeta(cells: Counts, beta: float) -> Quotient:
    recall, precision = (decimal(beta) ** 2).as_integer_ratio()  # their shares of the whole
    hits = (precision + recall) * cells.tp
    return hits, hits + recall * cells.fn + precision * cells.fp


METRIC = CountMetric(
    formula="(1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP)",
    tex=(
        r"\frac{(1 + \beta^2) \mathrm{TP}}{(1 + \beta^2) \mathrm{TP} + \beta^2 \mathrm{FN} + "
        r"\mathrm{FP}}"
    ),
    reading=(
        "F1 where one kind of error matters more: with beta 2 a missed positive counts four times "
        "as much as a false alarm, with beta 0.5 a quarter as much."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "The weight of recall is beta², not beta: beta 2 means four to one.",
        "Values of different beta cannot be compared.",
        "Like F1, it depends on prevalence and on the threshold.",
    ),
    reference="van Rijsbergen, Information Retrieval (1979), chapter 7.",
    chinese="Fβ 值",
    example="sy.fbeta([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1], beta=2)",
    aliases=("fbeta_score",),
    quotient=fbeta,
    why=NOTHING_TO_FIND,
    parameters=(
        number("beta", above=0, means="how much recall counts: beta² times as much as precision"),
        THRESHOLD,
    ),
)
