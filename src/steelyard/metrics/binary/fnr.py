"""False negative rate: the share of the positives that are called negative."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_POSITIVES
from steelyard.metrics.influence import Quotient


def fnr(cells: Counts) -> Quotient:
    return cells.fn, cells.tp + cells.fn


METRIC = CountMetric(
    formula="FN / (FN + TP) = 1 − recall",
    tex=r"\frac{\mathrm{FN}}{\mathrm{FN} + \mathrm{TP}} = 1 - \text{recall}",
    reading="The share of the positives that is missed.",
    range="0 to 1",
    better="lower",
    pitfalls=(
        "It is 0 if everything is called positive: read it together with the false positive rate.",
        "It is not the share of negative calls that are wrong: that is 1 − `npv`.",
    ),
    reference="Yerushalmy (1947), Public Health Reports 62(40):1432.",
    chinese="假负率（又称漏诊率、假负例率）",
    example="sy.fnr([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    quotient=fnr,
    why=NO_POSITIVES,
)
