"""The exact areas of all pairs of slices: positives of one against negatives of another.

The rows of the smaller class are points on the axis of scores. Rows of the other class are counted
by slice between points and on them; running sums of these counts are what lies below each point.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, Array, Digits, PairAreas
from steelyard.model import Mask

CHUNK = 1 << 20  # counts in memory: points times slices
FEW = 1 << 22  # rows whose digits of 31 bits have a sum below 2**53, which float64 holds
HALF = 16  # bits of the lower half of a digit


class AxisRows(NamedTuple):
    """One class on the axis of scores, by rising score.

    places: the number of each row's point, or of the gap it is in; codes, weights: of each row
    """

    places: Array
    codes: Array
    weights: Array


def pair_areas(
    edges: Array, positive: Mask, codes: Array, count: int, digits: Digits | None
) -> PairAreas:
    """Weights and doubled areas of each pair of slices, from those of all pairs of digits."""
    columns = {0: np.ones(len(codes), np.int64)} if digits is None else _short_digits(digits)
    ups, downs = np.zeros((2, count), object)
    below: Array = np.zeros((count, count), object)
    few = has_few(positive)
    chosen = positive if few else ~positive
    for power, column in columns.items():
        ups += _weights(codes, count, column, positive) << power
        downs += _weights(codes, count, column, ~positive) << power
    for (power, own), (place, other) in product(columns.items(), repeat=2):
        points, others = _on_axis(edges, codes, np.where(chosen, own, other), chosen)
        below += _areas(points, others, count) << (power + place)
    return pair_areas_of(ups, downs, below, few)


def has_few(positive: Mask) -> bool:
    """Whether the points are positives: the smaller class."""
    return bool(2 * np.count_nonzero(positive) <= len(positive))


def pair_areas_of(ups: Array, downs: Array, below: Array, few: bool) -> PairAreas:
    """The areas of all pairs, from those of the points, which are negatives where `few` is False.

    What is not below a negative is above it.
    """
    return PairAreas(ups, downs, below if few else 2 * np.outer(ups, downs) - below.T)


def _short_digits(digits: Digits) -> dict[int, Array]:
    """Digits of so few bits that float64 holds their sums, by their power of two."""
    found = {}
    for place, digit in enumerate(digits):
        whole = digit.astype(np.int64)
        if len(whole) < FEW:
            found[DIGIT * place] = whole
        else:
            found[DIGIT * place] = whole & ((1 << HALF) - 1)
            found[DIGIT * place + HALF] = whole >> HALF
    return found


def _weights(codes: Array, count: int, weights: Array, side: Mask) -> Array:
    found = np.bincount(codes[side], weights[side], minlength=count)  # below 2**53, so exact
    return found.astype(np.int64).astype(object)


def _on_axis(edges: Array, codes: Array, weights: Array, chosen: Mask) -> tuple[AxisRows, AxisRows]:
    """The chosen class as points, and the other: a place 2j+1 is on point j, 2j is below it."""
    blocks = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
    is_point = np.zeros(len(edges) - 1, bool)
    is_point[blocks[chosen]] = True
    rank = np.cumsum(is_point)
    place = np.where(is_point, 2 * rank - 1, 2 * rank)[blocks]
    return (
        AxisRows(place[chosen] // 2, codes[chosen], weights[chosen]),
        AxisRows(place[~chosen], codes[~chosen], weights[~chosen]),
    )


def _areas(points: AxisRows, others: AxisRows, count: int) -> Array:
    """Σ weight · (twice the weight below, and once the weight on the point), for all pairs."""
    total: Array = np.zeros((count, count), object)
    carried = np.zeros(count, np.int64)
    last = int(points.places.max(initial=-1)) + 1
    step = max(CHUNK // count, 1)
    for first in range(0, last, step):
        size = min(step, last - first)
        doubled, carried = _doubled(others, first, size, count, carried)
        start, end = points.places.searchsorted([first, first + size])
        own = AxisRows(*(column[start:end] for column in points))
        order = np.argsort(own.codes, kind="stable")
        ordered = own.codes[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        rows = doubled[own.places[order] - first]
        total[ordered[starts]] += _sums(rows, own.weights[order, None], starts)
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


def _sums(rows: Array, weights: Array, starts: Array) -> Array:
    """Σ weight · row over the rows from each start to the next, as Python integers."""
    if int(weights.max()) * int(rows.max()) * len(rows) < 1 << 63:
        return np.add.reduceat(rows * weights, starts, axis=0).astype(object)
    sums: Array = np.zeros((len(starts), rows.shape[1]), object)
    for shift in (0, DIGIT):
        for other in (0, DIGIT):
            product = (rows >> shift & MASK) * (weights >> other & MASK)
            for half, power in ((product & MASK, 0), (product >> DIGIT, DIGIT)):
                here = np.add.reduceat(half, starts, axis=0).astype(object)
                sums += here << (shift + other + power)
    return sums
