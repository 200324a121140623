"""The corners of the lower hull of a cumulative diagram, which is isotonic regression.

Points are the weight of negatives (x) and of positives (y) below each score. The slopes of the
largest convex line below them are the recalibrated odds; pooling adjacent violators finds the same
blocks. Exact: cross products of whole numbers decide.
"""

import numpy as np

from steelyard.model import Array

SMALL = 512  # points for which a plain loop is as fast as rounds over columns
SURE = 2.0**-50  # the error of a cross product in float64 is at most 8·2**-53 of its terms
NARROW = 1 << 31  # int64 holds products of coordinates below it


def lower_hull(x: Array, y: Array) -> tuple[Array, Array]:
    """The corners among distinct points whose x and y never fall; both ends are corners.

    Both columns are int64, or both are Python integers.
    """
    while len(x) > SMALL:
        kept = _turns_left(x, y)
        left = int(np.count_nonzero(kept))
        x, y, before = x[kept], y[kept], len(x)
        if left * 8 > before * 7:  # rounds drop little now: a loop drops all the rest at once
            break
    corners = _walk(list(zip(x.tolist(), y.tolist(), strict=True)))
    columns = np.array(corners, x.dtype).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _turns_left(x: Array, y: Array) -> Array:
    """Which points are below the line between their neighbours; others cannot be corners."""
    dx, dy = np.diff(x), np.diff(y)
    kept = np.ones(len(x), bool)
    if x.dtype == object or int(x[-1]) + int(y[-1]) < NARROW:
        kept[1:-1] = dx[:-1] * dy[1:] > dx[1:] * dy[:-1]
        return kept
    left = dx[:-1].astype(np.float64) * dy[1:]
    right = dx[1:].astype(np.float64) * dy[:-1]
    kept[1:-1] = left > right
    unsure = np.flatnonzero(np.abs(left - right) <= SURE * (left + right))
    for i in unsure.tolist():
        kept[i + 1] = int(dx[i]) * int(dy[i + 1]) > int(dx[i + 1]) * int(dy[i])
    return kept


def _walk(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Andrew's algorithm: drop the last corner while the line does not turn left at it."""
    hull: list[tuple[int, int]] = []
    for x, y in points:
        while len(hull) > 1:
            (x0, y0), (x1, y1) = hull[-2:]
            if (x1 - x0) * (y - y1) > (x - x1) * (y1 - y0):
                break
            hull.pop()
        hull.append((x, y))
    return hull
