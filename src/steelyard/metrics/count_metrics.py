"""Metrics of the confusion cells at a threshold."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from steelyard.metrics.division import finite_ratio
from steelyard.metrics.influence import (
    LOGIT,
    Influences,
    Quotient,
    SliceValues,
    TermSums,
    needed_cells,
    of_both_classes,
    of_lines,
    of_quotient,
)
from steelyard.metrics.parameter import THRESHOLD, Parameter
from steelyard.metrics.record import Metric, StateSpec, metric_class, sums_of
from steelyard.metrics.values import quotient_values
from steelyard.model import AnyValue, Floats, Mask
from steelyard.result.metric_column import MetricColumn
from steelyard.views.clusters import ClusterSums
from steelyard.views.sums import SumLine, SumsView, TermArrays

CellCount = Any  # a whole number, or a column: one function serves values and influence values


class Counts(NamedTuple):
    """The confusion cells as whole multiples of 2**power, or columns of them in units of 1."""

    tp: CellCount
    fp: CellCount
    fn: CellCount
    tn: CellCount
    power: int

    @property
    def positives(self) -> CellCount:
        return self.tp + self.fn

    @property
    def negatives(self) -> CellCount:
        return self.fp + self.tn

    @property
    def all(self) -> CellCount:
        return self.positives + self.negatives


def share_of_all(own: Counts, total: Counts) -> Floats:
    """The share of each cluster in the weight of all rows."""
    share: Floats = own.all / total.all
    return share


@metric_class
class CountMetric(Metric):
    """A metric of the confusion cells at a threshold.

    quotient: numerator and denominator, both linear in the cells; a function of the cells and of
        the parameters other than the threshold; why: the reason for no value where it is 0/0
    value: instead of a quotient, a function of the same; influence: its influence values, a
        function of the cells of each cluster, those of its slice, the value and the parameters
    share: the share of each cluster in what such a metric divides by
    """

    quotient: Callable[..., Quotient] | None = None
    why: str = ""
    value: Callable[..., AnyValue] | None = None
    influence: Callable[..., Floats] | None = None
    share: Callable[[Counts, Counts], Floats] = share_of_all
    parameters: tuple[Parameter, ...] = (THRESHOLD,)
    scale: str = LOGIT

    def state_spec(self, params: dict[str, Any]) -> StateSpec:
        return sums_of("weight", "weighted_positives", *_terms_at_threshold(params))

    def values_in(self, view: SumsView, params: dict[str, Any]) -> MetricColumn | None:
        if self.quotient is None:
            return None
        cells = _cells_of(TermArrays(view.columns), params)
        return quotient_values(*self.quotient(cells, **_without_threshold(params)), self.why)

    def compute(self, view: SumLine, params: dict[str, Any]) -> AnyValue:
        cells, rest = _cells_of(view, params), _without_threshold(params)
        if self.value is not None:
            return self.value(cells, **rest)
        assert self.quotient is not None
        return finite_ratio(*self.quotient(cells, **rest), self.why)

    def influences(
        self, view: ClusterSums, params: dict[str, Any], values: SliceValues
    ) -> Influences:
        own, total = (_cells_of(sums, params) for sums in (view.own, view.total))
        rest = _without_threshold(params)
        value = view.lines.spread(values.numbers)
        present = value == value
        with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
            if self.quotient is not None:
                both = self.quotient(own, **rest), self.quotient(total, **rest)
                column, divisor = of_quotient(*both, value), both[0][1]
                present &= divisor != 0
                found = of_lines(view.lines, column, divisor / both[1][1], present)
                return found._replace(required=self._required(own, rest))
            assert self.influence is not None
            column, share = self.influence(own, total, value, **rest), self.share(own, total)
        found = of_lines(view.lines, column, share, present)
        return found._replace(required=of_both_classes(view.own))

    def _required(self, own: Counts, rest: dict[str, Any]) -> tuple[Mask, ...]:
        """The lines with rows in each of the cells that the quotient needs."""
        assert self.quotient is not None
        units = np.eye(4, dtype=int).tolist()
        cells = [Counts(tp, fp, fn, tn, 0) for tp, fp, fn, tn in units]
        denominator = [self.quotient(each, **rest)[1] for each in cells]
        masks = []
        for kinds in needed_cells(denominator):
            chosen = [cell for cell, is_chosen in zip(own[:4], kinds, strict=True) if is_chosen]
            masks.append(np.sum(chosen, axis=0) > 0)
        return tuple(masks)


def _cells_of(sums: TermSums, params: dict[str, Any]) -> Counts:
    """The cells of the sums of one slice, or of columns."""
    weight, positives = sums["weight"], sums["weighted_positives"]
    called, hits = (sums[term] for term in _terms_at_threshold(params))
    cells = (hits, called - hits, positives - hits, weight - positives - called + hits)
    return Counts(*cells, getattr(sums, "power", 0))


def _without_threshold(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name != "threshold"}


def _terms_at_threshold(params: dict[str, Any]) -> tuple[str, str]:
    """The terms of the rows called positive, and of the true positives among them."""
    if "threshold" not in params:  # a metric of the labels alone, such as prevalence
        return "weighted_positives", "weighted_positives"
    threshold = repr(float(params["threshold"]) + 0.0)  # -0.0 is 0.0
    return f"called {threshold}", f"hit {threshold}"
