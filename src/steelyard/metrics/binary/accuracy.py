"""Accuracy: the share of rows that are classified correctly."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import Quotient


def accuracy(cells: Counts) -> Quotient:
    return cells.tp + cells.tn, cells.all


METRIC = CountMetric(
    formula="(TP + TN) / (TP + FP + FN + TN)",
    tex=r"\frac{\mathrm{TP} + \mathrm{TN}}{\mathrm{TP} + \mathrm{FP} + \mathrm{FN} + \mathrm{TN}}",
    reading=(
        "The share of rows whose class is predicted correctly. 0.9 means that one row in ten is "
        "wrong, in either direction."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "It says little when classes are imbalanced: 90 positives and 10 negatives, all called "
            "positive, give 0.9. `balanced_accuracy` is 0.5 there."
        ),
        (
            "In a log with 2 % clicks, calling nothing a click is 98 % accurate. Compare it with "
            "the share of the larger class, never with 0."
        ),
        "It depends on the threshold, and it treats both kinds of error alike.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427.",
    seed="004",
    chinese="准确率",
    example="sy.accuracy([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("accuracy_score",),
    quotient=accuracy,
    why=NO_ROWS,
)
