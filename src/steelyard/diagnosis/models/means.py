"""Means and ratios of two logs: how those of CTR, COPC, log loss and NE moved."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.diagnosis.models.measured import of_numbers
from steelyard.diagnosis.models.moves import Codes, Moves
from steelyard.diagnosis.two_logs.steady import on_grid, steady_sums, steady_total
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.metrics.entropy import entropy
from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped


def losses(log: LogRows, reading: Reading) -> Floats:
    """The log loss of each row."""
    assert log.probability is not None
    return -kernels.active().log_chance(clipped(log.probability, reading), log.positive)


class RatioTerms(NamedTuple):
    """What each row adds to the numerator and the denominator of a mean."""

    top: Floats
    bottom: Floats


def ctr_terms(two: TwoLogs, log: LogRows) -> RatioTerms:
    weight = log.weights.astype(np.float64)
    return RatioTerms(np.where(log.positive, weight, 0.0), weight)


def copc_terms(two: TwoLogs, log: LogRows) -> RatioTerms:
    assert log.probability is not None
    weight = log.weights.astype(np.float64)
    return RatioTerms(np.where(log.positive, weight, 0.0), weight * log.probability)


def loss_terms(two: TwoLogs, log: LogRows) -> RatioTerms:
    weight = log.weights.astype(np.float64)
    return RatioTerms(weight * losses(log, two.reading), weight)


def mean_terms(two: TwoLogs, log: LogRows) -> RatioTerms:
    """The rows of a log of groups, whose score is the value of the group."""
    weight = log.weights.astype(np.float64)
    return RatioTerms(weight * log.score, weight)


TERMS: dict[str, Callable[[TwoLogs, LogRows], RatioTerms]] = {
    "ctr": ctr_terms,
    "copc": copc_terms,
    "logloss": loss_terms,
    "ne": loss_terms,
    "mean": mean_terms,
}


class RatioLog:
    """A mean of one log: Σ top / Σ bottom; NE divides it by the entropy of the base rate."""

    def __init__(self, two: TwoLogs, log: LogRows, metric: str) -> None:
        self.log, self.metric = log, metric
        self.terms = TERMS[metric](two, log)
        self.bottom = steady_total(self.terms.bottom)

    @cached_property
    def scale(self) -> float:
        """1, or the entropy of the base rate."""
        if self.metric != "ne":
            return 1.0
        weight = self.log.weights
        up = int(weight[self.log.positive].sum())
        return float(entropy(up, int(weight.sum()) - up))

    def influences(self, rows: Floats, count: int) -> Influences:
        """The sums of what each row adds, of so many clusters."""
        clusters = self.log.clusters
        shares = steady_sums(clusters, count, self.terms.bottom) / (self.bottom or 1.0)
        present = np.bincount(clusters, minlength=count) > 0
        return of_numbers([steady_sums(clusters, count, rows)], [shares], [present])


class RatioMoves(Moves):
    """A mean before and after."""

    def __init__(self, two: TwoLogs, metric: str) -> None:
        self.two, self.metric = two, metric
        self.sides = [RatioLog(two, log, metric) for log in two.logs]

    def within_influences(self, codes: Codes, count: int) -> tuple[Influences, ...]:
        """π̄·(top − r·bottom)/bottom of the slice, r the slice's own value."""
        sums = [
            [steady_sums(each, count, column) for column in side.terms]
            for side, each in zip(self.sides, codes, strict=True)
        ]
        found = []
        with np.errstate(divide="ignore", invalid="ignore"):
            share = sum(bottom / bottom.sum() for _, bottom in sums) / 2
            for side, slices, (top, bottom) in zip(self.sides, codes, sums, strict=True):
                value, scale = (top / bottom)[slices], (share / bottom)[slices] / side.scale
                column = scale * (side.terms.top - value * side.terms.bottom)
                rows = np.where(np.isfinite(column), column, 0.0)
                found.append(side.influences(rows, self.two.cluster_count))
        return tuple(found)

    def _sums(self, place: int, codes: Array, count: int) -> Floats:
        columns = [np.bincount(codes, each, minlength=count) for each in self._grid[place]]
        return np.stack(columns, axis=1)

    def _moved(self, before: Floats, after: Floats) -> tuple[Floats, Floats]:
        """Δr, r the own value of a cell."""
        change, variance = np.zeros((2, len(before)))
        with np.errstate(divide="ignore", invalid="ignore"):
            for side, sums, sign in zip(self.sides, (before, after), (-1.0, 1.0), strict=True):
                top, bottom, tops, both, bottoms = sums.T
                value = top / bottom
                change += sign * value / side.scale
                spread = tops - 2 * value * both + value**2 * bottoms
                variance += spread / (bottom * side.scale) ** 2
        return change, variance

    @cached_property
    def _grid(self) -> list[list[Floats]]:
        """The terms and their products, as the search adds them."""
        return [
            [on_grid(c) for c in (t.top, t.bottom, t.top**2, t.top * t.bottom, t.bottom**2)]
            for t in (side.terms for side in self.sides)
        ]
