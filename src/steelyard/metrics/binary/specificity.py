"""Specificity: the share of the negatives that are called negative."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_NEGATIVES
from steelyard.metrics.influence import Quotient


def specificity(cells: Counts) -> Quotient:
    return cells.tn, cells.fp + cells.tn


METRIC = CountMetric(
    formula="TN / (TN + FP) = 1 − FPR",
    tex=r"\frac{\mathrm{TN}}{\mathrm{TN} + \mathrm{FP}} = 1 - \mathrm{FPR}",
    reading=(
        "The share of the negatives that raises no alarm. Together with recall (sensitivity) it "
        "says how well a model treats each class, whatever their sizes."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "It is 1 if nothing is called positive: read it together with recall.",
        "0.99 sounds safe, but of a million negatives 10,000 are called positive.",
        (
            "Sensitivity is about the positives, specificity about the negatives: they are often "
            "confused."
        ),
    ),
    reference="Yerushalmy (1947), Public Health Reports 62(40):1432.",
    seed="002",
    chinese="特异度（又称特异性、真负例率）",
    example="sy.specificity([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("tnr",),
    quotient=specificity,
    why=NO_NEGATIVES,
)
