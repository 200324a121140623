"""Isotonic regression of labels on scores, as the corners of the cumulative diagram's lower hull.

A corner lies just below a positive. The hull of a grid of block ends is above the true one, and a
range whose lower right corner is not below it has no corner inside.
"""

import numpy as np

from steelyard.model import Array, Mask
from steelyard.views.levels.grid import BlockEnds, Sides, inside, shares
from steelyard.views.levels.hull import lower_hull
from steelyard.views.ranges import Below

SURE = 2.0**-40  # of all positives: what rounding cannot do to a line

Corners = tuple[Array, Array]  # the weight of negatives and of positives below


def corners(sides: Sides, places: BlockEnds, below: Below) -> Corners:
    """The corners from before all rows to behind them, by exact weights, and what lies below."""
    x, y = _corners(sides, places)
    if below.negatives or below.positives:
        x, y = x.astype(object) + below.negatives, y.astype(object) + below.positives
    return x, y


def join(lower: Corners, upper: Corners) -> Corners:
    """The corners of two ranges together: the first of the second is the last of the first."""
    columns = [np.concatenate(both) for both in zip(lower, upper, strict=True)]
    if any(column.dtype == object for column in columns):
        columns = [column.astype(object) for column in columns]
    x, y = columns
    block_start = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
    return lower_hull(x[block_start], y[block_start])


def _corners(sides: Sides, places: BlockEnds) -> Corners:
    x, y = _weights(sides, places)
    parts = [lower_hull(x, y)]
    ranges = inside(sides, places, _possible(x, y, parts[0]))
    parts.extend(lower_hull(*_weights(sides, found.before)) for found in ranges)
    x, y = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    if len(parts) == 1:
        return x, y
    order = np.lexsort((y, x)) if x.dtype != object else _order(x, y)
    x, y = x[order], y[order]
    # A place of the grid may be inside of a range too; twice in a row, neither would turn left.
    block_start = np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0))
    return lower_hull(x[block_start], y[block_start])


def _weights(sides: Sides, places: BlockEnds) -> Corners:
    """The weights of negatives and positives below; if one needs Python's integers, both do."""
    x, y = sides[1].before(places.negatives), sides[0].before(places.positives)
    return (x, y) if x.dtype == y.dtype else (x.astype(object), y.astype(object))


def _possible(x: Array, y: Array, hull: Corners) -> Mask:
    """The ranges whose lower right corner is below the hull, or may be."""
    all_x, all_y = max(int(x[-1]), 1), max(int(y[-1]), 1)
    right, low = shares(x[1:], all_x), shares(y[:-1], all_y)
    line = np.interp(right, shares(hull[0], all_x), shares(hull[1], all_y))
    line[x[1:] == x[-1]] = 1.0  # where the hull may rise straight up
    possible: Mask = low < line + SURE
    return possible


def _order(x: Array, y: Array) -> Array:
    """Points by x and y, of Python's integers."""
    keys = sorted(range(len(x)), key=lambda i: (x[i], y[i]))
    return np.array(keys)
