"""A grid of block ends, about a hundred rows apart.

Isotonic regression and the range of cumulative differences depend on few of all block ends. The
grid shows in which ranges these can be, and only there are the rows of both sides merged.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Run
from steelyard.kernels.ragged import spread
from steelyard.model import Array, Floats, Mask
from steelyard.views.levels.sorted_side import SortedSide

ROWS = 128  # of each side between two block ends of the grid; ties may make it more
RANGES = 1024  # that are read at a time: their rows fit the cache
WIDE = 1 << 1000  # larger totals may be beyond float64, and are divided as Python integers
Sides = tuple[SortedSide, SortedSide]


class BlockEnds(NamedTuple):
    """Block ends by rising score: how many positives and how many negatives are below each."""

    positives: Array
    negatives: Array


class Inside(NamedTuple):
    """The block ends at every distinct positive score of some ranges.

    before, after: just below each score, and just above it; range: the number of its range
    """

    before: BlockEnds
    after: BlockEnds
    range: Array


def grid(sides: Sides) -> BlockEnds:
    """The grid's block ends, from before all rows to after them."""
    positives, negatives = (side.scores for side in sides)
    edges = np.unique(np.concatenate([positives[ROWS::ROWS], negatives[ROWS::ROWS]]))
    return BlockEnds(
        np.concatenate([[0], positives.searchsorted(edges), [len(positives)]]),
        np.concatenate([[0], negatives.searchsorted(edges), [len(negatives)]]),
    )


def inside(sides: Sides, places: BlockEnds, chosen: Mask) -> Iterator[Inside]:
    """The block ends inside the chosen ranges, which are between each two block ends of a grid."""
    numbers = np.flatnonzero(chosen & (np.diff(places.positives) > 0))
    for first in range(0, len(numbers), RANGES):
        some = numbers[first : first + RANGES]
        starts = places.positives[some]
        rows, place = spread(starts, places.positives[some + 1] - starts)
        run = Run(sides[0].scores[rows], None)
        placement = kernels.active().place(run, sides[1].run)
        last = np.append(placement.starts[1:], len(rows)) - 1
        yield Inside(
            BlockEnds(rows[placement.starts], placement.below),
            BlockEnds(rows[last] + 1, placement.past),
            some[place[placement.starts]],
        )


def shares(column: Array, total: int) -> Floats:
    """Whole numbers divided by their total, in float64."""
    if column.dtype == object or total >= WIDE:
        return np.asarray(column.astype(object) / total, np.float64)
    return column / float(total)
