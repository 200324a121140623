"""What the rows of each line add to the area of their slice, from their placements."""

from collections.abc import Iterator

import numpy as np

from steelyard.kernels.digits import integers, sum_groups
from steelyard.kernels.interface import (
    DIGIT,
    MASK,
    Array,
    ExactSums,
    KeyedRun,
    LineAreas,
    ScoreRows,
)
from steelyard.kernels.numpy.coded import sums_by_code
from steelyard.kernels.numpy.curves import placements
from steelyard.kernels.numpy.score_sorting import sorted_rows


def line_areas(rows: ScoreRows, slices: int, unit: int, lines: int) -> LineAreas:
    """The weight of each line, and Σ weight · twice the placement, of both classes."""
    table = sorted_rows(rows, slices, unit)
    assert table.clusters is not None
    below, tied = placements(table, slices, unit)
    heaviest = sum(int(_slice_weights(side).max(initial=0)) for side in table[:2])
    kind: type = np.int64 if heaviest < 1 << 61 else object
    doubled: Array = 2 * below.astype(kind)
    doubled += 0 if tied is None else tied.astype(kind)
    first, starts = len(table.positives.scores), table.negatives.starts
    above: Array = np.repeat(2 * _slice_weights(table.positives).astype(kind), np.diff(starts))
    sides = zip(table[:2], table.clusters, (doubled[:first], above - doubled[first:]), strict=True)
    weights: list[ExactSums] = []
    areas: list[ExactSums] = []
    for side, codes, numbers in sides:
        weights.append(_sums(codes, lines, side, None))
        areas.append(_sums(codes, lines, side, numbers))
    return LineAreas((weights[0], weights[1]), (areas[0], areas[1]))


def _sums(codes: Array, lines: int, side: KeyedRun, numbers: Array | None) -> ExactSums:
    """Σ weight · number of each line; numbers None: 1 each."""
    if side.digits is None and numbers is not None and _fits(numbers):  # as int64: half the time
        whole = np.zeros(lines, np.int64)
        np.add.at(whole, codes, numbers)
        return {0: whole & MASK, DIGIT: whole >> DIGIT}
    total: ExactSums = {}
    for own, weights in _digits_of(side):
        for place, values in [(0, None)] if numbers is None else _digits(numbers):
            for power, column in sums_by_code(codes, lines, values, weights).items():
                total[power + own + place] = total.get(power + own + place, 0) + column
    return total


def _fits(numbers: Array) -> bool:
    """Whether int64 holds the sum of these numbers."""
    return numbers.dtype == np.int64 and int(numbers.max(initial=0)) * len(numbers) < 1 << 63


def _digits_of(side: KeyedRun) -> Iterator[tuple[int, Array | None]]:
    """The power of each digit of the weights, and the digit; None: 1 each."""
    if side.digits is None:
        yield 0, None
        return
    for place, digit in enumerate(side.digits):
        yield DIGIT * place, digit.astype(np.float64)  # below 2**31, which float64 holds


def _digits(numbers: Array) -> Iterator[tuple[int, Array]]:
    """The same of whole numbers from 0."""
    place = 0
    while numbers.any():
        yield place, (numbers & MASK).astype(np.float64)
        numbers, place = numbers >> DIGIT, place + DIGIT


def _slice_weights(side: KeyedRun) -> Array:
    """The weight of each slice's rows."""
    if side.digits is None:
        return np.diff(side.starts)
    return integers(sum_groups(side.digits, side.starts))
