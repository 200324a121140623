"""False negative rate: the share of the rows of a class that are predicted as another, averaged."""

from steelyard.metrics.binary.fnr import fnr
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NO_POSITIVES

METRIC = ClassMetric(
    formula="M_c = FN_c / (FN_c + TP_c) · macro: mean of M_c",
    tex=r"M_c = \frac{FN_c}{FN_c + TP_c},\qquad M_{macro} = \frac{1}{|C|}\sum_{c \in C} M_c",
    reading=(
        "The share of each class that is missed, averaged over the classes; it is 1 − recall."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        "A class that is predicted but never true has none (0/0): it is left out and counted.",
    ),
    reference="Yerushalmy (1947), Public Health Reports 62(40):1432",
    chinese="假负率（宏平均、微平均、加权平均）",
    example='sy.fnr(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    quotient=fnr,
    nothing=NO_POSITIVES,
)
