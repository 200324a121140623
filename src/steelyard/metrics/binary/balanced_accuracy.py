"""Balanced accuracy: the mean of the two classes' accuracies."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_ROWS, missing_class, ratio
from steelyard.model import Floats, Value


def balanced_accuracy(cells: Counts) -> Value:
    positives, negatives = cells.positives, cells.negatives
    right = cells.tp * negatives + cells.tn * positives
    absent = missing_class(positives, negatives, ("positives", "negatives"))
    return absent or ratio(right, 2 * positives * negatives, NO_ROWS)


def influence(own: Counts, total: Counts, value: Floats) -> Floats:
    recall, specificity = total.tp / total.positives, total.tn / total.negatives
    of_recall = (own.tp - recall * own.positives) / total.positives
    of_specificity = (own.tn - specificity * own.negatives) / total.negatives
    column: Floats = (of_recall + of_specificity) / 2
    return column


def share(own: Counts, total: Counts) -> Floats:
    """The mean of the shares in both classes, which count the same."""
    positives, negatives = own.positives / total.positives, own.negatives / total.negatives
    column: Floats = (positives + negatives) / 2
    return column


METRIC = CountMetric(
    formula="(TP/(TP + FN) + TN/(TN + FP)) / 2",
    tex=(
        r"\frac{1}{2}\left(\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FN}} + "
        r"\frac{\mathrm{TN}}{\mathrm{TN} + \mathrm{FP}}\right)"
    ),
    reading=(
        "The accuracy if both classes were equally frequent. A random model has 0.5, however rare "
        "the positives are."
    ),
    range="0 to 1; 0.5 is chance",
    better="higher",
    pitfalls=(
        (
            "A rare class counts as much as a frequent one, so with few positives each of them "
            "changes it a lot."
        ),
        (
            "A good value does not mean that positive calls can be trusted: precision depends on "
            "prevalence, this metric does not."
        ),
        (
            "Without positives, or without negatives, it has no value; other tools use the class "
            "that is left."
        ),
    ),
    reference="Brodersen et al. (2010), ICPR, 3121.",
    seed="004",
    chinese="平衡准确率",
    example="sy.balanced_accuracy([1, 1, 1, 1, 0], [0.9, 0.9, 0.9, 0.9, 0.9])",
    aliases=("balanced_accuracy_score",),
    value=balanced_accuracy,
    influence=influence,
    share=share,
)
