"""Confusion: the number (or weight) of rows in each of the four cells at a threshold."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import rounded
from steelyard.model import Confusion
from steelyard.views.sums import exact


def confusion(cells: Counts) -> Confusion:
    def weight(cell: int) -> int | float:
        found = exact(cell, cells.power)
        return int(found) if found.denominator == 1 else rounded(found)

    return Confusion(*(weight(cell) for cell in cells[:4]))


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
    shape=Confusion,
)
