"""Confusion: the number (or weight) of rows in each of the four cells at a threshold."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import share, whole_or_rounded
from steelyard.metrics.normalize import NORMALIZE
from steelyard.metrics.parameter import THRESHOLD
from steelyard.model import Confusion


def confusion(cells: Counts, normalize: str | None) -> Confusion:
    if normalize is None:
        return Confusion(*(whole_or_rounded(cell, cells.power) for cell in cells[:4]))
    up, down = cells.positives, cells.negatives
    called, others = cells.tp + cells.fp, cells.fn + cells.tn
    wholes = {
        "true": (up, down, up, down),
        "pred": (called, called, others, others),
        "all": (cells.all,) * 4,
    }[normalize]
    return Confusion(*map(share, cells[:4], wholes))


METRIC = CountMetric(
    formula=(
        "TP: positive, called positive · FP: negative, called positive\n"
        "FN: positive, called negative · TN: negative, called negative"
    ),
    tex=(
        r"\mathrm{TP} = \sum_{y=1} w [s \ge t] \quad \mathrm{FP} = \sum_{y=0} w [s \ge t] \quad "
        r"\mathrm{FN} = \sum_{y=1} w [s \lt t] \quad \mathrm{TN} = \sum_{y=0} w [s \lt t]"
    ),
    reading=(
        "Every row is in one of four cells, by its true class and by its predicted class. All "
        "other metrics of this family are ratios of these numbers."
    ),
    range="numbers of zero or more, which add up to all rows or their weight",
    better="depends",
    pitfalls=(
        (
            "Tools differ in the orientation of the table: its rows may be the truth or the "
            "prediction. The cells here have names, so nothing is transposed by mistake."
        ),
        (
            "`score >= threshold` is positive here. Where a tool uses `>`, rows exactly at the "
            "threshold are negative."
        ),
        "For scores that are logits use `threshold=0`: 0.5 is for probabilities.",
    ),
    reference="Kohavi & Provost (1998), Machine Learning 30(2/3):271.",
    seed="000",
    chinese="混淆矩阵",
    example="sy.confusion([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    aliases=("confusion_matrix",),
    value=confusion,
    parameters=(THRESHOLD, NORMALIZE),
    shape=Confusion,
    picture={},
)
