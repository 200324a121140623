"""AUC of many classes: how well each class's own score separates it from the others, averaged.

One against the rest (ovr): the AUC of each class. One against one (ovo): for each pair of classes,
the mean of their two AUCs among the rows of the two.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.metrics.class_metrics import SCORE_AVERAGE, ClassScoreMetric, class_mean
from steelyard.metrics.curves.auc import influence
from steelyard.metrics.division import ratio
from steelyard.metrics.influence import (
    ENOUGH_FOR_CLASS,
    LOGIT,
    Influences,
    SliceValues,
    of_lines,
)
from steelyard.metrics.parameter import choice
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.model import Array, ClassMean, Floats, Value
from steelyard.states import ClassScoreTable
from steelyard.views.class_scores import Area, SliceAreas
from steelyard.views.clustered_class_scores import ClusteredClassScores
from steelyard.views.clustered_scores import SideSums
from steelyard.views.clusters import ClusterLines

COMPARED_WITH = (
    "what a class is compared with: ovr all others together, ovo each other class in turn"
)
NO_PAIRS = "there are no rows of other classes"


@metric_class
class ClassAuc(ClassScoreMetric):
    """A mean of AUCs over classes, or over pairs of classes."""

    scale: str = LOGIT

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        if params["multi_class"] == "ovo" and params["average"] == "micro":
            raise errors.NO_MICRO_PAIRS()
        return StateSpec(ClassScoreTable)

    def compute(self, view: SliceAreas, params: dict[str, Any]) -> ClassMean:
        average = params["average"]
        if params["multi_class"] == "ovo":
            return _one_vs_one(view, average == "weighted")
        values = [_share(view.against_rest(number)) for number in range(len(view.classes))]
        weights = view.weights if average == "weighted" else None
        found = class_mean(values, weights, view.classes)
        if average == "micro" and view.classes:
            return found._replace(value=_share(view.pooled()))
        return found

    def influences(
        self, view: ClusteredClassScores, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        value = view.lines.spread(values.numbers)
        present = value == value
        if not len(view.lines):
            return of_lines(view.lines, np.zeros(0), np.zeros(0), present)
        if params["average"] == "micro":
            pooled = influence(view.pooled(), value)
            return of_lines(view.lines, pooled.all, _mean_share(pooled), present)
        pairs, weighted = params["multi_class"] == "ovo", params["average"] == "weighted"
        members = list(_of_pairs(view, values) if pairs else _of_classes(view, values, weighted))
        found = of_lines(view.lines, *_of_mean(members, value, weighted), present)
        if weighted and not pairs:
            one = [view.lines.spread(each.clusters < 2) for each in members]
            few = [
                here & (each.value == each.value) for here, each in zip(one, members, strict=True)
            ]
            return found._replace(required=(present & ~np.any(few, axis=0),))
        fewest = np.min([each.clusters for each in members], axis=0)
        return found._replace(leaves=fewest < ENOUGH_FOR_CLASS)


def _one_vs_one(view: SliceAreas, weighted: bool) -> ClassMean:
    pairs = list(combinations(range(len(view.classes)), 2))
    values = [_mean(*view.between(*pair)) for pair in pairs]
    weights = [view.weights[one] + view.weights[other] for one, other in pairs]
    labels = [(view.classes[one], view.classes[other]) for one, other in pairs]
    return class_mean(values, weights if weighted else None, labels, "pairs")


def _share(area: Area) -> Value:
    return ratio(area.doubled, 2 * area.positives * area.negatives, NO_PAIRS)


def _mean(one: Area, other: Area) -> Value:
    """The mean of two areas over the same pairs of rows."""
    return ratio(one.doubled + other.doubled, 4 * one.positives * one.negatives, NO_PAIRS)


class _Member(NamedTuple):
    """A class or a pair of classes in a mean; columns have one entry for each line.

    value: of the slice, NaN where it has none; influence: of the line on it
    share: of the line in its rows and in those it is compared with, which count the same
    weight, total: of the rows of the class or pair, in the line and in its slice
    clusters: by slice number, how many have rows of the classes that the value needs
    """

    value: Floats
    influence: Floats
    share: Floats
    weight: Floats
    total: Floats
    clusters: Array


def _of_classes(
    view: ClusteredClassScores, values: SliceValues, weighted: bool
) -> Iterator[_Member]:
    for place, rows in enumerate(view.against_rest()):
        value, (up, down) = view.lines.spread(_values(values, place)), rows.sides
        # Weighted, the mean is one over rows, each with the share of others below it: positives of
        # one cluster are an observation like any other.
        clusters = _clusters(view.lines, [down] if weighted else [up, down])
        yield _member(value, [influence(rows, value)], up.weights, up.totals, clusters)


def _of_pairs(view: ClusteredClassScores, values: SliceValues) -> Iterator[_Member]:
    for place, (one, other) in enumerate(view.between()):
        value, (up, down) = view.lines.spread(_values(values, place)), one.sides
        # Both areas less the mean of them: the differences cancel in the sum.
        both = [influence(one, value), influence(other, value)]
        weight, total = up.weights + down.weights, up.totals + down.totals
        yield _member(value, both, weight, total, _clusters(view.lines, [up, down]))


def _member(
    value: Floats,
    areas: Sequence[Influences],
    weight: Floats,
    total: Floats,
    clusters: Array,
) -> _Member:
    """A member whose value is the mean of some areas."""
    column: Floats = np.sum([each.all for each in areas], axis=0) / len(areas)
    share = _mean_share(areas[0])  # all are of the same rows
    return _Member(value, column, share, weight, total, clusters)


def _mean_share(area: Influences) -> Floats:
    """The mean of the shares of each line in both classes."""
    share: Floats = (area.shares[0] + area.shares[1]) / 2
    return share


def _clusters(lines: ClusterLines, sides: Sequence[SideSums]) -> Array:
    """By slice number, how many clusters have rows of the side that has the fewest."""
    counts = [
        np.bincount(lines.slices[side.weights > 0], minlength=len(lines.starts) - 1)
        for side in sides
    ]
    fewest: Array = np.min(counts, axis=0)
    return fewest


def _values(values: SliceValues, place: int) -> Floats:
    """The value of one class or pair in every slice; NaN where it has none."""
    column = np.full(len(values.numbers), np.nan)
    for number, found in values.found.items():
        if isinstance(found, ClassMean) and len(found.class_values):
            column[number] = found.class_values[place]
    return column


def _of_mean(members: list[_Member], mean: Floats, weighted: bool) -> tuple[Floats, Floats]:
    """Means over the members of influences and of shares, counted as in the mean of values.

    Weighted, a row moves the weights too: weight · (value − mean) / all.
    """
    column, shares, all_ = np.zeros((3, len(mean)))
    for each in members:
        used = each.value == each.value
        part = each.influence
        if weighted:
            part = part * each.total + each.weight * (each.value - mean)
        counted = np.where(used, each.total if weighted else 1.0, 0.0)
        column += np.where(used, part, 0.0)
        shares += np.where(used, counted * each.share, 0.0)
        all_ += counted
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        return column / all_, shares / all_


METRIC = ClassAuc(
    formula=(
        "ovr: A_c = chance that a row of class c has a higher score for c than a row of another "
        "class (ties ½) · ovo: A_ab = (A(a|b) + A(b|a))/2 among rows of a and b · macro: mean · "
        "weighted: by the rows of the class or pair · micro: all scores of all rows pooled"
    ),
    tex=(
        r"A_c = P(s_c(x) \gt s_c(x') \mid y = c, y' \ne c) + \tfrac12 P(s_c(x) = s_c(x') \mid y = "
        r"c, y' \ne c),\qquad M = \frac{2}{k(k-1)} \sum_{a \lt b} \frac{A(a|b) + A(b|a)}{2}"
    ),
    reading=(
        "0.5 is chance and 1 is a perfect order, as for two classes; here the score of each class "
        "is taken by itself."
    ),
    range="0 to 1",
    better="higher",
    pitfalls=(
        "ovr depends on how common the classes are, since the rest is a mixture; ovo does not.",
        (
            "A class without rows has no AUC: it is left out and counted; scikit-learn refuses "
            "such data."
        ),
        (
            "micro compares scores of different classes with each other, which only makes sense "
            "for calibrated scores."
        ),
    ),
    reference="Hand & Till (2001), Machine Learning 45(2):171; Fawcett (2006), PRL 27(8):861",
    chinese="多分类 AUC（一对其余、一对一）",
    example=(
        "sy.auc([0, 1, 2, 2], [[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6], [0.5, 0.2, 0.3]])"
    ),
    seed="004",
    parameters=(choice("multi_class", "ovr", "ovo", means=COMPARED_WITH), SCORE_AVERAGE),
    aliases=("roc_auc", "roc_auc_score", "auroc"),
)
