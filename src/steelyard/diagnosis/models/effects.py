"""The change of a metric between two logs, its standard error, and the change without some rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np

from steelyard.metrics.influence import Influences
from steelyard.model import Array, Floats, Mask
from steelyard.stats.student import t_quantile, t_two_sided
from steelyard.stats.variance import spread_of
from steelyard.views.clusters import ClusterLines


class ClusterInfluence(NamedTuple):
    """What each cluster adds to a change, by cluster number.

    columns: one column, or two that are added up: of positives and of negatives (AUC)
    shares: for each column, the share of each cluster in the weight that the metric divides by,
        the larger one of both logs
    present: for each column, the clusters that have rows in it
    required: the clusters of each log: an error needs two of them in both
    """

    columns: tuple[Floats, ...]
    shares: tuple[Floats, ...]
    present: tuple[Mask, ...]
    required: tuple[Mask, ...] = ()

    def minus(self, other: "ClusterInfluence") -> "ClusterInfluence":
        """The influence on a difference of two changes."""
        columns = tuple(map(np.subtract, self.columns, other.columns))
        shares = tuple(map(np.maximum, self.shares, other.shares))
        return ClusterInfluence(columns, shares, self.present, self.required)

    @property
    def all(self) -> Floats:
        found: Floats = np.sum(self.columns, axis=0)
        return found


def moved(
    columns: Sequence[Sequence[Floats]],
    shares: Sequence[Sequence[Floats]],
    present: Sequence[Sequence[Mask]],
) -> ClusterInfluence:
    """After minus before, over the clusters of either log.

    A log is scaled so that its variance has the factor (I − 1)/I of its own clusters, as in a
    comparison of two logs.
    """
    either = tuple(old | new for old, new in zip(*present, strict=True))
    found = []
    for place, all_ in enumerate(either):
        old, new = (columns[side][place] * _scale(present[side][place], all_) for side in (0, 1))
        found.append(new - old)
    required = tuple(mask for side in present for mask in side)
    return ClusterInfluence(tuple(found), tuple(map(np.maximum, *shares)), either, required)


def _scale(own: Mask, either: Mask) -> float:
    """√ of (I − 1)/I of one log's clusters over that of both; 1 where they are as many."""
    few, many = int(np.count_nonzero(own)), int(np.count_nonzero(either))
    return 1.0 if few == many or few < 2 else math.sqrt((few - 1) / few * many / (many - 1))


class Model(Protocol):
    """A metric of two logs."""

    @property
    def values(self) -> tuple[float, float]:
        """The value before and after; NaN where there is none."""

    def take(self, keep: tuple[Array, Array]) -> Self:
        """The metric of some rows."""

    def influence(self) -> ClusterInfluence:
        """What each cluster adds to the change."""

    def within_influence(self, codes: tuple[Array, Array], count: int) -> ClusterInfluence:
        """What each cluster adds to the change at a constant mix of slices."""

    def cells(self, codes: tuple[Array, Array], count: int) -> Floats:
        """What each of these cells shows."""


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


def estimate(value: float, influence: ClusterInfluence) -> Estimate:
    """A number with the standard error that the influences of clusters give it."""
    count = len(influence.columns[0])
    lines = ClusterLines(np.zeros(count, np.intp), np.arange(count), np.array([0, count]))
    spread = spread_of(Influences(lines, *influence))
    return Estimate(
        value,
        float(spread.error[0]),
        float(spread.freedom[0]),
        int(spread.clusters[0]),
        float(spread.largest[0]),
    )


def change(model: Model) -> Estimate:
    """The change of a metric."""
    before, after = model.values
    return estimate(after - before, model.influence())


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


def effect(model: Model, out: tuple[Mask, Mask], whole: Estimate | None = None) -> Effect:
    """The effect of leaving rows out of both logs."""
    whole = change(model) if whole is None else whole
    rest = model.take((~out[0], ~out[1]))
    before, after = rest.values
    gone = rest.influence()
    others = estimate(after - before, gone)
    moved = estimate(whole.value - others.value, model.influence().minus(gone))
    return Effect(whole, others, moved)
