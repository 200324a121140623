"""Metrics of probabilities that are read off sums over rows."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steelyard.metrics.parameter import Parameter, column
from steelyard.metrics.record import Metric, Need
from steelyard.metrics.value import NO_ROWS
from steelyard.model import PROBABILITIES, Detailed, Undefined, Value, Wants
from steelyard.states import Expected, FieldSums, Losses
from steelyard.states.field_sums import Sum

NONE_EXPECTED = "no click is predicted: every probability is 0"
EXPECTED = Need(Expected)
LOG = Need(Losses, (("term", "log"),))
SQUARE = Need(Losses, (("term", "square"),))
SURPLUS = Need(Losses, (("term", "surplus"),))

FIELD = "the column whose values part the rows"


@dataclass(frozen=True, kw_only=True)
class ProbabilityMetric(Metric):
    """A metric of scores that are probabilities.

    logarithm: whether it takes their logarithm, so that a clip says something
    """

    words: tuple[str, ...] = ("y_score", "y_proba")
    logarithm: bool = False

    def wants(self, params: dict[str, Any]) -> Wants:
        return PROBABILITIES

    @property
    def roles_of_function(self) -> tuple[dict[str, Any], dict[str, Any]]:
        before, after = super().roles_of_function
        clip = {"clip": None} if self.logarithm else {}
        return before, {**after, "downsampled": None, **clip}


@dataclass(frozen=True, kw_only=True)
class SumMetric(ProbabilityMetric):
    """A metric of the weights of the two classes and one kind of sum beside them."""

    state: Need
    value: Callable[..., Value | Detailed]

    def need(self, params: dict[str, Any]) -> Need:
        return self.state

    def compute(self, state: Expected | Losses, params: dict[str, Any]) -> Value | Detailed:
        if weight(state) == 0:
            return Undefined(NO_ROWS)
        return self.value(state, **params)


def weight(state: Expected | Losses) -> Fraction:
    """The weight of all rows."""
    return state["positives"] + state["negatives"]


@dataclass(frozen=True, kw_only=True)
class FieldMetric(ProbabilityMetric):
    """A metric of the sums of each value of a column, `field`."""

    parameters: tuple[Parameter, ...] = (column("field", means=FIELD),)

    def need(self, params: dict[str, Any]) -> Need:
        return Need(FieldSums, (("column", params["field"]),))

    def wants(self, params: dict[str, Any]) -> Wants:
        return PROBABILITIES | Wants(fields=(params["field"],))

    def compute(self, state: FieldSums, params: dict[str, Any]) -> Detailed:
        sums = state.sums
        details = {
            "fields": len(sums),
            "fields_without_positives": sum(not each.positives for each in sums),
        }
        rest = {name: value for name, value in params.items() if name != "field"}
        value = self.measure(sums, **rest) if sums else Undefined(NO_ROWS)
        return Detailed(value, details)

    @abstractmethod
    def measure(self, sums: list[Sum], **params: Any) -> Value:
        """The value, given one row or more."""
