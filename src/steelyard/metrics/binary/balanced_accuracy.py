"""Balanced accuracy: the mean of the two classes' accuracies."""

from steelyard.metrics.about import About
from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_ROWS, missing_class, ratio
from steelyard.model import Value


def balanced_accuracy(cells: Counts) -> Value:
    positives, negatives = cells.positives, cells.negatives
    right = cells.tp * negatives + cells.tn * positives
    absent = missing_class(positives, negatives, ("positives", "negatives"))
    return absent or ratio(right, 2 * positives * negatives, NO_ROWS)


METRIC = CountMetric(
    name="balanced_accuracy",
    doc=__doc__,
    about=About(
        formula="(TP/(TP + FN) + TN/(TN + FP)) / 2",
        tex=(
            r"\frac{1}{2}\left(\frac{\mathrm{TP}}{\mathrm{TP} + \mathrm{FN}} + "
            r"\frac{\mathrm{TN}}{\mathrm{TN} + \mathrm{FP}}\right)"
        ),
        reading=(
            "Accuracy as it would be if both classes were equally frequent. A model that "
            "knows nothing has 0.5, however rare the positives are."
        ),
        range="0 to 1; 0.5 is chance",
        better="higher",
        pitfalls=(
            (
                "A rare class counts as much as a frequent one, so with a handful of positives it "
                "jumps with each of them."
            ),
            (
                "A good value does not make positive calls trustworthy: precision depends on "
                "prevalence, and this does not."
            ),
            (
                "Without positives, or without negatives, it has no value; other tools average "
                "what is left."
            ),
        ),
        reference="Brodersen et al. (2010), ICPR, 3121.",
        seed="004",
        chinese="平衡准确率",
        example="sy.balanced_accuracy([1, 1, 1, 1, 0], [0.9, 0.9, 0.9, 0.9, 0.9])",
    ),
    value=balanced_accuracy,
)
