"""Exact sums by code: what the rows of each class, bin or field value add up to.

Values are cut into signed digits of 31 bits on one grid for all rows. A block has 2**20 rows, so
that float64, in which `bincount` adds, holds every sum of a digit (2**51) exactly.
"""

from collections.abc import Iterator

import numpy as np

from steelyard.kernels.exact import LOWEST, float_digits, int_digits, lowest_bit, scaled
from steelyard.kernels.interface import DIGIT, MASK, Array, CodedSums

BLOCK = 1 << 20
COUNTED = 1 << 16  # codes counted at a time: `bincount` widens them to 64 bits, in the cache
Levels = dict[int, Array]  # sums of digits, by the power of two that a digit counts


def sums_by_code(
    codes: Array, count: int, values: Array | None = None, weights: Array | None = None
) -> CodedSums:
    """For each code below `count`, the sum of value times weight; a row without either counts 1."""
    if values is None:
        values, weights = weights, None
    levels: Levels = {}
    if values is None:
        _count(levels, codes, count)
    elif weights is not None and values.dtype == weights.dtype == np.float32:
        # 24 bits times 24 bits: float64 holds the product.
        _sum(levels, codes, count, values.astype(np.float64) * weights)
    elif weights is not None:
        _dot(levels, codes, count, values, weights)
    else:
        _sum(levels, codes, count, values)
    power = min(levels, default=0)
    amounts = [0] * count
    for exponent, sums in levels.items():
        for code in np.flatnonzero(sums).tolist():
            amounts[code] += int(sums[code]) << (exponent - power)
    return CodedSums(amounts, power)


def _count(levels: Levels, codes: Array, count: int) -> None:
    rows = COUNTED if count <= COUNTED else max(len(codes), 1)
    for start in range(0, max(len(codes), 1), rows):
        _add(levels, 0, np.bincount(codes[start : start + rows], minlength=count))


def _sum(levels: Levels, codes: Array, count: int, values: Array) -> None:
    top = _top(values)
    for block in _blocks(len(codes)):
        for digit, exponent in _digits(values[block], top):
            _add(levels, exponent, _by_code(codes[block], count, digit))


def _dot(levels: Levels, codes: Array, count: int, values: Array, weights: Array) -> None:
    """Products of two digits take 62 bits: their halves are added apart."""
    top, unit = _top(values), lowest_bit(weights)
    split = float_digits if weights.dtype.kind == "f" else int_digits
    for block in _blocks(len(codes)):
        here, right = codes[block], split(weights[block], unit)
        for digit, exponent in _digits(values[block], top):
            for place, other in enumerate(right):
                power = exponent + unit + DIGIT * place
                product = digit * other
                _add(levels, power, _by_code(here, count, product & MASK))
                _add(levels, power + DIGIT, _by_code(here, count, product >> DIGIT))


def _by_code(codes: Array, count: int, digits: Array) -> Array:
    return np.bincount(codes, digits.astype(np.float64), count).astype(np.int64)


def _add(levels: Levels, exponent: int, sums: Array) -> None:
    """Sums of at most 2**32 digits, which int64 holds."""
    if exponent in levels:
        levels[exponent] += sums
    else:
        levels[exponent] = sums


def _top(values: Array) -> int:
    """The power of two above every value."""
    if values.dtype.kind != "f" or len(values) == 0:
        return 0
    return int(np.frexp(max(abs(float(values.max())), abs(float(values.min()))))[1])


def _digits(block: Array, top: int) -> Iterator[tuple[Array, int]]:
    """Signed digits, most significant first, on the grid that `top` lays, and their powers."""
    if block.dtype.kind != "f":
        yield from ((d, DIGIT * place) for place, d in enumerate(int_digits(block, 0)))
        return
    rest = block.astype(np.float64)
    exponent = top
    while rest.any():
        exponent = max(exponent - DIGIT, LOWEST)
        digit = scaled(rest, -exponent).astype(np.int64)  # cuts towards zero
        yield digit, exponent
        rest -= scaled(digit.astype(np.float64), exponent)


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(start, start + BLOCK) for start in range(0, rows, BLOCK))
