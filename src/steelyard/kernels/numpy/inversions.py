"""The exact weight of all pairs in the wrong order, in time n·log n.

Two different codes have a highest bit in which they differ; above it they agree. So for each bit,
rows are ordered by the bits above it, and then by row number: a pair is in the wrong order where a
row without the bit comes after one that has it. Each bit takes one sort of integers; 1 million rows
take about a second.
"""

import numpy as np

from steelyard.kernels.digits import carry, dot, total
from steelyard.kernels.interface import DIGIT, Array, Digits


def inversions(codes: Array, digits: Digits | None) -> int:
    """Σ of weight times weight over pairs whose later row has the lower code."""
    rows = len(codes)
    if rows < 2:
        return 0
    place = np.arange(rows, dtype=np.uint64)
    columns = digits if digits is not None else (np.ones(rows, np.int64),)
    narrow = total(columns) < 1 << DIGIT
    keys = codes.astype(np.uint64)
    sum_ = 0
    for bit in reversed(range(int(codes.max()).bit_length())):
        order = _order(keys, bit, place)
        weights = columns if digits is None else tuple(d[order].astype(np.int64) for d in columns)
        sum_ += _at_bit(keys[order] >> np.uint64(bit), weights, narrow)
    return sum_


def _order(codes: Array, bit: int, place: Array) -> Array:
    """The order of rows by the bits above this one, then by row number."""
    width = np.uint64(len(place).bit_length())
    packed = codes >> np.uint64(bit + 1)
    packed <<= width
    packed |= place
    packed.sort()
    packed &= np.uint64((1 << int(width)) - 1)
    return packed.astype(np.intp)


def _at_bit(codes: Array, weights: Digits, narrow: bool) -> int:
    """The weight of pairs that agree above the last bit, the first of which has it."""
    upper = codes >> np.uint64(1)
    changes = np.flatnonzero(upper[1:] != upper[:-1]) + 1
    starts = np.concatenate(([0], changes, [len(codes)]))
    has_bit = (codes & np.uint64(1)).astype(np.int64)
    ahead = [_ahead(digit * has_bit, starts) for digit in weights]
    without = tuple(digit * (1 - has_bit) for digit in weights)
    if narrow:  # the sum is at most the square of all weight, which int64 holds
        return int(without[0] @ ahead[0])
    return dot(without, carry(ahead))


def _ahead(column: Array, starts: Array) -> Array:
    """The sum over the rows before each row, within the rows that start at `starts`."""
    sums = np.cumsum(column)
    sums -= column
    sums -= np.repeat(sums[starts[:-1]], np.diff(starts))
    return sums
