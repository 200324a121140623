"""False positive rate: the share of the negatives that are called positive."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_NEGATIVES
from steelyard.metrics.influence import Quotient


def fpr(cells: Counts) -> Quotient:
    return cells.fp, cells.fp + cells.tn


METRIC = CountMetric(
    formula="FP / (FP + TN) = 1 − specificity",
    tex=r"\frac{\mathrm{FP}}{\mathrm{FP} + \mathrm{TN}} = 1 - \text{specificity}",
    reading=(
        "The share of the negatives that raises a false alarm. It is the horizontal axis of the "
        "ROC curve."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "A small rate of many negatives is a large number: 1 % of a million negatives are "
            "10,000 false alarms, which may hide a thousand true ones."
        ),
        "It is 0 if nothing is called positive: read it together with recall.",
    ),
    reference="Fawcett (2006), Pattern Recognition Letters 27(8):861.",
    seed="000",
    chinese="假正例率",
    example="sy.fpr([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    quotient=fpr,
    why=NO_NEGATIVES,
)
