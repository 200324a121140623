"""Exact sums over adjacent rows: a segment goes from each bound to the next.

Values are split into signed digits of 31 bits, as in `coded`, and the digits of a segment added at
once. Measured: 1 million float64 in 4 ms by 500 segments, in 14 ms by 200,000.
"""

from collections.abc import Callable, Iterator

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, Array, Digits, ExactSums
from steelyard.kernels.numpy.coded import add_column, split_digits, top_power
from steelyard.kernels.ragged import steps
from steelyard.kernels.row_blocks import blocks

BLOCK = 1 << 16  # rows: float64 holds the sum of their digits


def sums_between(values: Array, bounds: Array) -> ExactSums:
    """The exact sum of the numbers from each bound to the next."""
    return sum_segments(values.__getitem__, None, bounds)


def sum_segments(
    values: Callable[[slice], Array], weights: Digits | None, bounds: Array
) -> ExactSums:
    """The exact Σ weight·value over the rows from each bound to the next.

    values: gives the values of some adjacent rows; weights: None where each is 1
    """
    sums: ExactSums = {}
    for rows, segments, starts in _blocks(bounds):
        block = values(rows)
        for digit, power in split_digits(block, top_power(block)):
            if weights is None:
                _add(sums, power, len(bounds) - 1, segments, digit, starts)
            for place, column in enumerate(weights or ()):
                # A product of two digits takes 62 bits: its halves are added separately.
                product = digit.astype(np.int64) * column[rows]
                at = power + DIGIT * place
                _add(sums, at, len(bounds) - 1, segments, product & MASK, starts)
                _add(sums, at + DIGIT, len(bounds) - 1, segments, product >> DIGIT, starts)
    return sums or {0: np.zeros(len(bounds) - 1, np.int64)}


def _add(
    sums: ExactSums, power: int, count: int, segments: Array, digits: Array, starts: Array
) -> None:
    added = np.add.reduceat(digits, starts).astype(np.int64)
    if len(segments) == count:
        add_column(sums, power, added)
        return
    if power not in sums:
        sums[power] = np.zeros(count, np.int64)
    sums[power][segments] += added


def _blocks(bounds: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Blocks of the rows, the segments that have rows in each, and their first rows in it."""
    for rows in blocks(int(bounds[-1]), BLOCK, start=int(bounds[0])):
        first = int(bounds.searchsorted(rows.start, side="right")) - 1
        last = int(bounds.searchsorted(rows.stop))
        starts = np.append(np.maximum(bounds[first:last], rows.start), rows.stop) - rows.start
        some = steps(starts).nonzero()[0]
        yield rows, first + some, starts[some]
