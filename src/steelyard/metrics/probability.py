"""Metrics of probabilities that are read off sums over rows."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from steelyard.metrics.parameter import Parameter, column
from steelyard.metrics.record import Metric, Need, sums_of
from steelyard.metrics.value import NO_ROWS
from steelyard.model import PROBABILITIES, Detailed, Undefined, Value, Wants
from steelyard.views.sums import SumLine

NONE_EXPECTED = "no click is predicted: every probability is 0"
CLASSES = ("weight", "weighted_positives")
EXPECTED = sums_of(*CLASSES, "expected")
LOG = sums_of(*CLASSES, "log", "infinite")
SQUARE = sums_of(*CLASSES, "squares")
SURPLUS = sums_of(*CLASSES, "surplus", "surplus_variance")
EXPECTED_BY_FIELD = (*CLASSES, "expected")

FIELD = "the column whose values part the rows"


@dataclass(frozen=True, kw_only=True)
class ProbabilityMetric(Metric):
    """A metric of scores that are probabilities."""

    words: tuple[str, ...] = ("y_score", "y_proba")

    def wants(self, params: dict[str, Any]) -> Wants:
        return PROBABILITIES

    @property
    def roles_of_function(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().roles_of_function
        return before, {**after, "downsampled": None, "clip": None}


@dataclass(frozen=True, kw_only=True)
class SumMetric(ProbabilityMetric):
    """A metric of the weights of the two classes and one kind of sum beside them."""

    state: Need
    value: Callable[..., Value | Detailed]

    def need(self, params: dict[str, Any]) -> Need:
        return self.state

    def compute(self, view: SumLine, params: dict[str, Any]) -> Value | Detailed:
        if view["weight"] == 0:
            return Undefined(NO_ROWS)
        return self.value(view, **params)


def negatives(sums: SumLine) -> int:
    """The weight of the negatives."""
    return sums["weight"] - sums["weighted_positives"]


class FieldSum(NamedTuple):
    """What the rows of one value weigh, those of them that are positive, and Σ w·q; whole
    multiples of one unit."""

    weight: int
    positives: int
    expected: int


@dataclass(frozen=True, kw_only=True)
class FieldMetric(ProbabilityMetric):
    """A metric of the sums of each value of a column, `field`."""

    parameters: tuple[Parameter, ...] = (column("field", means=FIELD),)

    def need(self, params: dict[str, Any]) -> Need:
        return sums_of(*EXPECTED_BY_FIELD, key=f"field {params['field']}")

    def wants(self, params: dict[str, Any]) -> Wants:
        return PROBABILITIES | Wants(fields=(params["field"],))

    def compute(self, view: list[SumLine], params: dict[str, Any]) -> Detailed:
        sums = [FieldSum(*(line[term] for term in EXPECTED_BY_FIELD)) for line in view]
        details = {
            "fields": len(sums),
            "fields_without_positives": sum(not each.positives for each in sums),
        }
        rest = {name: value for name, value in params.items() if name != "field"}
        value = self.measure(sums, **rest) if sums else Undefined(NO_ROWS)
        return Detailed(value, details)

    @abstractmethod
    def measure(self, sums: list[FieldSum], **params: Any) -> Value:
        """The value, given one row or more."""
