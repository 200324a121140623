"""Matthews correlation coefficient: the correlation of the label and the predicted class."""

import numpy as np

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import ALL_CALLED, NONE_CALLED, missing_class, root_ratio
from steelyard.metrics.influence import ATANH
from steelyard.model import Floats, Value


def mcc(cells: Counts) -> Value:
    tp, fp, fn, tn, _ = cells
    called, spared = tp + fp, tn + fn
    square = called * spared * cells.positives * cells.negatives
    absent = missing_class(cells.positives, cells.negatives, ("positives", "negatives"))
    return absent or root_ratio(tp * tn - fp * fn, square, ALL_CALLED if called else NONE_CALLED)


def influence(own: Counts, total: Counts, value: Floats) -> Floats:
    """The derivative of N/√D: dN/√D − value · dD/2D, with the cells as shares of the whole."""
    tp, fp, fn, tn = (cell / total.all for cell in total[:4])
    of_tp, of_fp, of_fn, of_tn = (cell / total.all for cell in own[:4])
    change = of_tp * tn + tp * of_tn - of_fp * fn - fp * of_fn
    factors = (tp + fp, tn + fn, tp + fn, fp + tn)
    changes = (of_tp + of_fp, of_tn + of_fn, of_tp + of_fn, of_fp + of_tn)
    root = np.sqrt(factors[0] * factors[1] * factors[2] * factors[3])
    relative = sum(one / factor for one, factor in zip(changes, factors, strict=True))
    column: Floats = change / root - value * relative / 2
    return column


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
    influence=influence,
    scale=ATANH,
)
