"""Max error: the largest error of any row."""

from math import isinf
from typing import Any

from steelyard.metrics.division import NO_ROWS, TOO_LARGE
from steelyard.metrics.influence import NOT_SMOOTH
from steelyard.metrics.record import StateSpec, metric_class
from steelyard.metrics.regression_metrics import RegressionMetric
from steelyard.model import Undefined, Value
from steelyard.states import Extremes


@metric_class
class MaxError(RegressionMetric):
    """The largest absolute error."""

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return StateSpec(Extremes, (("term", "absolute"),))

    def compute(self, view: float, params: dict[str, Any]) -> Value:
        if isinf(view):
            return Undefined(TOO_LARGE if view > 0 else NO_ROWS)
        return view


METRIC = MaxError(
    interval=NOT_SMOOTH,
    formula="max |p − y|",
    tex=r"\max_i |p_i - y_i|",
    reading="How far off the worst prediction is, in the unit of the truth.",
    range="0 and above",
    better="lower",
    pitfalls=(
        "It is one row: often a mistake in the data rather than in the model.",
        "It grows with the number of rows, so samples of different size cannot be compared.",
        "It ignores weights, except that a row of weight 0 is absent.",
    ),
    reference="Chebyshev (1854), on the uniform norm of an error.",
    chinese="最大误差",
    example="sy.max_error([3.0, 2.0, 7.0, 1.0], [4.0, 2.0, 7.0, 1.0])",
)
