"""Recall: the share of the positives that are called positive."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import Quotient


def recall(cells: Counts) -> Quotient:
    return cells.tp, cells.tp + cells.fn


METRIC = CountMetric(
    formula="TP / (TP + FN)",
    tex=r"\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FN}}",
    reading="The share of the positives that is found. It is the vertical axis of the ROC curve.",
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "It is 1 if everything is called positive: read it together with precision or the "
            "false positive rate."
        ),
        (
            "All positives must be known. If only rows that were shown have labels, it is the "
            "recall among rows that were shown."
        ),
        "`recall@10` is another metric, of ranked lists.",
    ),
    reference="Kent, Berry, Luehrs & Perry (1955), American Documentation 6(2):93.",
    seed="000",
    chinese="召回率（又称查全率、灵敏度、真正例率）",
    example="sy.recall([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("sensitivity", "tpr", "recall_score"),
    quotient=recall,
    why=NO_POSITIVES,
)
