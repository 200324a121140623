"""Metrics of many classes, and means over classes.

Each class's value is rounded once; their mean is exact, and rounded once. A class without a value
(0/0) is left out of the mean and counted.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics import class_influence
from steelyard.metrics.division import NO_ROWS, ratio
from steelyard.metrics.influence import LOGIT, OTHERS, Influences, SliceValues
from steelyard.metrics.influence import Quotient as Quotient
from steelyard.metrics.parameter import Parameter, choice, one_of
from steelyard.metrics.record import PREDICTION, Metric, StateSpec, metric_class, sums_of
from steelyard.model import (
    AnyValue,
    ClassMean,
    Detailed,
    Floats,
    Key,
    RequiredColumns,
    Undefined,
    Value,
)
from steelyard.views.classes import ClassCells, ClassTotals
from steelyard.views.cluster_cells import ClusterClasses

NO_VALUE = "no class has a value"
NO_WEIGHT = "the classes that count have no weight"
AVERAGES = ("macro", "micro", "weighted")
BINARY = "binary"
AVERAGED = (
    "macro is the mean of the classes' values, micro the value of all classes' cells added up, "
    "weighted a mean by how frequent each class is; in functions y_true may be a matrix of 0 and "
    "1, a column for each label, and samples is the mean over its rows"
)
# In a plain function None means the value of each class.
SCORE_AVERAGE = replace(choice("average", *AVERAGES, means=AVERAGED), type="str | None")
AVERAGE = replace(
    choice("average", BINARY, *AVERAGES, means=f"binary is the positive class of two, {AVERAGED}"),
    type="str | None",
)
SKIP = "skip"
ZERO_DIVISION = one_of(
    *("zero_division", SKIP, 0, 1),
    means="the value of a class where it is 0/0: skip leaves the class out and counts it",
)
AVERAGING = (AVERAGE.name, ZERO_DIVISION.name)  # parameters that no quotient takes
CELLS = sums_of("weight", key="class_pair")
FEW = 3  # classes named in details, where there may be many


class OneVsRest(NamedTuple):
    """The confusion cells of one class against all others, as whole multiples of one unit."""

    tp: int
    fp: int
    fn: int
    tn: int


UNITS = tuple(OneVsRest(*(int(cell == other) for other in range(4))) for cell in range(4))


@metric_class
class ManyClassesMetric(Metric):
    """A metric of rows that each have one of several classes."""

    reads: str = PREDICTION

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        # labels: the classes of a matrix's columns, or the predicted classes to average over
        return before, {"labels": None, **after}


@metric_class
class ClassPredictionMetric(ManyClassesMetric):
    """A metric of the true and the predicted class."""

    argument_names: tuple[str, ...] = ("y_pred",)

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return CELLS

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return RequiredColumns(binary=False, classes=True)

    def takes_classes(self, params: dict[str, Any]) -> bool:
        return True


@metric_class
class ClassScoreMetric(ManyClassesMetric):
    """A metric of the true class and one score per class."""

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return RequiredColumns(binary=False, class_scores=True)


@metric_class
class CellsMetric(ClassPredictionMetric):
    """One number for all classes together.

    value: a function of the cells
    slopes: its derivatives by the weight of each cell; a function of the cells by cluster, the
        value of each slice, and the parameters
    of_some: whether it can be computed over some of the classes
    """

    value: Callable[..., Value]
    slopes: Callable[..., Floats]
    of_some: bool = False

    def takes_classes(self, params: dict[str, Any]) -> bool:
        return self.of_some

    def compute(self, view: ClassCells, params: dict[str, Any]) -> AnyValue:
        return described(self.value(view, **params), view.table)

    def influences(
        self, view: ClusterClasses, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
            slopes = self.slopes(view, values.numbers, **params)
        counts = view.is_among_chosen if self.of_some else None
        share = class_influence.share_of_rows(view, counts)
        found = class_influence.influences(view, slopes, share, values, counts)
        # If only one cluster has rows of other classes than one, nothing shows how these vary.
        return class_influence.without_few(found, view, view.lines_with(OTHERS, counts) < 2)


@metric_class
class ClassMetric(ClassPredictionMetric):
    """A mean over classes of a quotient of each class against all others.

    quotient: a function of the cells of one class; it gives numerator and denominator, which are
        linear in the cells
    nothing: why there is no value where that is 0/0 for the positive class
    """

    quotient: Callable[..., Quotient]
    nothing: str = NO_VALUE
    parameters: tuple[Parameter, ...] = (AVERAGE, ZERO_DIVISION)
    scale: str = LOGIT

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        return before, {"positive": None, **after} if AVERAGE in self.parameters else after

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        binary = params.get("average") == BINARY
        return RequiredColumns(binary=False, classes=True, positive_class=binary)

    def takes_classes(self, params: dict[str, Any]) -> bool:
        return params.get("average") in AVERAGES

    def compute(self, view: ClassCells, params: dict[str, Any]) -> ClassMean:
        if not view.weights:
            return class_mean([], None, ())
        average, table = params.get("average", "macro"), view.table
        cells = one_vs_rest(table)
        values = [self._value(one, params, NO_VALUE) for one in cells]
        found = class_mean(values, table.truth if average == "weighted" else None, table.labels)
        if average == BINARY:
            return found._replace(value=self._of_positive(view, params), details={})
        found = found._replace(details={**found.details, **unmatched(table)})
        if average != "micro":
            return found
        pooled = OneVsRest(*(sum(column) for column in zip(*cells, strict=True)))
        details = {**found.details, "classes_used": len(cells)}
        details.pop("left_out", None)
        return found._replace(value=self._value(pooled, params, NO_VALUE), details=details)

    def _value(self, cells: OneVsRest, params: dict[str, Any], why: str) -> Value:
        """The quotient of some cells; where it is 0/0, what `zero_division` says."""
        value = ratio(*self.quotient(cells, **_own(params)), why)
        return filled(value, params.get(ZERO_DIVISION.name, SKIP))

    def _of_positive(self, view: ClassCells, params: dict[str, Any]) -> Value:
        """The value of the positive class, which may have no rows."""
        table = view.table
        found = dict(zip(table.labels, one_vs_rest(table), strict=True))
        cells = found.get(view.positive, OneVsRest(0, 0, 0, table.all))
        return self._value(cells, params, self.nothing)

    def influences(
        self, view: ClusterClasses, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        average = params.get("average", "macro")
        return class_influence.influences_of_mean(view, self._coefficients(params), values, average)

    def _coefficients(self, params: dict[str, Any]) -> class_influence.Coefficients:
        """What a weight of 1 in each cell adds to numerator and denominator."""
        found = [self.quotient(cell, **_own(params)) for cell in UNITS]
        return [(float(above), float(below)) for above, below in found]


def _own(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters that a quotient takes."""
    return {name: value for name, value in params.items() if name not in AVERAGING}


def filled(value: Value, zero_division: Any) -> Value:
    """A value; where there is none, what `zero_division` says."""
    stays = zero_division == SKIP or not isinstance(value, Undefined)
    return value if stays else float(zero_division)


def one_vs_rest(table: ClassTotals) -> list[OneVsRest]:
    """The confusion cells of each class against all others."""
    all_ = table.all
    columns = zip(table.hits, table.truth, table.predicted, strict=True)
    return [
        OneVsRest(hits, called - hits, true - hits, all_ - true - called + hits)
        for hits, true, called in columns
    ]


def class_mean(
    values: Sequence[Value],
    weights: Sequence[int] | None,
    labels: Sequence[Any],
    kind: str = "classes",
) -> ClassMean:
    """The exact mean of the classes that have a value, weighted if weights are given.

    kind: "classes" or "pairs", as details name them
    """
    used = [i for i, value in enumerate(values) if not isinstance(value, Undefined)]
    details: dict[str, Any] = {kind: len(values), f"{kind}_used": len(used)}
    if len(used) < len(values):
        without = set(range(len(values))) - set(used)
        first = [labels[i] for i in sorted(without)[:FEW]]
        details["left_out"] = [list(each) if isinstance(each, tuple) else each for each in first]
    shown = np.array([np.nan if isinstance(v, Undefined) else v for v in values], np.float64)
    if not used:
        return ClassMean(
            Undefined(NO_VALUE if len(labels) else NO_ROWS), shown, details, tuple(labels)
        )
    totals = dict[float, int]()  # equal values are added up as whole numbers, which is fast
    for i, value in zip(used, shown[used].tolist(), strict=True):
        totals[value] = totals.get(value, 0) + (1 if weights is None else weights[i])
    sum_ = sum(Fraction(value) * weight for value, weight in totals.items())
    return ClassMean(ratio(sum_, sum(totals.values()), NO_WEIGHT), shown, details, tuple(labels))


def described(value: Value, table: ClassTotals) -> Detailed:
    """A value with the number of classes, and those never true or never predicted."""
    return Detailed(value, {"classes": len(table.labels)} | unmatched(table))


def unmatched(table: ClassTotals) -> dict[str, Any]:
    """Classes that are predicted but never true, or the reverse: how many, and the first few."""
    found = {
        "never_true": _absent(table.labels, table.truth),
        "never_predicted": _absent(table.labels, table.predicted),
    }
    return {
        name: {"classes": len(labels), "first": labels[:FEW]}
        for name, labels in found.items()
        if labels
    }


def _absent(labels: Iterable[Key], weights: Iterable[int]) -> list[Key]:
    return [label for label, weight in zip(labels, weights, strict=True) if weight == 0]
