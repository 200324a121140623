"""Specificity: the share of rows of other classes that are not predicted as a class, averaged."""

from steelyard.metrics.binary.specificity import specificity
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NO_NEGATIVES

METRIC = ClassMetric(
    formula="S_c = TN_c / (TN_c + FP_c) · macro: mean of S_c",
    tex=r"S_c = \frac{TN_c}{TN_c + FP_c},\qquad S_{macro} = \frac{1}{|C|}\sum_{c \in C} S_c",
    reading=(
        "For each class the share of the other rows that the class is not given to by mistake; "
        "then the mean over classes. A binary average is the value of the positive class."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "Where there are many classes it is near 1 for any model: most rows are of other classes.",
        "Unlike in recall, a class that is never true has a value, which enters the mean.",
    ),
    reference="Yerushalmy (1947), Public Health Reports 62(40):1432",
    chinese="特异度（宏平均、微平均、加权平均）",
    example='sy.specificity(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    aliases=("tnr",),
    quotient=specificity,
    nothing=NO_NEGATIVES,
)
