"""Balanced accuracy: the mean over the true classes of the share of rows predicted correctly."""

from steelyard.metrics.binary.recall import recall
from steelyard.metrics.class_metrics import ClassMetric

METRIC = ClassMetric(
    formula="mean over classes in the truth of TP_c / (TP_c + FN_c)",
    tex=r"\frac{1}{|C|}\sum_{c \in C} \frac{TP_c}{TP_c + FN_c}",
    reading=(
        "The accuracy where every class counts the same: guessing gives 1/(number of classes), "
        "however common each is."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "Also called mean per-class accuracy; it is the macro recall and not the mean of the "
            "one-vs-rest accuracies."
        ),
        "A class of three rows counts as much as one of three million.",
    ),
    reference="Brodersen et al. (2010), ICPR, 3121",
    chinese="平衡准确率（各类准确率的平均）",
    example='sy.balanced_accuracy(["a", "b", "b", "c"], ["a", "b", "a", "c"])',
    aliases=("balanced_accuracy_score",),
    seed="004",
    parameters=(),
    quotient=recall,
)
