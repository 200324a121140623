"""How far the cumulative difference Σ w(y − q) moves over block ends, by rising score.

Sums in float64 say which block ends may be the highest and the lowest; only those few are compared
exactly. The difference rises at positives alone, so that it is highest just after a distinct
positive score, or at nothing, and lowest just before one, or at nothing, or at the end.
"""

from fractions import Fraction
from itertools import accumulate

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats
from steelyard.states.sorted_side import SortedSide

Sides = tuple[SortedSide, SortedSide]
Place = tuple[int, int]  # how many rows of either side lie below
Rows = tuple[Array, Array]  # the same of several places


class Differences:
    """Places where the difference may be the highest or the lowest, as ranges come."""

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.total = sides[0].weight + sides[1].weight
        # Each of two sums of n numbers that add up to 1 at most is off by n·2**-53 of it at most.
        self.slack = (len(sides[0]) + len(sides[1]) + 64) * 2.0**-51
        self.now = 0.0
        self.highs = _Best([(0, 0)], [0.0], self.slack)
        self.lows = _Best([(0, 0)], [0.0], self.slack)

    def add(self, start: Place, end: Place, before: Rows, after: Rows) -> None:
        """Take in a score range, and the places just before and after its positive scores."""
        rise = self._cumulative(0, start, end)
        fall = self._cumulative(1, start, end)
        for best, rows, sign in ((self.highs, after, 1.0), (self.lows, before, -1.0)):
            here = self.now + (rise[rows[0] - start[0]] - fall[rows[1] - start[1]])
            best.add(rows, sign * here)
        self.now += float(rise[-1] - fall[-1])

    def range(self) -> Fraction:
        """The highest difference less the lowest, exactly."""
        last = (np.array([len(self.sides[0])]), np.array([len(self.sides[1])]))
        self.lows.add(last, np.array([-self.now]))
        places = sorted({*self.highs.places(), *self.lows.places()})
        exact = self._exact(places)
        highest = max(exact[place] for place in self.highs.places())
        return highest - min(exact[place] for place in self.lows.places())

    def _cumulative(self, which: int, start: Place, end: Place) -> Floats:
        """What rows add to the difference or take from it, as a part of all weight."""
        side = self.sides[which]
        q = side.probabilities(start[which], end[which])
        amounts = (1.0 - q if which == 0 else q) * self._shares(side, start[which], end[which])
        return np.concatenate([[0.0], np.cumsum(amounts)])

    def _shares(self, side: SortedSide, start: int, end: int) -> Floats | float:
        """Weights as a part of all weight."""
        digits = side.weights(start, end)
        if digits is None:
            return 1.0 / self.total
        whole = kernels.active().integers(digits)
        total = self.total if whole.dtype == object else float(self.total)
        shares: Floats = (whole / total).astype(np.float64)
        return shares

    def _exact(self, places: list[Place]) -> dict[Place, Fraction]:
        """The difference at places in order, less what it is at the first."""
        bounds = [np.array(column) for column in zip(*places, strict=True)]
        weights = np.diff(self.sides[0].before(bounds[0])).tolist()
        sums = [side.sums(rows, np.asarray) for side, rows in zip(self.sides, bounds, strict=True)]
        steps = [w - p - n for w, p, n in zip(weights, *sums, strict=True)]
        return dict(zip(places, accumulate(steps, initial=Fraction(0)), strict=True))


class _Best:
    """The places whose difference may be the highest."""

    def __init__(self, places: list[Place], differences: list[float], slack: float) -> None:
        self.slack = 2 * slack  # two places, each that far off
        self.parts = [(*map(np.array, zip(*places, strict=True)), np.array(differences))]
        self.highest = max(differences)

    def add(self, rows: Rows, differences: Floats) -> None:
        if len(differences) == 0:
            return
        self.highest = max(self.highest, float(differences.max()))
        near = np.flatnonzero(differences >= self.highest - self.slack)
        self.parts.append((rows[0][near], rows[1][near], differences[near]))

    def places(self) -> list[Place]:
        kept = (np.concatenate(column) for column in zip(*self.parts, strict=True))
        positives, negatives, differences = kept
        near = differences >= self.highest - self.slack
        return list(zip(positives[near].tolist(), negatives[near].tolist(), strict=True))
