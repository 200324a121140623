"""One-vs-rest cells: TP, FP, FN and TN of each class against all others.

`sy.one_vs_rest(y, y_pred=p).matrices` is scikit-learn's `multilabel_confusion_matrix`.
"""

from typing import Any

from steelyard.metrics import class_metrics
from steelyard.metrics.class_metrics import ClassPredictionMetric
from steelyard.metrics.division import weights_of
from steelyard.metrics.record import metric_class
from steelyard.model import ClassCounts
from steelyard.views.classes import ClassCells


@metric_class
class OneVsRestCells(ClassPredictionMetric):
    """Four cells for each class; not a single number."""

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassCounts:
        cells = class_metrics.one_vs_rest(view.table)
        columns = zip(*cells, strict=True) if cells else [()] * 4
        return ClassCounts(view.table.labels, *(weights_of(each, view.power) for each in columns))


METRIC = OneVsRestCells(
    formula=(
        "for each class c: TP rows of c called c, FP other rows called c, FN rows of c called "
        "otherwise, TN all other rows"
    ),
    tex=(
        r"\mathrm{TP}_c = \sum_r w_r [y_r = c] [\hat y_r = c] \quad \mathrm{FP}_c = \sum_r w_r "
        r"[y_r \ne c] [\hat y_r = c]"
    ),
    reading=(
        "Every class as a question of yes or no: from its four cells follow precision, recall, "
        "specificity and every other number of two classes."
    ),
    range="0 and above, rows or weight; the four cells of a class add up to all rows",
    better="depends",
    pitfalls=(
        (
            "With many classes almost every row is a true negative of a class: specificity and "
            "one-vs-rest accuracy are then close to 1 for any model."
        ),
        "A wrong row is a false negative of one class and a false positive of another.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="一对其余混淆矩阵",
    example='sy.one_vs_rest(["a", "b", "b", "c"], y_pred=["a", "b", "a", "c"])',
    seed="004",
    shape=ClassCounts,
)
