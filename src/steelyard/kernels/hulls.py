"""Lower hulls of the points of all slices at once, by rounds.

A round drops every point that is not below the line between its neighbours: no such point is a
corner. 1 million rows in 20,000 slices take 6 rounds. Exact: cross products of whole numbers
decide.
"""

import numpy as np

from steelyard.model import Array

SMALL = 128  # points for which a plain loop is faster than rounds
ROUNDS = 64  # after which a plain loop takes over: rounds may drop one point each
SURE = 2.0**-50  # the error of a cross product in float64 is at most 8·2**-53 of its terms
NEARLY = 2.0**-48  # of the coordinates: more than the error of a cross product of such points
NARROW = 1 << 31  # int64 holds products of coordinates below it


def lower_hulls(slices: Array, x: Array, y: Array) -> Array:
    """The numbers of the points that are corners; the first and last of a slice are.

    slices: of each point, never falling; x, y: never falling in a slice, int64 or Python integers;
    no two points of a slice are equal
    """
    kept = np.arange(len(x))
    for _ in range(ROUNDS if len(x) > SMALL else 0):
        turns = _turns_left(slices, x, y)
        if turns.all():
            return kept
        slices, x, y, kept = (column[turns] for column in (slices, x, y, kept))
    # Slices that are finished keep all their points.
    return kept[_walk(slices.tolist(), x.tolist(), y.tolist())]


def nearly_lower_hulls(slices: Array, x: Array, y: Array) -> Array:
    """The numbers of points that may be corners, and few others; x and y are known nearly.

    They are below 1, with an error of at most 2**-50.
    """
    kept = np.arange(len(x))
    for _ in range(ROUNDS if len(x) > SMALL else 0):
        dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
        left, right = dx[:-1] * dy[1:], dx[1:] * dy[:-1]
        error = NEARLY * (dx[:-1] + dx[1:] + dy[:-1] + dy[1:])
        stays = np.ones(len(x), bool)
        stays[1:-1] = (slices[2:] != slices[:-2]) | (left > right - error)
        if stays.all():
            break
        slices, x, y, kept = (column[stays] for column in (slices, x, y, kept))
    return kept


def _turns_left(slices: Array, x: Array, y: Array) -> Array:
    """Which points are below the line between their neighbours, or are ends of a slice."""
    kept = np.ones(len(x), bool)
    dx, dy = x[1:] - x[:-1], y[1:] - y[:-1]
    inner = slices[2:] == slices[:-2]
    if x.dtype == object or max(x.max(initial=0), y.max(initial=0)) < NARROW:
        kept[1:-1] = ~inner | (dx[:-1] * dy[1:] > dx[1:] * dy[:-1])
        return kept
    left, right = dx[:-1].astype(np.float64) * dy[1:], dx[1:].astype(np.float64) * dy[:-1]
    kept[1:-1] = ~inner | (left > right)
    unsure = inner & (np.abs(left - right) <= SURE * (left + right))
    for i in np.flatnonzero(unsure).tolist():
        kept[i + 1] = int(dx[i]) * int(dy[i + 1]) > int(dx[i + 1]) * int(dy[i])
    return kept


def _walk(slices: list[int], x: list[int], y: list[int]) -> list[int]:
    """Andrew's algorithm: drop the last corner while the line does not turn left at it."""
    hull: list[int] = []
    first = 0
    for c, slice_ in enumerate(slices):
        if not hull or slices[hull[-1]] != slice_:
            first = len(hull)
        while len(hull) > first + 1:
            a, b = hull[-2:]
            if (x[b] - x[a]) * (y[c] - y[b]) > (x[c] - x[b]) * (y[b] - y[a]):
                break
            hull.pop()
        hull.append(c)
    return hull
