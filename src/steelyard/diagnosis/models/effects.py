"""The change of a metric between two logs, its standard error, and the change without some rows."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.diagnosis.models.measured import MeasuredRows, bound_metric
from steelyard.diagnosis.models.moves import Moves
from steelyard.diagnosis.models.moves_of import moves_of
from steelyard.diagnosis.two_logs.two_logs import TwoLogs
from steelyard.model import Array, Mask
from steelyard.stats.differences import Change, difference
from steelyard.stats.student import t_quantile, t_two_sided
from steelyard.stats.variance import spread_of


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error.

    freedom: degrees of freedom; clusters: how many contribute
    largest: the share of the variance that one of them has
    """

    value: float
    error: float
    freedom: float
    clusters: int
    largest: float

    @classmethod
    def of(cls, found: Change) -> "Estimate":
        """The change of one slice."""
        error, freedom, clusters, largest, _ = (column[0].item() for column in found.spread)
        return cls(float(found.amount[0]), error, freedom, clusters, largest)

    @property
    def z(self) -> float:
        return self.value / self.error if self.error > 0 else 0.0

    @property
    def p(self) -> float:
        """The p value of the hypothesis that it is 0."""
        if not self.error > 0:
            return 1.0 if self.value == 0 else float("nan")
        found = t_two_sided(np.array([self.value / self.error]), np.array([self.freedom]))
        return float(found[0])

    @property
    def has_interval(self) -> bool:
        return self.error == self.error

    def half(self, confidence: float) -> float:
        """Half of the width of its interval."""
        if self.error == 0:
            return 0.0
        quantile = t_quantile(0.5 + confidence / 2, np.array([self.freedom]))
        return float(quantile[0]) * self.error

    def beyond_noise(self, confidence: float) -> bool:
        return abs(self.value) > self.half(confidence)


class Model:
    """A metric of two logs: its values and influences are those of `evaluate` and `compare`."""

    def __init__(self, two: TwoLogs, metric: str) -> None:
        self.two, self.metric = two, metric
        bound = bound_metric(two, metric)
        self.sides = tuple(MeasuredRows(two, log, bound) for log in two.logs)

    @property
    def values(self) -> tuple[float, float]:
        """The value before and after; NaN where there is none."""
        before, after = self.sides
        return before.value, after.value

    def take(self, keep: tuple[Array, Array]) -> "Model":
        """The metric of some rows."""
        return Model(self.two.without_codes().take(keep), self.metric)

    @cached_property
    def change(self) -> Change:
        before, after = self.sides
        return difference(before.number, after.number)

    @cached_property
    def estimate(self) -> Estimate:
        """The change of the metric."""
        return Estimate.of(self.change)

    @cached_property
    def moves(self) -> Moves:
        return moves_of(self.two, self.metric, self.values)

    def within(self, value: float, codes: tuple[Array, Array], count: int) -> Estimate:
        """The change at a constant mix of slices, whose value is known."""
        both = self.moves.within_influences(codes, count)
        before, after = (
            Change(np.array([amount]), each, spread_of(each))
            for amount, each in zip((0.0, value), both, strict=True)
        )
        return Estimate.of(difference(before, after))


class Effect(NamedTuple):
    """What leaving rows out does to a change.

    all, without: the change of all rows, and of the others
    difference: the first minus the second; its p value tests whether the rows have no effect
    """

    all: Estimate
    without: Estimate
    difference: Estimate

    @property
    def share(self) -> float:
        """The share of the change that is gone without the rows; NaN without a change."""
        if self.all.value == 0 or self.without.value != self.without.value:
            return float("nan")
        return 1.0 - self.without.value / self.all.value


def effect(model: Model, out: tuple[Mask, Mask]) -> Effect:
    """The effect of leaving rows out of both logs."""
    rest = model.take((~out[0], ~out[1])).change
    return Effect(model.estimate, Estimate.of(rest), Estimate.of(difference(rest, model.change)))
