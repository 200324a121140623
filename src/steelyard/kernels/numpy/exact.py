"""Exact arithmetic on columns: floats as whole multiples of a power of two, in digits of 31 bits.

To take 31 bits at a time, most significant first, is exact in float64 (multiply by a power of two,
truncate, subtract), and int64 holds the sums of such digits for up to 2**32 rows. Measured: three
digits of 10 million values in 0.06 s, in blocks that fit the cache.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ldexp

import numpy as np

from steelyard.kernels.digits import carry, dot_of_digits, shift, sums_of_starts
from steelyard.kernels.interface import DIGIT, MASK, Array, Digits
from steelyard.kernels.row_blocks import blocks

BLOCK = 1 << 15  # rows
SUM_BLOCK = 1 << 14  # rows that `exact_sum` adds at a time
LAYER = 39  # bits of a layer of `_sum`
HIGHEST_LAYER = 1023 - 53  # above, 1.5·2**(e+52) is beyond the largest float
LOWEST = -1074  # every finite float64 is a whole multiple of 2**-1074


def lowest_bit(weights: Array) -> int:
    """The largest u such that each weight is a whole multiple of 2**u; 0 where there are none."""
    if len(weights) == 0:
        return 0
    if weights.dtype.kind != "f":
        return _trailing_zeros(int(np.bitwise_or.reduce(weights)))
    smallest = _smallest(weights)
    if smallest == 0:
        return 0
    # Most weights are multiples of the lowest bit found so far, which one pass can check. Only a
    # block with a weight that is not is split into digits.
    unit = _lowest_bit(np.array([smallest], weights.dtype))
    for rows in blocks(len(weights), BLOCK):
        if not _all_whole(weights[rows], unit):
            unit = _lowest_bit(weights[rows])
    return unit


def _all_whole(block: Array, unit: int) -> bool:
    """Whether each weight is a whole multiple of 2**unit; a quotient beyond float64 is whole."""
    with np.errstate(over="ignore"):
        counts = scaled(block.astype(np.float64), -unit)
    return bool((counts == np.floor(counts)).all())


def _lowest_bit(block: Array) -> int:
    """The power of the lowest bit that is set in any of these weights, which are not all 0."""
    mantissa = np.finfo(block.dtype).nmant + 1
    floor = max(int(np.frexp(_smallest(block))[1]) - mantissa, LOWEST)
    bits = 0
    for place, digit in enumerate(float_digits(block, floor)):
        bits |= int(np.bitwise_or.reduce(digit)) << (DIGIT * place)
    return floor + _trailing_zeros(bits)


def to_digits(weights: Array, unit: int) -> Digits:
    """Weights as whole multiples of 2**unit, a power that divides each of them."""
    if len(weights) == 0:
        return (np.zeros(0, np.uint32),)
    count = max(1, -(-_size(float(weights.max()), unit) // DIGIT))
    columns = tuple(np.zeros(len(weights), np.uint32) for _ in range(count))
    split = float_digits if weights.dtype.kind == "f" else int_digits
    for block in blocks(len(weights), BLOCK):
        for column, digit in zip(columns, split(weights[block], unit), strict=False):
            column[block] = digit
    return columns


def exact_sum(values: Array) -> Fraction:
    """The exact sum of finite numbers, which does not depend on their order."""
    if values.dtype.kind != "f":
        # Halves, because a sum of 64-bit integers may not fit 64 bits.
        values = _with_room(values)
        low = int((values & MASK).sum(dtype=np.int64))
        return Fraction(low + (int((values >> DIGIT).sum(dtype=np.int64)) << DIGIT))
    scratch = np.empty((2, min(SUM_BLOCK, len(values))))
    sum_ = 0
    for rows in blocks(len(values), SUM_BLOCK):
        sum_ += _sum(values[rows].astype(np.float64, copy=False), scratch)
    return Fraction(sum_, 1 << -LOWEST)


def _sum(block: Array, scratch: Array) -> int:
    """The sum of a block of floats in multiples of 2**-1074, a layer of 39 bits at a time.

    To add 1.5·2**(e+52) and to subtract it again rounds to a multiple of 2**e. float64 holds the
    sum of 2**14 such multiples up to 2**(e+38), in any order, and also what the rounding left. It
    takes two thirds of the time of digits, which are for numbers too large for this.
    """
    rest, layer = scratch[:, : len(block)]
    exponent = int(np.frexp(max(block.max(), -block.min()))[1]) - LAYER + 1
    if exponent > HIGHEST_LAYER:
        digits = _from_the_top(block)
        return sum(int(digit.sum()) << (power - LOWEST) for digit, power in digits)
    sum_, source = 0, block
    while True:
        exponent = max(exponent, LOWEST)
        large = ldexp(1.5, exponent + 52)
        np.add(source, large, out=layer)
        layer -= large
        sum_ += int(ldexp(float(layer.sum()), -exponent)) << (exponent - LOWEST)
        np.subtract(source, layer, out=rest)
        if not rest.any():
            return sum_
        source = rest
        exponent -= LAYER


def exact_dot(values: Array, weights: Array) -> Fraction:
    """The exact sum of value times weight; weights are ≥ 0."""
    if values.dtype == weights.dtype == np.float32:  # 24 bits times 24 bits: float64 holds it
        products = (values[b].astype(np.float64) * weights[b] for b in blocks(len(values), BLOCK))
        return sum((exact_sum(block) for block in products), Fraction(0))
    unit = lowest_bit(weights)
    split = float_digits if weights.dtype.kind == "f" else int_digits
    sum_ = 0
    for block in blocks(len(values), BLOCK):
        digits = split(weights[block], unit)
        for value, exponent in _from_the_top(values[block]):
            for place, digit in enumerate(digits):
                sum_ += dot_of_digits(value, digit) << (exponent - LOWEST + DIGIT * place)
    return Fraction(sum_, 1 << -LOWEST) * Fraction(2) ** unit


def dot_groups(left: Digits, right: Digits, starts: Array) -> Digits:
    """The sum of the products of each group's rows.

    The lower and upper halves of a product are added separately.
    """
    sums = [np.zeros(len(starts) - 1, np.int64) for _ in range(len(left) + len(right))]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product = a.astype(np.int64, copy=False) * b.astype(np.int64, copy=False)
            sums[i + j] += sums_of_starts(product & MASK, starts)
            sums[i + j + 1] += sums_of_starts(product >> DIGIT, starts)
    return carry(sums)


def _from_the_top(block: Array) -> Iterator[tuple[Array, int]]:
    """Signed digits of floats, most significant first, and the power of two that they count."""
    rest = block.astype(np.float64)
    exponent = int(np.frexp(np.abs(rest).max())[1])
    while True:
        exponent = max(exponent - DIGIT, LOWEST)
        digit = scaled(rest, -exponent).astype(np.int64)  # truncates towards zero
        yield digit, exponent
        rest -= scaled(digit.astype(np.float64), exponent)
        if not rest.any():
            return


def float_digits(block: Array, unit: int) -> list[Array]:
    """Digits of non-negative floats that are whole multiples of 2**unit."""
    size = max(1, _size(float(block.max()), unit))
    rest = block.astype(np.float64)
    digits: list[Array] = []
    for place in reversed(range(-(-size // DIGIT))):
        exponent = unit + DIGIT * place
        digit = scaled(rest, -exponent).astype(np.int64)
        digits.append(digit)
        if place:
            rest -= scaled(digit.astype(np.float64), exponent)
    return digits[::-1]


def int_digits(block: Array, unit: int) -> list[Array]:
    """Digits of non-negative integers that are whole multiples of 2**unit."""
    if unit < 0:  # the digits are shifted, as integers might overflow
        return list(shift(tuple(int_digits(block, 0)), -unit))
    whole = _with_room(block) >> unit
    return [((whole >> (DIGIT * place)) & MASK).astype(np.int64) for place in range(3)]


def _with_room(whole: Array) -> Array:
    """Whole numbers of a type that has the number MASK."""
    return whole.astype(np.int32) if whole.dtype.itemsize < 4 else whole


def scaled(values: Array, exponent: int) -> Array:
    """values·2**exponent; a product takes a tenth of ldexp's time where it cannot overflow."""
    if -1000 < exponent < 1000:
        scaled: Array = values * 2.0**exponent
        return scaled
    return np.ldexp(values, exponent)


def _smallest(weights: Array) -> float:
    """The smallest weight above 0; 0 where there is none."""
    smallest = float(weights.min())
    if smallest == 0:
        smallest = float(weights.min(where=weights > 0, initial=np.inf))
    return 0.0 if np.isinf(smallest) else smallest


def _size(largest: float, unit: int) -> int:
    """The bits of the largest weight in multiples of 2**unit; one more where a float rounded up."""
    return int(np.frexp(largest)[1]) - unit


def _trailing_zeros(bits: int) -> int:
    """How often 2 divides a whole number; 0 for 0."""
    return (bits & -bits).bit_length() - 1 if bits else 0
