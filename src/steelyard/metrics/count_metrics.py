"""Metrics of the confusion cells at a threshold."""

from collections.abc import Callable
from typing import Any, NamedTuple

from steelyard.metrics.parameter import THRESHOLD, Parameter
from steelyard.metrics.record import Metric, StateSpec, metric_class, sums_of
from steelyard.model import AnyValue
from steelyard.views.sums import SumLine


class Counts(NamedTuple):
    """The confusion cells as whole multiples of 2**power."""

    tp: int
    fp: int
    fn: int
    tn: int
    power: int

    @property
    def positives(self) -> int:
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        return self.fp + self.tn

    @property
    def all(self) -> int:
        return self.positives + self.negatives


@metric_class
class CountMetric(Metric):
    """A metric of the confusion cells at a threshold.

    value: a function of the cells and of the parameters other than the threshold
    """

    value: Callable[..., AnyValue]
    parameters: tuple[Parameter, ...] = (THRESHOLD,)

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", "weighted_positives", *_terms_at_threshold(params))

    def compute(self, view: SumLine, params: dict[str, Any]) -> AnyValue:
        positives, weight = view["weighted_positives"], view["weight"]
        called, hits = (view[term] for term in _terms_at_threshold(params))
        cells = Counts(
            hits, called - hits, positives - hits, weight - positives - called + hits, view.power
        )
        rest = {name: value for name, value in params.items() if name != "threshold"}
        return self.value(cells, **rest)


def _terms_at_threshold(params: dict[str, Any]) -> tuple[str, str]:
    """The terms of the rows called positive, and of the true positives among them."""
    if "threshold" not in params:  # a metric of the labels alone, such as prevalence
        return "weighted_positives", "weighted_positives"
    threshold = repr(float(params["threshold"]) + 0.0)  # -0.0 is 0.0
    return f"called {threshold}", f"hit {threshold}"
