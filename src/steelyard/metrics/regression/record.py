"""What a metric of truth and prediction is, and how its value is settled."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from steelyard.metrics.record import PREDICTION, Metric, Need
from steelyard.metrics.value import NO_ROWS, TOO_LARGE, root_ratio, settled
from steelyard.model import AnyValue, Undefined, Value, Wants
from steelyard.states import Errors, Largest, Pairs

NUMBERS = Wants(binary=False, numbers=True)
SAME_TRUTH = "every truth is the same"
SAME_PREDICTION = "every prediction is the same"


@dataclass(frozen=True, kw_only=True)
class RegressionMetric(Metric):
    """A metric of real numbers; `value` sees a state that has rows.

    of: the sums of errors that it reads; none where it reads another state
    """

    value: Callable[..., AnyValue]
    of: str = ""
    state: type[Errors] | type[Largest] | type[Pairs] = Errors
    reads: str = PREDICTION
    words: tuple[str, ...] = ("y_pred",)

    def need(self, params: dict[str, Any]) -> Need:
        return Need(self.state, (("of", self.of),) if self.of else ())

    def compute(self, state: Errors | Largest | Pairs, params: dict[str, Any]) -> AnyValue:
        return self.value(state, **params) if state.has_rows else Undefined(NO_ROWS)

    def wants(self, params: dict[str, Any]) -> Wants:
        return NUMBERS


def mean(state: Errors, name: str) -> Value:
    """A sum over the weight of all rows."""
    return settled(state[name] / state["weight"])


def root_mean(state: Errors, name: str) -> Value:
    """The square root of a mean, rounded once: √(a/b) is a/√(a·b)."""
    exact = state[name] / state["weight"]
    if exact == 0:
        return 0.0
    try:
        return root_ratio(exact.numerator, exact.numerator * exact.denominator, TOO_LARGE)
    except OverflowError:
        return Undefined(TOO_LARGE)


def rows_that(count: Fraction | int, one: str, many: str) -> str:
    """So many rows and what they do: "1 row has …", "2 rows have …"."""
    return f"{count} row {one}" if count == 1 else f"{count} rows {many}"
