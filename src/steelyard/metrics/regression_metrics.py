"""Metrics of truth and prediction as real numbers."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from steelyard.kernels.interface.terms import ERROR_FORMULAS
from steelyard.metrics.division import NO_ROWS, TOO_LARGE, finite_ratio, root
from steelyard.metrics.influence import (
    Influences,
    Quotient,
    SliceValues,
    TermSums,
    of_sums,
)
from steelyard.metrics.record import PREDICTION, Metric, StateSpec, metric_class, sums_of
from steelyard.model import AnyValue, Detailed, Floats, RequiredColumns, Undefined, Value
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumLine

NUMBERS = RequiredColumns(binary=False, numbers=True)
SAME_TRUTH = "every truth is the same"
SAME_PREDICTION = "every prediction is the same"


@metric_class
class RegressionMetric(Metric):
    """A metric of real numbers."""

    reads: str = PREDICTION
    argument_names: tuple[str, ...] = ("y_pred",)

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return NUMBERS


@metric_class
class ErrorMetric(RegressionMetric):
    """A metric of sums of errors.

    terms: the row terms that it reads, apart from the weight
    value: a function of the sums
    undefined: the reason for no value, if rows do not suit the metric
    quotient: numerator and denominator of the value, both linear in the sums; a function of the
        sums, which gives the influence values; influence: instead, a function of the sums of each
        line, those of its slice, and the value
    """

    value: Callable[..., Value | Detailed]
    terms: tuple[str, ...]
    quotient: Callable[..., Quotient] | None = None
    influence: Callable[..., Floats] | None = None
    undefined: Callable[..., Undefined | None] | None = None

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", *self.terms, self._overflows)

    @property
    def _overflows(self) -> str:
        """The term that counts the rows with a term beyond float64."""
        return "beyond " + ",".join(term for term in self.terms if term in ERROR_FORMULAS)

    def compute(self, view: SumLine, params: dict[str, Any]) -> AnyValue:
        if view["weight"] == 0:
            return Undefined(NO_ROWS)
        why = None if self.undefined is None else self.undefined(view, **params)
        if why is not None:
            return why
        value, count = self.value(view, **params), int(view.exact(self._overflows))
        if not count:
            return value
        none = Undefined(some_rows(count, "have a term that float64 does not hold"))
        return value._replace(value=none) if isinstance(value, Detailed) else none

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        return of_sums(self.quotient, self.influence, view, params, values)


def undefined_if(term: str, have: str) -> Callable[[SumLine], Undefined | None]:
    """An `undefined` function: no value if `term` counts any rows, which "have ..." something."""

    def undefined(sums: SumLine) -> Undefined | None:
        count = int(sums.exact(term))
        return Undefined(some_rows(count, have)) if count else None

    return undefined


def mean(sums: SumLine, name: str) -> Value:
    """A sum divided by the weight of all rows."""
    return finite_ratio(sums[name], sums["weight"], NO_ROWS)


def mean_of(name: str) -> Callable[[TermSums], Quotient]:
    """The quotient of a mean."""
    return lambda sums: (sums[name], sums["weight"])


def influence_of_root(name: str) -> Callable[..., Floats]:
    """The influence on the root of a mean: that on the mean, over twice the root."""

    def influence(own: TermSums, total: TermSums, value: Floats) -> Floats:
        square = value * value * own["weight"]
        column: Floats = (own[name] - square) / (2.0 * value * total["weight"])
        return column

    return influence


def root_mean(sums: SumLine, name: str) -> Value:
    """The square root of a mean, rounded once."""
    try:
        return root(Fraction(sums[name], sums["weight"]))
    except OverflowError:
        return Undefined(TOO_LARGE)


def some_rows(count: int, have: str) -> str:
    """A sentence about some rows: "2 rows have …", or "1 row has …"."""
    return f"1 row {have.replace('have', 'has', 1)}" if count == 1 else f"{count} rows {have}"
