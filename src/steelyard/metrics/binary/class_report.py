"""Class report: precision, recall, F1 and support of both classes at a threshold, with their means.

The classes are called negative and positive.
"""

from typing import Any

from steelyard.metrics.class_metrics import ZERO_DIVISION, OneVsRest
from steelyard.metrics.class_reports import class_report
from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.parameter import THRESHOLD
from steelyard.model import ClassReport


def report(cells: Counts, zero_division: Any) -> ClassReport:
    positive = OneVsRest(*cells[:4])
    negative = OneVsRest(cells.tn, cells.fn, cells.fp, cells.tp)
    accuracy = ratio(cells.tp + cells.tn, cells.all, NO_ROWS)
    labels, both = ("negative", "positive"), [negative, positive]
    return class_report(labels, both, cells.power, accuracy, zero_division)


METRIC = CountMetric(
    formula=(
        "positive: TP/(TP + FP), TP/(TP + FN), 2·TP/(2·TP + FP + FN), TP + FN · negative: the same "
        "with the classes exchanged · macro: their means · weighted: their means by support"
    ),
    tex=r"\left(P_c, R_c, F_c, n_c\right)_{c \in \lbrace +, - \rbrace}",
    reading=(
        "Both classes side by side at one threshold: what is called positive or negative, how "
        "often that is right, and how much of each class is found."
    ),
    range="0 to 1; the support is rows or weight",
    better="higher",
    pitfalls=(
        "The negative class of a log with rare positives is always good: read the other line.",
        "A value that is 0/0 is left out of the means; scikit-learn counts it as 0.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="分类报告",
    example="sy.class_report([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1])",
    aliases=("classification_report",),
    value=report,
    parameters=(THRESHOLD, ZERO_DIVISION),
    shape=ClassReport,
)
