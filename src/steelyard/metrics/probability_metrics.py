"""Metrics of probabilities that need sums over rows, and nothing else."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from steelyard.metrics.division import NO_ROWS, finite_ratio
from steelyard.metrics.influence import (
    NEAR_ZERO,
    Influences,
    Interval,
    SliceValues,
    of_both_classes,
    of_sums,
)
from steelyard.metrics.parameter import Parameter, column
from steelyard.metrics.record import Metric, StateSpec, metric_class, sums_of
from steelyard.metrics.values import quotient_values
from steelyard.model import PROBABILITIES, Detailed, Floats, RequiredColumns, Undefined, Value
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumColumns, SumLine, SumsView, TermArrays

NONE_EXPECTED = "no click is predicted: every probability is 0"
CLASSES = ("weight", "weighted_positives")
EXPECTED = sums_of(*CLASSES, "expected")
LOG = sums_of(*CLASSES, "log", "infinite")
SQUARE = sums_of(*CLASSES, "squares")
SURPLUS = sums_of(*CLASSES, "surplus", "surplus_variance")
EXPECTED_BY_FIELD = (*CLASSES, "expected")

FIELD = column("field", means="the column by whose values the rows are split")


@metric_class
class ProbabilityMetric(Metric):
    """A metric of scores that are probabilities."""

    argument_names: tuple[str, ...] = ("y_score", "y_proba")

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return PROBABILITIES

    @property
    def reading_keywords(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().reading_keywords
        return before, {**after, "downsampled": None, "clip": None}


@metric_class
class SumMetric(ProbabilityMetric):
    """A metric of sums over rows.

    state: the sums
    quotient: numerator and denominator of the value, both linear in the sums; a function of the
        sums, which gives the influence values too
    why: the reason for no value where the denominator is 0
    no_value: other reasons for no value, by position; a function of the sums of all slices
    value: instead of a quotient, a function of the sums of one slice
    influence: instead, the influence values: a function of the sums of each line, those of its
        slice, and the value
    """

    state: StateSpec
    quotient: Callable[..., tuple[Any, Any]] | None = None
    why: str = NO_ROWS
    no_value: Callable[[SumColumns], dict[int, str]] | None = None
    value: Callable[..., Value | Detailed] | None = None
    influence: Callable[..., Floats] | None = None

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return self.state

    def values_in(self, view: SumsView, params: dict[str, Any]) -> MetricColumn | None:
        if self.quotient is None:
            return None
        sums = TermArrays(view.columns)
        known = self.no_value(view.columns) if self.no_value is not None else {}
        weights = enumerate(view.columns["weight"])
        known |= {place: NO_ROWS for place, weight in weights if not weight}
        return quotient_values(*self.quotient(sums, **params), self.why, known)

    def compute(self, view: SumLine, params: dict[str, Any]) -> Value | Detailed:
        if view["weight"] == 0:
            return Undefined(NO_ROWS)
        if self.value is not None:
            return self.value(view, **params)
        assert self.quotient is not None
        known = self.no_value(view.columns) if self.no_value is not None else {}
        if view.place in known:
            return Undefined(known[view.place])
        return finite_ratio(*self.quotient(view, **params), self.why)

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        found = of_sums(self.quotient, self.influence, view, params, values)
        # A quotient counts the lines of its denominator; the others read both classes.
        more = of_both_classes(view.own) if self.quotient is None else ()
        return found._replace(required=more)


def negatives(sums: Mapping[str, Any] | SumLine) -> Any:
    """The weight of the negatives: of one slice, or of each line."""
    return sums["weight"] - sums["weighted_positives"]


class FieldSum(NamedTuple):
    """The sums of the rows with one value of a column, as whole multiples of one unit.

    weight, positives: the weight of the rows, and of the positive ones; expected: Σ w·q
    """

    weight: int
    positives: int
    expected: int


@metric_class
class FieldMetric(ProbabilityMetric):
    """A metric of the sums of each value of the column `field`.

    value: a function of these sums and of the other parameters
    """

    value: Callable[..., Value]
    parameters: tuple[Parameter, ...] = (FIELD,)
    interval: Interval = NEAR_ZERO

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of(*EXPECTED_BY_FIELD, key=f"field {params['field']}")

    def required_columns(self, params: dict[str, Any]) -> RequiredColumns:
        return PROBABILITIES | RequiredColumns(fields=(params["field"],))

    def compute(self, view: list[SumLine], params: dict[str, Any]) -> Detailed:
        sums = [FieldSum(*(line[term] for term in EXPECTED_BY_FIELD)) for line in view]
        details = {
            "fields": len(sums),
            "fields_without_positives": sum(not each.positives for each in sums),
        }
        rest = {name: value for name, value in params.items() if name != "field"}
        value = self.value(sums, **rest) if sums else Undefined(NO_ROWS)
        return Detailed(value, details)
