"""Precision: the share of rows predicted as a class that are of it, averaged over classes."""

from steelyard.metrics.binary.precision import precision
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NONE_CALLED

METRIC = ClassMetric(
    formula=(
        "P_c = TP_c / (TP_c + FP_c) · macro: mean of P_c · micro: ΣTP / Σ(TP+FP) · weighted: Σ "
        "n_c·P_c / Σ n_c"
    ),
    tex=r"P_c = \frac{TP_c}{TP_c + FP_c},\qquad P_{macro} = \frac{1}{|C|}\sum_{c \in C} P_c",
    reading=(
        "How far a predicted class can be trusted: each class is taken against all others, and the "
        "classes' values are averaged. With macro all classes count the same, with weighted each "
        "counts by its true rows, micro pools all rows."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "Weighted, like macro, leaves out a class that is never predicted, however many rows "
            "it has: check the number of classes used, or pass zero_division=0."
        ),
        (
            "A class that is never predicted has no precision (0/0): it is left out and counted; "
            "scikit-learn takes it as 0, as zero_division=0 does here."
        ),
        (
            "Since every row has one prediction, micro precision, recall and F1 all equal the "
            "accuracy."
        ),
        "With macro a class of ten rows counts as much as one of a million.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="精确率（宏平均、微平均、加权平均）",
    example='sy.precision(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    aliases=("precision_score",),
    seed="004",
    quotient=precision,
    nothing=NONE_CALLED,
)
