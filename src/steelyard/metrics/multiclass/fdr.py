"""False discovery rate: the share of rows predicted as a class that are not of it, averaged."""

from steelyard.metrics.binary.fdr import fdr
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NONE_CALLED

METRIC = ClassMetric(
    formula="D_c = FP_c / (FP_c + TP_c) · macro: mean of D_c",
    tex=r"D_c = \frac{FP_c}{FP_c + TP_c},\qquad D_{macro} = \frac{1}{|C|}\sum_{c \in C} D_c",
    reading=(
        "The share of wrong rows among those predicted as each class, averaged over the classes; "
        "it is 1 − precision."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=("A class that is never predicted has none (0/0): it is left out and counted.",),
    reference="Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57(1):289",
    chinese="错误发现率（宏平均、微平均、加权平均）",
    example='sy.fdr(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    quotient=fdr,
    nothing=NONE_CALLED,
)
