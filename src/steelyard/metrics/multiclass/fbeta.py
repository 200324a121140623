"""F-beta: the harmonic mean of a class's precision and recall, recall beta² times, averaged."""

from steelyard.metrics.binary.fbeta import NOTHING_TO_FIND
from steelyard.metrics.class_metrics import AVERAGE, ZERO_DIVISION, ClassMetric, OneVsRest, Quotient
from steelyard.metrics.division import decimal
from steelyard.metrics.parameter import number


def fbeta(cells: OneVsRest, beta: float) -> Quotient:
    square = decimal(beta) ** 2
    hits = (1 + square) * cells.tp
    return hits, hits + square * cells.fn + cells.fp


METRIC = ClassMetric(
    formula="F_c = (1+β²)·TP_c / ((1+β²)·TP_c + β²·FN_c + FP_c) · macro: mean of F_c",
    tex=r"F_{\beta,c} = \frac{(1+\beta^2) TP_c}{(1+\beta^2) TP_c + \beta^2 FN_c + FP_c}",
    reading="F1 with a weight for missed rows: beta above 1 favours recall, below 1 precision.",
    range="0 to 1",
    better="higher",
    pitfalls=(
        "Values of different beta cannot be compared with each other.",
        "Micro F-beta is the accuracy for every beta, since every row has one prediction.",
    ),
    reference="van Rijsbergen, Information Retrieval (1979), chapter 7",
    chinese="Fβ 值（宏平均、微平均、加权平均）",
    example='sy.fbeta(["a", "b", "b", "c"], ["a", "b", "a", "c"], beta=2, average="macro")',
    aliases=("fbeta_score",),
    seed="004",
    parameters=(
        number("beta", above=0, means="how much recall counts: beta² times as much as precision"),
        AVERAGE,
        ZERO_DIVISION,
    ),
    quotient=fbeta,
    nothing=NOTHING_TO_FIND,
)
