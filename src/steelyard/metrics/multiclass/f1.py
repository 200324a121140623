"""F1: the harmonic mean of a class's precision and recall, averaged over the classes."""

from steelyard.metrics.binary.f1 import f1
from steelyard.metrics.binary.fbeta import NOTHING_TO_FIND
from steelyard.metrics.class_metrics import ClassMetric

METRIC = ClassMetric(
    formula="F_c = 2·TP_c / (2·TP_c + FP_c + FN_c) · macro: mean of F_c",
    tex=(
        r"F_c = \frac{2 TP_c}{2 TP_c + FP_c + FN_c},\qquad F_{macro} = \frac{1}{|C|}\sum_{c \in C} "
        r"F_c"
    ),
    reading=(
        "For each class a number that is high only if both precision and recall are; then the mean "
        "of them. Macro F1 is common where classes have very different sizes and all of them "
        "matter."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "Macro F1 is the mean of the classes' F1, not the F1 of macro precision and macro "
            "recall: in our worked example 0.7747 against 0.7915."
        ),
        "A class that is predicted once by mistake and never true adds a zero to the mean.",
    ),
    reference="Opitz & Burst (2019), Macro F1 and Macro F1, arXiv:1911.03347",
    chinese="F1 值（宏平均、微平均、加权平均）",
    example='sy.f1(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="weighted")',
    aliases=("f1_score",),
    seed="004",
    quotient=f1,
    nothing=NOTHING_TO_FIND,
)
