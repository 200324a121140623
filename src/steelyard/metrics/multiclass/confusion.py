"""Confusion matrix: the number (or weight) of rows of each true and each predicted class.

The truth is down, the prediction across. The matrix is dense, so more than 4,096 classes are
refused; metrics such as precision take any number of classes.
"""

from typing import Any

import numpy as np

from steelyard import errors
from steelyard.metrics.class_metrics import ClassPredictionMetric
from steelyard.metrics.division import rounded
from steelyard.metrics.record import metric_class
from steelyard.model import ClassConfusion
from steelyard.views.classes import ClassCells
from steelyard.views.sums import exact

MOST = 4096  # classes: 16 million cells, 128 MB


@metric_class
class ConfusionMatrix(ClassPredictionMetric):
    """The matrix; not a single number."""

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassConfusion:
        numbers = view.numbers
        if len(numbers) > MOST:
            raise errors.MATRIX_TOO_LARGE(count=len(numbers), most=MOST)
        weights = {cell: exact(amount, view.power) for cell, amount in view.weights.items()}
        whole = all(weight.denominator == 1 and weight < 2**63 for weight in weights.values())
        matrix = np.zeros((len(numbers), len(numbers)), np.int64 if whole else np.float64)
        for (true, called), weight in weights.items():
            matrix[numbers[true], numbers[called]] = int(weight) if whole else rounded(weight)
        return ClassConfusion(tuple(numbers), matrix)


METRIC = ConfusionMatrix(
    formula="M[i, j] = Σ w over the rows of class i that are called class j",
    tex=r"M_{ij} = \sum_r w_r [y_r = i] [\hat y_r = j]",
    reading=(
        "Which classes are confused: the diagonal is right, a row shows what a true class is "
        "predicted as, a column shows which classes are predicted as it."
    ),
    range="0 and above, rows or weight",
    better="depends",
    pitfalls=(
        (
            "Rows are the truth here, as in scikit-learn; articles and other tools often have it "
            "transposed, which exchanges precision and recall."
        ),
        "Classes are sorted: numbers first, then text in alphabetical order.",
    ),
    reference="Kohavi & Provost (1998), Machine Learning 30:271",
    chinese="混淆矩阵",
    example='sy.confusion(["a", "b", "b", "c"], ["a", "b", "a", "c"])',
    aliases=("confusion_matrix",),
    seed="004",
    shape=ClassConfusion,
)
