"""F1: the harmonic mean of precision and recall, by counts."""

from steelyard.metrics.binary.fbeta import NOTHING_TO_FIND
from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.influence import Quotient


def f1(cells: Counts) -> Quotient:
    hits = 2 * cells.tp
    return hits, hits + cells.fp + cells.fn


METRIC = CountMetric(
    formula="2·TP / (2·TP + FP + FN)",
    tex=(
        r"\frac{2 \mathrm{TP}}{2 \mathrm{TP} + \mathrm{FP} + \mathrm{FN}} = \frac{2 \cdot "
        r"\text{precision} \cdot \text{recall}}{\text{precision} + \text{recall}}"
    ),
    reading=(
        "One number for two aims: to find the positives (recall) and to be right about them "
        "(precision). It is near the smaller of the two. True negatives do not count at all."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "With imbalanced classes the value at the threshold 0.5 is seldom the best one: "
            "`best_f1` tries all thresholds."
        ),
        (
            "It depends on prevalence through precision, so values of two data sets cannot be "
            "compared."
        ),
        "Means of F1 over slices or days are not the F1 of all rows: add up the counts.",
        "Without positives and without positive calls it is 0/0: no value here, 0 in scikit-learn.",
    ),
    reference="van Rijsbergen, Information Retrieval (1979), chapter 7.",
    seed="004",
    chinese="F1 值",
    example="sy.f1([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("f1_score",),
    quotient=f1,
    why=NOTHING_TO_FIND,
)
