"""Bins of equal mass: where they begin in two sorted sides, by exact cumulative weights.

A tied block of weight w with C before it is in bin ⌊B(2C + w)/2W⌋: its middle decides, so that a
block is never cut and copies of all rows change nothing.
"""

import numpy as np

from steelyard.model import Array
from steelyard.states.sorted_side import SortedSide

ROOM = 1 << 62  # products of counts below this fit int64


def starts(sides: tuple[SortedSide, SortedSide], bins: int) -> tuple[Array, Array]:
    """The first row of each bin in either side, and the end."""
    weight = sides[0].weight + sides[1].weight
    wide = 2 * weight * bins >= ROOM
    edges = np.arange(1, bins, dtype=object if wide else np.int64) * (2 * weight)
    first, second = (_search(side, sides, edges, bins) for side in sides)
    return first, second


def _search(
    side: SortedSide, sides: tuple[SortedSide, SortedSide], edges: Array, bins: int
) -> Array:
    """The first row of a side that is not below each edge, by halving all intervals at once."""
    low = np.zeros(len(edges), np.int64)
    high = np.full(len(edges), len(side), np.int64)
    while (open_ := low < high).any():
        middle = (low + high) // 2
        scores = side.scores.take(middle, mode="clip") if len(side) else side.scores
        reached = _doubled_middle(sides, scores, edges.dtype) * bins >= edges
        low, high = (
            np.where(open_ & ~reached, middle + 1, low),
            np.where(open_ & reached, middle, high),
        )
    return np.concatenate([[0], low, [len(side)]])


def _doubled_middle(
    sides: tuple[SortedSide, SortedSide], scores: Array, type_: np.dtype[np.generic]
) -> Array:
    """2C + w of the block that has each score: the weight below it and the weight up to it."""
    total: Array = np.zeros(len(scores), type_)
    for side in sides:
        for rule in ("left", "right"):
            rows = side.scores.searchsorted(scores, side=rule)
            total = total + side.before(rows).astype(type_)
    return total
