"""Isotonic regression of labels on scores: corners of the lower hull of the cumulative diagram.

A corner is just below a positive score. The hull of the grid's points is at or above the true
hull, so a range whose lower right corner is not below it has no corner inside.
"""

import numpy as np

from steelyard.kernels.hulls import lower_hulls, nearly_lower_hulls
from steelyard.kernels.interface import Array, KeyedRun, LevelHull
from steelyard.kernels.numpy.levels.grid import BlockEnds, grid, in_order, merged
from steelyard.kernels.numpy.levels.weights import SliceWeights
from steelyard.kernels.ragged import steps

SURE = 2.0**-40  # of a class: more than the rounding error of a line


def level_hull(positives: KeyedRun, negatives: KeyedRun) -> LevelHull:
    """The corners of each slice."""
    sides, points = (positives, negatives), grid(positives, negatives)
    diagram = _Diagram(*sides)
    parts, ranges = [points], steps(points.positives) > 0
    if len(points.slices) > 2 * len(positives.starts):  # else the grid has the ends alone
        corners = diagram.corners(points)
        parts, ranges = [points.take(corners)], ranges & diagram.possible(points, corners)
    for found in merged(*sides, points, np.flatnonzero(ranges)):
        inner = BlockEnds(found.slices, found.positives[0], found.negatives[0])
        parts.append(inner.take(nearly_lower_hulls(inner.slices, *diagram.shares(inner))))
    ends = in_order(parts)
    ends = ends.take(diagram.corners(ends))
    rows = steps(positives.starts) + steps(negatives.starts)
    ends = ends.take(rows[ends.slices] > 0)
    starts = ends.slices.searchsorted(np.arange(len(positives.starts)))
    return LevelHull(starts, *diagram.weights(ends))


class _Diagram:
    """The weights of negatives (x) and of positives (y) below block ends, in their slice."""

    def __init__(self, positives: KeyedRun, negatives: KeyedRun) -> None:
        self._x, self._y = SliceWeights(negatives), SliceWeights(positives)

    def weights(self, ends: BlockEnds) -> tuple[Array, Array]:
        """The exact weights, both of one integer type."""
        x, y = (
            self._x.whole(ends.slices, ends.negatives),
            self._y.whole(ends.slices, ends.positives),
        )
        return (x, y) if x.dtype == y.dtype else (x.astype(object), y.astype(object))

    def shares(self, ends: BlockEnds) -> tuple[Array, Array]:
        """The same in float64, in a unit of each slice and class."""
        x, y = ends.negatives, ends.positives
        return self._x.shares(ends.slices, x), self._y.shares(ends.slices, y)

    def corners(self, ends: BlockEnds) -> Array:
        """The numbers of the block ends that are corners."""
        return lower_hulls(ends.slices, *self.weights(ends))

    def possible(self, points: BlockEnds, corners: Array) -> Array:
        """Whether the lower right corner of each range is, or may be, below the hull."""
        x, y = self.shares(points)
        after = corners.searchsorted(np.arange(1, len(x)))
        start, end = corners[after - 1], corners[after]
        width = x[end] - x[start]
        with np.errstate(divide="ignore", invalid="ignore"):  # where the hull is vertical
            line = y[start] + (x[1:] - x[start]) / width * (y[end] - y[start])
        return y[:-1] < np.where(width > SURE, line, y[end]) + SURE
