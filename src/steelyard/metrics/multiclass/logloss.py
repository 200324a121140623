"""Log loss of many classes: the mean of −ln p, where p is the probability of the true class.

Each row's logarithm is rounded once, by our own function, which is the same on every machine; the
rest is exact. Rows whose probabilities do not add up to 1, within 0.001, are refused.
"""

from typing import Any

from steelyard.metrics.calibration.logloss import infinite
from steelyard.metrics.class_metrics import ClassScoreMetric
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import Influences, Quotient, SliceValues, TermSums, of_sums
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.model import RequiredColumns, Undefined, Value
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumLine


def mean_loss(sums: TermSums) -> Quotient:
    return -sums["log_of_class"], sums["weight"]


@metric_class
class ClassLogLoss(ClassScoreMetric):
    """The mean loss; no value if the loss of a row is infinite."""

    argument_names: tuple[str, ...] = ("y_score", "y_proba")

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        return before, {**after, "clip": None}

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return RequiredColumns(binary=False, class_scores=True, probability=True)

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", "log_of_class", "infinite_of_class")

    def compute(self, view: SumLine, params: dict[str, Any]) -> Value:
        count = int(view.exact("infinite_of_class"))
        if count:
            return Undefined(infinite(count))
        return ratio(*mean_loss(view), NO_ROWS)

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        return of_sums(mean_loss, None, view, params, values)


METRIC = ClassLogLoss(
    aliases=("log_loss",),
    formula="−Σ w·ln p(true class) / Σ w",
    tex=r"-\frac{\sum_i w_i \ln p_{i, y_i}}{\sum_i w_i}",
    reading=(
        "0 means certain and always right. A model that gives k classes the same probability has "
        "ln k: 1.10 for three classes, 2.30 for ten."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "Only the probability of the true class counts, so probabilities must add up to 1: "
            "otherwise a model could be good by giving every class a high one."
        ),
        (
            "A single probability of 0 for a true class makes it infinite, and there is no value; "
            "clip limits probabilities, and changes the value."
        ),
    ),
    reference="Good (1952), Journal of the Royal Statistical Society B 14(1):107",
    chinese="多分类对数损失（又称多分类交叉熵）",
    example="sy.logloss([0, 1, 2], [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5]])",
)
