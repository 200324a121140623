"""The exact areas of all pairs of slices: positives of one against negatives of another.

The rows of the smaller class are points on the axis of scores. Rows of the other class are counted
by slice between points and on them; running sums of these counts are what lies below each point.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.areas import PlacedLog
from steelyard.diagnosis.parts.attribution import PairSums
from steelyard.model import Array, Mask
from steelyard.states import exact_sums

CHUNK = 1 << 20  # counts in memory: points times slices


class AxisRows(NamedTuple):
    """One class of a log on the axis of scores, by rising score.

    places: the number of each row's point, or of the gap it is in; codes, weights: of each row
    """

    places: Array
    codes: Array
    weights: Array


def pair_sums(log: PlacedLog, codes: Array, count: int) -> PairSums:
    """Weights and doubled areas of each pair of slices."""
    up = log.log.positive
    ups, downs = (_weights(log, codes, count, side) for side in (up, ~up))
    few = bool(2 * np.count_nonzero(up) <= len(up))
    points, others = _on_axis(log, codes, up if few else ~up)
    below = _areas(points, others, count)
    areas: list[list[int]] = below
    if not few:  # what is not below a negative is above it
        areas = [[2 * ups[k] * downs[n] - below[n][k] for n in range(count)] for k in range(count)]
    return PairSums(ups, downs, areas)


def _weights(log: PlacedLog, codes: Array, count: int, side: Mask) -> list[int]:
    found = np.bincount(codes[side], log.log.weights[side], minlength=count)
    return [int(weight) for weight in found.tolist()]  # below 2**53, so exact


def _on_axis(log: PlacedLog, codes: Array, chosen: Mask) -> tuple[AxisRows, AxisRows]:
    """The chosen class as points, and the other: a place 2j+1 is on point j, 2j is below it."""
    blocks = np.repeat(np.arange(len(log.edges) - 1), np.diff(log.edges))
    is_point = np.zeros(len(log.edges) - 1, bool)
    is_point[blocks[chosen]] = True
    rank = np.cumsum(is_point)
    place = np.where(is_point, 2 * rank - 1, 2 * rank)[blocks]
    weights = log.log.weights
    return (
        AxisRows(place[chosen] // 2, codes[chosen], weights[chosen]),
        AxisRows(place[~chosen], codes[~chosen], weights[~chosen]),
    )


def _areas(points: AxisRows, others: AxisRows, count: int) -> list[list[int]]:
    """Σ weight · (twice the weight below, and once the weight on the point), for all pairs."""
    total = [[0] * count for _ in range(count)]
    carried = np.zeros(count, np.int64)
    last = int(points.places[-1]) + 1
    step = max(CHUNK // count, 1)
    for first in range(0, last, step):
        size = min(step, last - first)
        doubled, carried = _doubled(others, first, size, count, carried)
        start, end = points.places.searchsorted([first, first + size])
        own = AxisRows(*(column[start:end] for column in points))
        _add(total, own, doubled[own.places - first])
    return total


def _doubled(
    others: AxisRows, first: int, size: int, count: int, carried: Array
) -> tuple[Array, Array]:
    """For some points, twice what is below and once what is on each, by slice; and the next sum."""
    start, end = others.places.searchsorted([2 * first, 2 * (first + size)])
    cells = (others.places[start:end] - 2 * first) * count + others.codes[start:end]
    found = np.bincount(cells, others.weights[start:end], minlength=2 * size * count)
    counts = found.astype(np.int64).reshape(2 * size, count)
    below, tied = counts[0::2], counts[1::2]
    both = np.cumsum(below + tied, axis=0)
    doubled = 2 * (carried + both - tied) + tied
    return doubled, carried + both[-1]


def _add(total: list[list[int]], points: AxisRows, doubled: Array) -> None:
    """Add the points of a chunk to the areas of all pairs."""
    count = len(total)
    bound = int(points.weights.max(initial=0)) * int(doubled.max(initial=0))
    if bound * max(len(doubled), 1) >= 2**62:
        return _add_large(total, points, doubled)
    order = np.argsort(points.codes, kind="stable")
    ordered = points.codes[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    sums = np.add.reduceat((doubled * points.weights[:, None])[order], starts, axis=0)
    for k, row in zip(ordered[starts].tolist(), sums.tolist(), strict=True):
        total[k] = [total[k][n] + row[n] for n in range(count)]
    return None


def _add_large(total: list[list[int]], points: AxisRows, doubled: Array) -> None:
    """The same for sums beyond int64."""
    weights, lines = points.weights.astype(np.float64), np.arange(len(total))
    for n in range(len(total)):
        column = doubled[:, n].astype(np.float64)
        sums = kernels.active().sums_by_code(points.codes, len(total), column, weights)
        for k, area in enumerate(exact_sums.integers(sums, 0, lines)):
            total[k][n] += area
