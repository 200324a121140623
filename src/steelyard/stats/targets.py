"""Differences of metrics with a target, such as COPC: which of two values is nearer to it?

With a and b the signed distances of the baseline and the candidate, in logarithms for a ratio, the
candidate is farther by D = |b| − |a|. An absolute value has no normal distribution near 0, where a
well calibrated model is. But both b − a and b + a have one, and |b| > |a| if and only if they have
the same sign: D is b − a, a − b, b + a or −b − a. So the interval of D follows from the intervals
of both: if both are above m, or both below −m, the candidate is farther by more than m. |D| is at
most the smaller of |b − a| and |b + a|, which keeps the interval of nearly equal models short.

In 2,240 simulated cases (correlations of −0.5 to 0.99, both sides of the target, margins) at most
5.2 % of 95 % intervals were wrong.
"""

from typing import NamedTuple

import numpy as np

from steelyard.model import Floats
from steelyard.stats.differences import (
    Limits,
    TestedDifferences,
    detectable_difference,
    half_width,
    upper_tail,
)
from steelyard.stats.variance import Spread


class Combination(NamedTuple):
    """b − a or b + a of every slice, and its spread."""

    amount: Floats
    spread: Spread

    def ends(self, confidence: float) -> tuple[Floats, Floats]:
        """Its interval."""
        half = half_width(self.spread, confidence)
        return self.amount - half, self.amount + half

    def above(self, limit: float) -> Floats:
        """One-sided p of an amount of at most `limit`."""
        return upper_tail(self.amount - limit, self.spread)

    def below(self, limit: float) -> Floats:
        """One-sided p of an amount of at least `limit`."""
        return upper_tail(limit - self.amount, self.spread)

    def two_sided(self) -> Floats:
        """p of an amount of 0."""
        least: Floats = np.minimum(1.0, 2.0 * np.minimum(self.above(0.0), self.below(0.0)))
        return least


def tested_distances(
    amount: Floats, spread: Spread, combinations: tuple[Combination, Combination], limits: Limits
) -> TestedDifferences:
    """The intervals and p-values of how much nearer candidates are to the target.

    amount: |a| − |b|; spread: that of b − a or b + a, whichever of them it is
    combinations: b − a and b + a
    """
    minus, plus = combinations
    low, high = _farther(minus.ends(limits.confidence), plus.ends(limits.confidence))
    p = np.maximum(minus.two_sided(), plus.two_sided())
    worse = _beyond(minus, plus, limits.margin or 0.0)
    equal = (minus.amount == 0) & (minus.spread.error == 0)
    low, high = (np.where(equal, 0.0, end) for end in (low, high))
    p, worse = (np.where(equal, 1.0, each) for each in (p, worse))
    least = detectable_difference(spread, limits.confidence)
    return TestedDifferences(amount, -high, -low, p, least, worse)


def _farther(minus: tuple[Floats, Floats], plus: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """The interval of |b| − |a| from those of b − a and b + a."""
    (x_low, x_high), (y_low, y_high) = minus, plus
    most = np.minimum(np.maximum(-x_low, x_high), np.maximum(-y_low, y_high))
    low = np.maximum(np.minimum(x_low, y_low), np.minimum(-x_high, -y_high))
    high = np.minimum(np.maximum(x_high, -y_low), np.maximum(-x_low, y_high))
    return np.maximum(low, -most), np.minimum(high, most)


def _beyond(minus: Combination, plus: Combination, margin: float) -> Floats:
    """p of a candidate that is farther by at most the margin; two-sided, as intervals are.

    |b| − |a| > m if and only if both combinations are above m, or both below −m.
    """
    above = np.maximum(minus.above(margin), plus.above(margin))
    below = np.maximum(minus.below(-margin), plus.below(-margin))
    p: Floats = np.minimum(1.0, 2.0 * np.minimum(above, below))
    return p
