"""Negative predictive value: the share of the rows called negative that are negative."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import ALL_CALLED
from steelyard.metrics.influence import Quotient


def npv(cells: Counts) -> Quotient:
    return cells.tn, cells.tn + cells.fn


METRIC = CountMetric(
    formula="TN / (TN + FN)",
    tex=r"\frac{\mathrm{TN}}{\mathrm{TN} + \mathrm{FN}}",
    reading=(
        "How far a negative call can be trusted: it is precision with the two classes exchanged."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "Where positives are rare it is high for any model: with 2 % positives, calling "
            "everything negative gives 0.98."
        ),
        "It depends on prevalence, so a value of one population says little about another.",
    ),
    reference="Altman & Bland (1994), BMJ 309:102.",
    chinese="阴性预测值",
    example="sy.npv([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    quotient=npv,
    why=ALL_CALLED,
)
