"""Precision: the share of the rows called positive that are positive."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NONE_CALLED
from steelyard.metrics.influence import Quotient


def precision(cells: Counts) -> Quotient:
    return cells.tp, cells.tp + cells.fp


METRIC = CountMetric(
    formula="TP / (TP + FP)",
    tex=r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FP}}",
    reading=(
        "How far a positive call can be trusted. 0.8 means that four positive calls in five are "
        "right; rows that are not called positive do not count."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "It depends on prevalence: if all of 10 positives and half of 20, 200 or 2000 "
            "negatives are called positive, it is 0.5, 0.0909 and 0.0099, though the error rates "
            "are the same."
        ),
        (
            "Alone it is easily high: one sure call among 100 positives has precision 1 and recall "
            "0.01."
        ),
        "If no row is called positive it is 0/0: no value here, 0 in scikit-learn.",
        "Some Chinese texts call it 准确率, which is accuracy.",
    ),
    reference="Kent, Berry, Luehrs & Perry (1955), American Documentation 6(2):93.",
    seed="000",
    chinese="精确率（又称查准率）",
    example="sy.precision([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("precision_score",),
    quotient=precision,
    why=NONE_CALLED,
)
