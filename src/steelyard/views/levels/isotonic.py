"""Isotonic regression of labels on scores, as corners of the lower hull of the cumulative diagram.

A corner is just below a positive score. The hull of the grid's block ends is at or above the true
hull, so a range whose lower right corner is not below it has no corner inside.
"""

import numpy as np

from steelyard.model import Array, Mask
from steelyard.views.levels.grid import BlockEnds, Sides, inside, shares
from steelyard.views.levels.hull import lower_hull
from steelyard.views.ranges import Below

SURE = 2.0**-40  # of all positives: more than the rounding error of a line

HullCorners = tuple[Array, Array]  # the weight of negatives and of positives below


def corners(sides: Sides, places: BlockEnds, below: Below) -> HullCorners:
    """The corners from before all rows to after them, in exact weights of the whole slice."""
    x, y = _corners(sides, places)
    if below.negatives or below.positives:
        x, y = x.astype(object) + below.negatives, y.astype(object) + below.positives
    return x, y


def join(lower: HullCorners, upper: HullCorners) -> HullCorners:
    """The corners of two adjacent ranges; the last of the first is the first of the second."""
    columns = [np.concatenate(both) for both in zip(lower, upper, strict=True)]
    if any(column.dtype == object for column in columns):
        columns = [column.astype(object) for column in columns]
    x, y = columns
    return _hull_of_distinct(x, y)


def _corners(sides: Sides, places: BlockEnds) -> HullCorners:
    x, y = _weights(sides, places)
    parts = [lower_hull(x, y)]
    ranges = inside(sides, places, _possible(x, y, parts[0]))
    parts.extend(lower_hull(*_weights(sides, found.before)) for found in ranges)
    x, y = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    if len(parts) == 1:
        return x, y
    order = np.lexsort((y, x)) if x.dtype != object else _order(x, y)
    x, y = x[order], y[order]
    # A block end of the grid may be inside a range too; repeated, neither would turn left.
    return _hull_of_distinct(x, y)


def _hull_of_distinct(x: Array, y: Array) -> HullCorners:
    """The hull of points in order, repeated ones taken once."""
    differs = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
    return lower_hull(x[differs], y[differs])


def _weights(sides: Sides, places: BlockEnds) -> HullCorners:
    """The weights of negatives and positives below block ends, both of one integer type."""
    x, y = sides[1].before(places.negatives), sides[0].before(places.positives)
    return (x, y) if x.dtype == y.dtype else (x.astype(object), y.astype(object))


def _possible(x: Array, y: Array, hull: HullCorners) -> Mask:
    """The ranges whose lower right corner is, or may be, below the hull."""
    all_x, all_y = max(int(x[-1]), 1), max(int(y[-1]), 1)
    right, low = shares(x[1:], all_x), shares(y[:-1], all_y)
    line = np.interp(right, shares(hull[0], all_x), shares(hull[1], all_y))
    line[x[1:] == x[-1]] = 1.0  # where the hull may be vertical
    possible: Mask = low < line + SURE
    return possible


def _order(x: Array, y: Array) -> Array:
    """The order of points by x and y, which are Python integers."""
    keys = sorted(range(len(x)), key=lambda i: (x[i], y[i]))
    return np.array(keys)
