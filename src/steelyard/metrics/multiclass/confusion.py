"""Confusion matrix: the number (or weight) of rows of each true and each predicted class.

The truth is down, the prediction across. Predicted classes give this matrix even if there are only
two; scores of two classes give the four cells `tp`, `fp`, `fn`, `tn`. The matrix is dense, so more
than 4,096 classes are refused; metrics such as precision take any number of classes.
"""

from typing import Any

import numpy as np

from steelyard import errors
from steelyard.metrics.class_metrics import ClassPredictionMetric
from steelyard.metrics.division import share, weights_of
from steelyard.metrics.normalize import NORMALIZE
from steelyard.metrics.record import metric_class
from steelyard.model import Array, ClassConfusion
from steelyard.views.classes import ClassCells

MOST = 4096  # classes: 16 million cells, 128 MB


@metric_class
class ConfusionMatrix(ClassPredictionMetric):
    """The matrix; not a single number."""

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassConfusion:
        view = view.among_chosen
        numbers = view.numbers
        if len(numbers) > MOST:
            raise errors.MATRIX_TOO_LARGE(count=len(numbers), most=MOST)
        found = _weights(view, params["normalize"])
        matrix = np.zeros((len(numbers), len(numbers)), found.dtype)
        if params["normalize"] == "true":  # a class without rows has no shares
            matrix[np.equal(view.table.truth, 0)] = np.nan
        elif params["normalize"] == "pred":
            matrix[:, np.equal(view.table.predicted, 0)] = np.nan
        elif params["normalize"] == "all" and view.table.all == 0:
            matrix[:] = np.nan
        for (true, called), weight in zip(view.weights, found, strict=True):
            matrix[numbers[true], numbers[called]] = weight
        return ClassConfusion(tuple(numbers), matrix)


def _weights(view: ClassCells, normalize: str | None) -> Array:
    """The weight of each cell that has rows, or its share of the true or predicted class or all."""
    if normalize is None:
        return weights_of(view.weights.values(), view.power)
    table, numbers = view.table, view.numbers
    wholes = {
        "true": [table.truth[numbers[true]] for true, _ in view.weights],
        "pred": [table.predicted[numbers[called]] for _, called in view.weights],
        "all": [table.all] * len(view.weights),
    }[normalize]
    return np.array(list(map(share, view.weights.values(), wholes)), np.float64)


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
        "Classes are sorted: numbers first, then text in alphabetical order; labels= chooses some.",
    ),
    reference="Kohavi & Provost (1998), Machine Learning 30:271",
    chinese="混淆矩阵",
    example='sy.confusion(["a", "b", "b", "c"], ["a", "b", "a", "c"])',
    aliases=("confusion_matrix",),
    seed="004",
    parameters=(NORMALIZE,),
    shape=ClassConfusion,
    picture={},
)
