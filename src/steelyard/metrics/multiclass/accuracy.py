"""Accuracy: the share of rows whose class is predicted.

With `average` it is that of each class against all others, averaged; there the many rows that are
neither of a class nor predicted so count as right, too.
"""

from typing import Any

from steelyard.metrics import class_influence
from steelyard.metrics.class_metrics import AVERAGES, ClassMetric, OneVsRest, Quotient
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import Influences, SliceValues
from steelyard.metrics.parameter import choice
from steelyard.metrics.record import metric_class
from steelyard.model import ClassMean
from steelyard.views.classes import ClassCells
from steelyard.views.cluster_cells import ClusterClasses

ONE_VS_REST = (
    "each class against all others: macro is the mean of the classes' accuracies, micro that of "
    "all their cells added up, weighted a mean by how frequent each class is; without it, all rows"
)


@metric_class
class Accuracy(ClassMetric):
    """A mean over classes; without `average`, the accuracy of all rows."""

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassMean:
        found = super().compute(view, params)
        if params["average"] is not None:
            return found
        table = view.table
        return found._replace(value=ratio(sum(table.hits), table.all, NO_ROWS))

    def influences(
        self, view: ClusterClasses, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        if params["average"] is not None:
            return super().influences(view, params, values)
        slopes = view.is_hit - values.numbers[view.slices]
        share = class_influence.share_of_rows(view)
        return class_influence.influences(view, slopes, share, values)


def one_vs_rest(cells: OneVsRest) -> Quotient:
    return cells.tp + cells.tn, sum(cells)


METRIC = Accuracy(
    formula="Σ w·[prediction = truth] / Σ w · one-vs-rest: (TP_c + TN_c) / all",
    tex=(
        r"\frac{\sum_i w_i [\hat y_i = y_i]}{\sum_i w_i},\qquad A_c = \frac{TP_c + TN_c}{TP_c + "
        r"FP_c + FN_c + TN_c}"
    ),
    reading=(
        "How often the model is right. With average= it is the mean over classes of how often the "
        "question 'this class or not?' is answered correctly."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        (
            "A model that always predicts the most common class has that class's share as its "
            "accuracy: see balanced_accuracy, mcc or kappa."
        ),
        (
            "One-vs-rest accuracy is near 1 for any model where there are many classes, since for "
            'almost every row "not that class" is right.'
        ),
    ),
    reference="Sokolova & Lapalme (2009), Information Processing & Management 45(4):427",
    chinese="准确率",
    example='sy.accuracy(["a", "b", "b", "c"], ["a", "b", "a", "c"])',
    aliases=("accuracy_score",),
    seed="004",
    parameters=(choice("average", None, *AVERAGES, means=ONE_VS_REST),),
    quotient=one_vs_rest,
)
