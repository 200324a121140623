"""The lowest and highest cumulative difference Σ w(y − q) at block ends, by rising score.

It rises only at positives, so that it is highest just after one and lowest just before one, or at
one of the ends. Sums in float64 over the ranges of a grid show where that may be. Only the block
ends of these ranges are computed, and the few that may be the highest or lowest compared exactly.
"""

from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.ragged import spread
from steelyard.model import Array, Floats
from steelyard.views.levels.grid import RANGES, WIDE, BlockEnds, Inside, Sides, inside, shares
from steelyard.views.levels.sorted_side import SortedSide

BlockEnd = tuple[int, ...]


class Prefix(NamedTuple):
    """A cumulative sum over rows in order: its end, its lowest and its highest value."""

    total: Fraction
    lowest: Fraction
    highest: Fraction


def join(lower: Prefix, upper: Prefix) -> Prefix:
    """The cumulative sum over both: the second starts where the first ends."""
    return Prefix(
        lower.total + upper.total,
        min(lower.lowest, lower.total + upper.lowest),
        max(lower.highest, lower.total + upper.highest),
    )


class Differences:
    """The cumulative difference at the block ends of a grid, a share of all weight in float64."""

    def __init__(self, sides: Sides, places: BlockEnds) -> None:
        self.sides, self.places = sides, places
        self.total = sides[0].weight + sides[1].weight
        # A sum of n numbers that add up to at most 1 has an error of at most n·2**-53.
        self.slack = (len(sides[0]) + len(sides[1]) + 64) * 2.0**-50
        self.rise = self._by_range(sides[0], places.positives, rises=True)
        self.fall = self._by_range(sides[1], places.negatives, rises=False)
        self.at = np.concatenate([[0.0], np.cumsum(self.rise - self.fall)])

    def prefix(self, unit: Fraction) -> Prefix:
        """The exact cumulative difference, from 0 at the start; weights are multiples of `unit`."""
        highs, lows = self._near(1.0), self._near(-1.0)
        first = tuple(int(column[0]) for column in self.places)
        last = tuple(int(column[-1]) for column in self.places)
        exact = self._exact(sorted({first, last, *highs, *lows}))
        lowest, highest = min(exact[place] for place in lows), max(exact[p] for p in highs)
        return Prefix(exact[last] * unit, lowest * unit, highest * unit)

    def _near(self, sign: float) -> list[BlockEnd]:
        """The block ends where the difference may be the highest, or with sign −1 the lowest."""
        at = sign * self.at
        best = float(at.max())
        most = at[:-1] + (self.rise if sign > 0 else self.fall)
        parts = [(*self.places, at)]
        for found in inside(self.sides, self.places, most >= best - self.slack):
            here = found.after if sign > 0 else found.before
            parts.append((*here, sign * self._inside(found, here)))
        positives, negatives, at = (np.concatenate(column) for column in zip(*parts, strict=True))
        near = np.flatnonzero(at >= at.max() - self.slack)
        return list(zip(positives[near].tolist(), negatives[near].tolist(), strict=True))

    def _inside(self, found: Inside, here: BlockEnds) -> Floats:
        """The difference at block ends inside ranges."""
        at = self.at[found.range]
        for side, starts, rows, rises in (
            (self.sides[0], self.places.positives, here.positives, True),
            (self.sides[1], self.places.negatives, here.negatives, False),
        ):
            ranges, which = np.unique(found.range, return_inverse=True)
            lengths = starts[ranges + 1] - starts[ranges]
            inner, _ = spread(starts[ranges], lengths)
            sums = np.concatenate([[0.0], np.cumsum(self._amounts(side, inner, rises=rises))])
            first = (np.cumsum(lengths) - lengths)[which]
            moved = sums[first + (rows - starts[found.range])] - sums[first]
            at = at + moved if rises else at - moved
        return at

    def _by_range(self, side: SortedSide, starts: Array, *, rises: bool) -> Floats:
        """What the rows of each range add to the difference, or subtract from it."""
        sums = np.zeros(len(starts) - 1)
        used = np.flatnonzero(np.diff(starts))
        for first in range(0, len(used), RANGES):
            some = used[first : first + RANGES]
            start, end = int(starts[some[0]]), int(starts[some[-1] + 1])
            amounts = self._amounts(side, slice(start, end), rises=rises)
            sums[some] = np.add.reduceat(amounts, starts[some] - start)
        return sums

    def _amounts(self, side: SortedSide, rows: Array | slice, *, rises: bool) -> Floats:
        """What rows add to the difference, or subtract from it."""
        q = side.probabilities(rows)
        digits = side.weights(rows)
        amounts = 1.0 - q if rises else q
        if digits is None and self.total < WIDE:
            return amounts / self.total
        whole = (
            np.ones(len(amounts), np.int64) if digits is None else kernels.active().integers(digits)
        )
        return amounts * shares(whole, self.total)

    def _exact(self, places: list[BlockEnd]) -> dict[BlockEnd, Fraction]:
        """The exact difference at block ends in order, minus that at the first."""
        bounds = [np.array(column) for column in zip(*places, strict=True)]
        weights = np.diff(self.sides[0].before(bounds[0])).tolist()
        sums = [side.sums(rows, np.asarray) for side, rows in zip(self.sides, bounds, strict=True)]
        steps = [w - p - n for w, p, n in zip(weights, *sums, strict=True)]
        return dict(zip(places, accumulate(steps, initial=Fraction(0)), strict=True))
