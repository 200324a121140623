"""Exact sums by code: what the rows of each slice, class, bin or field value add up to.

Values are cut into signed digits of 31 bits on one grid for all rows and all calls, the powers of
two that are multiples of 31, so that sums of any two calls add digit by digit. A block has 2**20
rows, so that float64, in which `bincount` adds, holds every sum of a digit (2**51) exactly.
Measured: 10 million float64 by 20,000 codes in 0.15 s.
"""

from collections.abc import Iterator

import numpy as np

from steelyard.kernels.exact import (
    exact_dot,
    exact_sum,
    float_digits,
    int_digits,
    lowest_bit,
    scaled,
)
from steelyard.kernels.interface import DIGIT, MASK, Array, ExactSums

BLOCK = 1 << 20
CACHED = 1 << 16  # rows at a time where codes are few: digits and sums stay in the cache
FEW = 1 << 12  # codes


def sums_by_code(
    codes: Array | None, count: int, values: Array | None = None, weights: Array | None = None
) -> ExactSums:
    """For each code below `count`, the sum of value times weight; a row without either counts 1.

    Without codes all rows have the code 0.
    """
    if values is None:
        values, weights = weights, None
    if codes is None and values is not None and values.dtype.kind == "f":
        total = exact_sum(values) if weights is None else exact_dot(values, weights)
        return exact_sums_of(total.numerator, 1 - total.denominator.bit_length())
    codes = np.zeros(len(values), np.uint8) if codes is None and values is not None else codes
    assert codes is not None
    levels: ExactSums = {}
    if values is None:
        _count(levels, codes, count)
    elif values.dtype == bool:
        for block in _blocks(len(codes), count):
            _add(levels, 0, _by_code(codes[block], count, values[block]))
    elif weights is not None and values.dtype == weights.dtype == np.float32:
        # 24 bits times 24 bits: float64 holds the product.
        _sum(levels, codes, count, values.astype(np.float64) * weights)
    elif weights is not None:
        _dot(levels, codes, count, values, weights)
    else:
        _sum(levels, codes, count, values)
    return levels


def exact_sums_of(amount: int, power: int) -> ExactSums:
    """One whole number times 2**power, as digits of one code."""
    place, shift = divmod(power, DIGIT)
    rest, sign = abs(amount) << shift, -1 if amount < 0 else 1
    levels: ExactSums = {}
    while rest:
        if rest & MASK:
            levels[DIGIT * place] = np.array([sign * (rest & MASK)], np.int64)
        rest, place = rest >> DIGIT, place + 1
    return levels


def _count(levels: ExactSums, codes: Array, count: int) -> None:
    for block in _blocks(len(codes), count):
        _add(levels, 0, np.bincount(codes[block], minlength=count))


def _sum(levels: ExactSums, codes: Array, count: int, values: Array) -> None:
    top = _top(values)
    for block in _blocks(len(codes), count):
        for digit, exponent in _digits(values[block], top):
            _add(levels, exponent, _by_code(codes[block], count, digit))


def _dot(levels: ExactSums, codes: Array, count: int, values: Array, weights: Array) -> None:
    """Products of two digits take 62 bits: their halves are added apart."""
    if len(values) == 0:
        return
    top, unit = _top(values), _on_grid(lowest_bit(weights))
    split = float_digits if weights.dtype.kind == "f" else int_digits
    for block in _blocks(len(codes), count):
        here, right = codes[block], split(weights[block], unit)
        for digit, exponent in _digits(values[block], top):
            for place, other in enumerate(right):
                power = exponent + unit + DIGIT * place
                product = digit.astype(np.int64) * other
                _add(levels, power, _by_code(here, count, product & MASK))
                _add(levels, power + DIGIT, _by_code(here, count, product >> DIGIT))


def _by_code(codes: Array, count: int, digits: Array) -> Array:
    return np.bincount(codes, digits, count).astype(np.int64)


def _add(levels: ExactSums, exponent: int, sums: Array) -> None:
    """Sums of at most 2**32 digits, which int64 holds."""
    if exponent in levels:
        levels[exponent] += sums
    else:
        levels[exponent] = sums


def _on_grid(power: int) -> int:
    """The largest multiple of 31 that is no larger."""
    return power // DIGIT * DIGIT


def _top(values: Array) -> int:
    """A power of two of the grid above every value."""
    if values.dtype.kind != "f" or len(values) == 0:
        return 0
    return -_on_grid(-int(np.frexp(max(abs(float(values.max())), abs(float(values.min()))))[1]))


def _digits(block: Array, top: int) -> Iterator[tuple[Array, int]]:
    """Signed digits on the grid and their powers: of floats as floats, from the top down."""
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
    """Parts of the rows; one, of none, where there are no rows."""
    size = CACHED if count <= FEW else BLOCK
    return (slice(start, start + size) for start in range(0, max(rows, 1), size))
