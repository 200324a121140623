"""Negative predictive value: the share of rows not predicted as a class that are not of it."""

from steelyard.metrics.binary.npv import npv
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import ALL_CALLED

METRIC = ClassMetric(
    formula="V_c = TN_c / (TN_c + FN_c) · macro: mean of V_c",
    tex=r"V_c = \frac{TN_c}{TN_c + FN_c},\qquad V_{macro} = \frac{1}{|C|}\sum_{c \in C} V_c",
    reading=(
        "How far it can be trusted that a row is not of a class, averaged over the classes; with "
        "two classes the binary value is the precision of the class that is not positive."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "Where there are many classes it is near 1 for any model: most rows are of other classes.",
    ),
    reference="Altman & Bland (1994), BMJ 309:102",
    chinese="阴性预测值（宏平均、微平均、加权平均）",
    example='sy.npv(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    quotient=npv,
    nothing=ALL_CALLED,
)
