"""Matthews correlation coefficient: the correlation of the label and the predicted class."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import ALL_CALLED, NONE_CALLED, missing_class, root_ratio
from steelyard.model import Value


def mcc(cells: Counts) -> Value:
    tp, fp, fn, tn, _ = cells
    called, spared = tp + fp, tn + fn
    square = called * spared * cells.positives * cells.negatives
    absent = missing_class(cells.positives, cells.negatives, ("positives", "negatives"))
    return absent or root_ratio(tp * tn - fp * fn, square, ALL_CALLED if called else NONE_CALLED)


METRIC = CountMetric(
    formula="(TP·TN − FP·FN) / √((TP + FP)(TP + FN)(TN + FP)(TN + FN))",
    tex=(
        r"\frac{\mathrm{TP} \cdot \mathrm{TN} - \mathrm{FP} \cdot \mathrm{FN}}{\sqrt{(\mathrm{TP} "
        r"+ \mathrm{FP})(\mathrm{TP} + \mathrm{FN})(\mathrm{TN} + \mathrm{FP})(\mathrm{TN} + "
        r"\mathrm{FN})}}"
    ),
    reading=(
        "1 is perfect, 0 is no better than chance, −1 is always wrong. All four cells count, so it "
        "is high only if both classes are found, and positive and negative calls are both right."
    ),
    range="−1 to 1",
    better="higher",
    pitfalls=(
        (
            "If every row is called the same, or one class is absent, it is 0/0: no value here, 0 "
            "in scikit-learn."
        ),
        (
            "It depends on prevalence: the same recall and specificity give less where positives "
            "are rare."
        ),
        "It is a correlation, not a share: 0.5 does not mean that half of the rows are right.",
    ),
    reference="Matthews (1975), Biochimica et Biophysica Acta 405(2):442.",
    seed="003",
    chinese="马修斯相关系数",
    example="sy.mcc([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("matthews_corrcoef",),
    value=mcc,
)
