"""Brier score of many classes: the squared differences of probabilities and outcomes, added up.

Rows whose probabilities do not add up to 1, within 0.001, are refused. Each row's sum is rounded
once per operation, in the order of the classes; the rest is exact.
"""

from typing import Any

from steelyard.metrics.class_metrics import ClassScoreMetric
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import Influences, Quotient, SliceValues, TermSums, of_sums
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.model import RequiredColumns, Value
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumLine


def mean_squares(sums: TermSums) -> Quotient:
    return sums["squares_of_classes"], sums["weight"]


@metric_class
class ClassBrier(ClassScoreMetric):
    """The mean of the rows' sums over classes."""

    argument_names: tuple[str, ...] = ("y_score", "y_proba")

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return RequiredColumns(binary=False, class_scores=True, probability=True)

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", "squares_of_classes")

    def compute(self, view: SumLine, params: dict[str, Any]) -> Value:
        return ratio(*mean_squares(view), NO_ROWS)

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        return of_sums(mean_squares, None, view, params, values)


METRIC = ClassBrier(
    aliases=("brier_score", "brier_score_loss"),
    formula=(
        "Σ w·Σ_c (p_c − [c is the true class])² / Σ w; with two classes half of it, which is the "
        "Brier score of the positive class"
    ),
    tex=(
        r"\frac{\sum_i w_i \sum_c (p_{i,c} - [y_i = c])^2}{h \sum_i w_i} \quad \text{where } h = 2 "
        r"\text{ with two classes, else } 1"
    ),
    reading=(
        "0 means certain and always right; certain and always wrong is 2, with two classes 1. A "
        "model that gives k classes the same probability has 1 − 1/k, with two classes 1/4."
    ),
    range="0 to 2; with two classes 0 to 1",
    better="lower",
    pitfalls=(
        (
            "Some tools divide by the number of classes, or by two: with three classes or more "
            "scikit-learn's scale_by_half=True is half of this. Its default is the same as here."
        ),
        "Unlike the log loss it uses all probabilities of a row, not only that of the true class.",
    ),
    reference="Brier (1950), Monthly Weather Review 78(1):1.",
    chinese="多分类布里尔分数",
    example="sy.brier([0, 1, 2], [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5]])",
)
