"""False positive rate: the share of the rows of other classes that are predicted as a class."""

from steelyard.metrics.binary.fpr import fpr
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NO_NEGATIVES

METRIC = ClassMetric(
    formula="F_c = FP_c / (FP_c + TN_c) · macro: mean of F_c",
    tex=r"F_c = \frac{FP_c}{FP_c + TN_c},\qquad F_{macro} = \frac{1}{|C|}\sum_{c \in C} F_c",
    reading=(
        "How often rows of other classes are taken for a class, averaged over the classes; it is "
        "1 − specificity."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        "Where there are many classes it is near 0 for any model: most rows are of other classes.",
    ),
    reference="Fawcett (2006), Pattern Recognition Letters 27(8):861",
    chinese="假正例率（宏平均、微平均、加权平均）",
    example='sy.fpr(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    quotient=fpr,
    nothing=NO_NEGATIVES,
)
