"""Bins of equal mass: their rows in two sorted sides, by exact cumulative weights.

A tied block of weight w, with weight C below it, is in bin ⌊B(2C + w)/2W⌋: its middle decides, so
that a block is never split, and copies of all rows change nothing.
"""

from fractions import Fraction

import numpy as np

from steelyard.model import Array
from steelyard.states.sums.terms import variance_of
from steelyard.views.levels.grid import Sides
from steelyard.views.levels.sorted_side import SortedSide

LARGEST = 1 << 62  # larger products are Python integers


def sums(sides: Sides, bins: int, total: int, below: int) -> dict[int, list[Fraction]]:
    """For each bin with rows here: the sums of w, of w of positives, of w·q and of w·q(1−q).

    total: the weight of the whole slice; below: the part of it below these rows
    """
    bounds = starts(sides, bins, total, below)
    pairs = list(zip(sides, bounds, strict=True))
    up, down = (np.diff(side.before(rows)).tolist() for side, rows in pairs)
    predicted = [side.sums(rows, np.asarray) for side, rows in pairs]
    variances = [side.sums(rows, variance_of) for side, rows in pairs]
    return {
        number: [Fraction(p + n), Fraction(p), q + r, v + w]
        for number, (p, n, q, r, v, w) in enumerate(
            zip(up, down, *predicted, *variances, strict=True)
        )
        if p or n
    }


def starts(sides: Sides, bins: int, total: int, below: int) -> tuple[Array, Array]:
    """The first row of each bin in each side, and the end."""
    wide = 2 * total * bins >= LARGEST
    edges = np.arange(1, bins, dtype=object if wide else np.int64) * (2 * total)
    first, second = (_search(side, sides, edges, bins, 2 * below) for side in sides)
    return first, second


def _search(side: SortedSide, sides: Sides, edges: Array, bins: int, doubled_below: int) -> Array:
    """The first row of a side that is not below each edge, by bisection of all edges at once."""
    low = np.zeros(len(edges), np.int64)
    high = np.full(len(edges), len(side), np.int64)
    while (open_ := low < high).any():
        middle = (low + high) // 2
        scores = side.scores.take(middle, mode="clip") if len(side) else side.scores
        doubled = _doubled_middle(sides, scores, edges.dtype) + doubled_below
        reached = doubled * bins >= edges
        low, high = (
            np.where(open_ & ~reached, middle + 1, low),
            np.where(open_ & reached, middle, high),
        )
    return np.concatenate([[0], low, [len(side)]])


def _doubled_middle(sides: Sides, scores: Array, type_: np.dtype[np.generic]) -> Array:
    """2C + w of the block of each score: the weight below it, plus the weight up to its end."""
    total: Array = np.zeros(len(scores), type_)
    for side in sides:
        for rule in ("left", "right"):
            rows = side.scores.searchsorted(scores, side=rule)
            total = total + side.before(rows).astype(type_)
    return total
