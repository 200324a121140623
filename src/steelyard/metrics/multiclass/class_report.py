"""Class report: precision, recall, F1 and support of each class, with accuracy and means.

`zero_division=0` gives the numbers of scikit-learn's `classification_report`.
"""

from typing import Any

from steelyard.metrics.class_metrics import ZERO_DIVISION, ClassPredictionMetric, one_vs_rest
from steelyard.metrics.class_reports import class_report
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.record import metric_class
from steelyard.model import ClassReport
from steelyard.views.classes import ClassCells


@metric_class
class Report(ClassPredictionMetric):
    """A line for each class; not a single number."""

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassReport:
        table, right = view.table, sum(w for (t, p), w in view.weights.items() if t == p)
        accuracy = ratio(right, table.all, NO_ROWS)  # of all rows, also if classes are chosen
        cells, missing = one_vs_rest(table), params["zero_division"]
        return class_report(table.labels, cells, view.power, accuracy, missing)


METRIC = Report(
    formula=(
        "for each class c: P_c = TP_c/(TP_c + FP_c), R_c = TP_c/(TP_c + FN_c), F_c = "
        "2·TP_c/(2·TP_c + FP_c + FN_c), n_c = TP_c + FN_c · macro: their means · weighted: "
        "their means by n_c"
    ),
    tex=r"\left(P_c, R_c, F_c, n_c\right)_{c \in C}",
    reading=(
        "Where a model is good and where it is not: a class with low precision is called too "
        "often, one with low recall is missed."
    ),
    range="0 to 1; the support is rows or weight",
    better="higher",
    pitfalls=(
        (
            "A class without a value (0/0) is left out of the means; scikit-learn counts it as 0, "
            "as zero_division=0 does here."
        ),
        "Classes with a small support have values that change from sample to sample.",
        "The accuracy is close to that of the largest class: read the macro means beside it.",
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="分类报告",
    example='sy.class_report(["a", "a", "b", "b"], y_pred=["a", "b", "a", "b"])',
    aliases=("classification_report",),
    parameters=(ZERO_DIVISION,),
    shape=ClassReport,
)
