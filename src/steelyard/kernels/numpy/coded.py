"""Exact sums by code: a code is the number of a slice, class, bin or field value.

Values are split into signed digits of 31 bits. The powers of two of the digits are multiples of 31,
in all rows and all calls, so that the sums of any two calls add digit by digit. A block has at most
2**20 rows, so that float64, in which `bincount` adds, holds every sum of a digit (2**51) exactly.
Measured: 10 million float64 by 20,000 codes in 0.15 s.
"""

from collections.abc import Iterator

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, Array, ExactSums
from steelyard.kernels.numpy.exact import (
    exact_dot,
    exact_sum,
    float_digits,
    int_digits,
    lowest_bit,
    scaled,
)
from steelyard.kernels.row_blocks import blocks

LONG_BLOCK = 1 << 20  # rows, where codes are many
SHORT_BLOCK = 1 << 16  # rows, where codes are few: digits and sums stay in the cache
FEW_CODES = 1 << 12


def sums_by_code(
    codes: Array | None, count: int, values: Array | None = None, weights: Array | None = None
) -> ExactSums:
    """For each code below `count`, the exact sum of value times weight; a row without both adds 1.

    Without codes all rows have the code 0.
    """
    if values is None:
        values, weights = weights, None
    if codes is None and values is not None and values.dtype.kind == "f":
        total = exact_sum(values) if weights is None else exact_dot(values, weights)
        return exact_sums_of(total.numerator, 1 - total.denominator.bit_length())
    codes = np.zeros(len(values), np.uint8) if codes is None and values is not None else codes
    assert codes is not None
    sums: ExactSums = {}
    if values is None:
        for block in _blocks(len(codes), count):
            add_column(sums, 0, np.bincount(codes[block], minlength=count))
    elif values.dtype == bool:
        for block in _blocks(len(codes), count):
            add_column(sums, 0, _by_code(codes[block], count, values[block]))
    elif weights is not None and values.dtype == weights.dtype == np.float32:
        # 24 bits times 24 bits: float64 holds the product.
        _sum(sums, codes, count, values.astype(np.float64) * weights)
    elif weights is not None:
        _dot(sums, codes, count, values, weights)
    else:
        _sum(sums, codes, count, values)
    return sums


def exact_sums_of(amount: int, power: int) -> ExactSums:
    """The column of exact sums with one line: amount · 2**power."""
    place, shift = divmod(power, DIGIT)
    rest, sign = abs(amount) << shift, -1 if amount < 0 else 1
    sums: ExactSums = {}
    while rest:
        if rest & MASK:
            sums[DIGIT * place] = np.array([sign * (rest & MASK)], np.int64)
        rest, place = rest >> DIGIT, place + 1
    return sums


def _sum(sums: ExactSums, codes: Array, count: int, values: Array) -> None:
    """Add the values of each code."""
    top = top_power(values)
    for block in _blocks(len(codes), count):
        for digit, exponent in split_digits(values[block], top):
            add_column(sums, exponent, _by_code(codes[block], count, digit))


def _dot(sums: ExactSums, codes: Array, count: int, values: Array, weights: Array) -> None:
    """Add value times weight of each code.

    Products of two digits take 62 bits: their lower and upper halves are added separately.
    """
    if len(values) == 0:
        return
    top, unit = top_power(values), _on_grid(lowest_bit(weights))
    split = float_digits if weights.dtype.kind == "f" else int_digits
    for block in _blocks(len(codes), count):
        here, right = codes[block], split(weights[block], unit)
        for digit, exponent in split_digits(values[block], top):
            for place, other in enumerate(right):
                power = exponent + unit + DIGIT * place
                product = digit.astype(np.int64) * other
                add_column(sums, power, _by_code(here, count, product & MASK))
                add_column(sums, power + DIGIT, _by_code(here, count, product >> DIGIT))


def _by_code(codes: Array, count: int, digits: Array) -> Array:
    """The sum of the digits of each code."""
    return np.bincount(codes, digits, count).astype(np.int64)


def add_column(sums: ExactSums, exponent: int, column: Array) -> None:
    """Add sums of digits to those of the same power; int64 holds sums of 2**32 digits."""
    if exponent in sums:
        sums[exponent] += column
    else:
        sums[exponent] = column


def add_sums(sums: ExactSums, more: ExactSums) -> None:
    """Add other sums of the same codes."""
    for exponent, column in more.items():
        add_column(sums, exponent, column)


def _on_grid(power: int) -> int:
    """The largest multiple of 31 that is not above `power`."""
    return power // DIGIT * DIGIT


def top_power(values: Array) -> int:
    """A multiple of 31 such that every value is below 2 to this power."""
    if values.dtype.kind != "f" or len(values) == 0:
        return 0
    return -_on_grid(-int(np.frexp(max(abs(float(values.max())), abs(float(values.min()))))[1]))


def split_digits(block: Array, top: int) -> Iterator[tuple[Array, int]]:
    """The signed digits of each value, and the power of two that they count.

    Digits of floats are floats, most significant first.
    """
    if block.dtype.kind != "f":
        yield from ((d, DIGIT * place) for place, d in enumerate(int_digits(block, 0)))
        return
    rest = block.astype(np.float64)
    exponent = top
    while rest.any():
        exponent -= DIGIT
        digit = np.trunc(scaled(rest, -exponent))
        yield digit, exponent
        rest -= scaled(digit, exponent)


def _blocks(rows: int, count: int) -> Iterator[slice]:
    """Blocks of the rows; one empty block where there are no rows, so that sums are 0."""
    return blocks(max(rows, 1), SHORT_BLOCK if count <= FEW_CODES else LONG_BLOCK)
