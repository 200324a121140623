"""The exact weight of all pairs in the wrong order, in time n·log n, for all slices at once.

Two different codes have a highest bit in which they differ; above it they agree. So rows are split
bit by bit, from the highest: a block has the rows that agree above the bit, in input order, and a
pair is in the wrong order where a row without the bit comes after one that has it. Then each block
becomes two, rows without the bit first. No sort is needed; 1 million rows take 0.4 s.
"""

import numpy as np

from steelyard.kernels.digits import carry
from steelyard.kernels.interface import DIGIT, Array, Digits
from steelyard.kernels.numpy.products import dot_between, total_between


def inversions(codes: Array, starts: Array, digits: Digits | None) -> Array:
    """For each slice, Σ of weight times weight over pairs whose later row has the lower code.

    codes: whole numbers from 0; digits None: each weight is 1
    """
    columns = () if digits is None else tuple(digit.astype(np.int64) for digit in digits)
    narrow = digits is None or max(total_between(columns, starts), default=0) < 1 << DIGIT
    some = np.flatnonzero(np.diff(starts))  # slices with rows
    first = blocks = starts[some]
    sizes, every = starts[some + 1] - first, np.arange(len(codes))
    sums: Array = np.zeros(len(starts) - 1, np.int64 if narrow else object)
    for bit in reversed(range(int(codes.max(initial=0)).bit_length())):
        has_bit = (codes >> bit) & 1
        without = 1 - has_bit
        ahead = _ahead(has_bit, blocks, sizes)
        if narrow:  # the sum is at most the square of all weight, which int64 holds
            heavier = _ahead(columns[0] * has_bit, blocks, sizes) * columns[0] if columns else ahead
            sums[some] += np.add.reduceat(heavier * without, first)
        else:
            digits_ahead = carry([_ahead(weight * has_bit, blocks, sizes) for weight in columns])
            sums += dot_between(tuple(weight * without for weight in columns), digits_ahead, starts)
        zeros = np.add.reduceat(without, blocks)
        place = np.where(has_bit, np.repeat(blocks + zeros, sizes) + ahead, every - ahead)
        codes, *moved = (_moved(column, place) for column in (codes, *columns))
        columns = tuple(moved)
        halves = np.array([blocks, zeros, blocks + zeros, sizes - zeros]).T.reshape(-1, 2)
        blocks, sizes = halves[halves[:, 1] > 0].T
    return sums.astype(object)


def _ahead(column: Array, blocks: Array, sizes: Array) -> Array:
    """The sum over the rows before each row of its block."""
    sums = np.cumsum(column)
    sums -= column
    sums -= np.repeat(sums[blocks], sizes)
    return sums


def _moved(column: Array, place: Array) -> Array:
    """The column with each row at its new place."""
    found = np.empty_like(column)
    found[place] = column
    return found
