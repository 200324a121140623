"""Recall: the share of rows of a class that are predicted as it, averaged over classes."""

from steelyard.metrics.binary.recall import recall
from steelyard.metrics.class_metrics import ClassMetric
from steelyard.metrics.division import NO_POSITIVES

METRIC = ClassMetric(
    formula=(
        "R_c = TP_c / (TP_c + FN_c) · macro: mean of R_c · micro: ΣTP / Σ(TP+FN) · weighted: Σ "
        "n_c·R_c / Σ n_c"
    ),
    tex=r"R_c = \frac{TP_c}{TP_c + FN_c},\qquad R_{macro} = \frac{1}{|C|}\sum_{c \in C} R_c",
    reading=(
        "The share of each class that is found. Macro recall is the accuracy that a model would "
        "have if all classes were equally common: balanced accuracy."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "A class that is predicted but never true has no recall (0/0): it is left out and "
            "counted; scikit-learn takes it as 0, as zero_division=0 does here."
        ),
        "Weighted recall is the accuracy, whatever the model does with rare classes.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="召回率（宏平均、微平均、加权平均）",
    example='sy.recall(["a", "b", "b", "c"], ["a", "b", "a", "c"], average="macro")',
    seed="004",
    aliases=("sensitivity", "tpr", "recall_score"),
    quotient=recall,
    nothing=NO_POSITIVES,
)
