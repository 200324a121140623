"""Top-k accuracy: the share of rows whose true class is among the k highest-scored classes.

For classes with equal scores it is the expected share over all their orders.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from steelyard.metrics.class_metrics import ClassScoreMetric
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import LOGIT, Influences, SliceValues, of_lines
from steelyard.metrics.parameter import count
from steelyard.metrics.record import StateSpec, metric_class, sums_of
from steelyard.model import Value
from steelyard.reading.key_order import KeyTuple
from steelyard.views.cluster_cells import ClusterCells
from steelyard.views.sums import SumLine


@metric_class
class TopK(ClassScoreMetric):
    """A sum over (classes above the true one, classes tied with it), each with its chance."""

    argument_names: tuple[str, ...] = ("y_score", "y_proba")
    scale: str = LOGIT

    @property
    def cut(self) -> None:
        """None: its k cuts classes, not ranked lists of rows, and is a parameter like others."""

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", key="rank")

    def compute(self, view: list[SumLine], params: dict[str, Any]) -> Value:
        found = Fraction(0)
        for line in view:
            found += line["weight"] * _chance(line.key, params["k"])
        return ratio(found, sum(line["weight"] for line in view), NO_ROWS)

    def influences(
        self, view: ClusterCells, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        value = view.lines.spread(values.numbers)
        hits = view.by_key(lambda key: float(_chance(key[1:], params["k"])), np.float64)
        share = view.add()
        return of_lines(view.lines, view.add(hits) - value * share, share, value == value)


def _chance(key: KeyTuple, k: int) -> Fraction:
    """The chance that a class is among the first k, by how many are above it and tied with it."""
    above, level = (int(part or 0) for part in key)
    return Fraction(min(max(k - above, 0), level + 1), level + 1)


METRIC = TopK(
    formula=(
        "Σ w·min(max(k − above, 0), tied) / tied, over Σ w; above: the classes that score higher "
        "than the true one, tied: those that score the same, with itself"
    ),
    tex=r"\frac{1}{W}\sum_i w_i \frac{\min(\max(k - a_i, 0), t_i)}{t_i}",
    reading=(
        "How often a list of k suggestions contains the right one. With k = 1 it is the accuracy "
        "of the class with the highest score; ties are taken in expectation."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "It grows with k, and is 1 where k is the number of classes: compare the same k.",
        (
            "Other tools break ties by the order of the columns, so a model that gives all classes "
            "the same score is good or bad by their order."
        ),
    ),
    reference="Russakovsky et al. (2015), IJCV 115:211",
    chinese="Top-k 准确率",
    example=(
        "sy.top_k_accuracy([0, 1, 2], [[0.5, 0.3, 0.2], [0.4, 0.3, 0.3], [0.5, 0.4, 0.1]], k=2)"
    ),
    aliases=("top_k_accuracy_score",),
    parameters=(count("k", 2, means="the number of highest-scored classes that count"),),
)
