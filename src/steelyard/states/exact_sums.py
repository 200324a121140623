"""Columns of exact sums: one whole number times a power of two for each line.

A column is an `ExactSums`: signed digits of 31 bits by the power of two that they count, a multiple
of 31. Two columns add digit by digit; `carried` brings digits back below 2**31.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import DIGIT, MASK, ExactSums
from steelyard.kernels.ragged import running_sums, steps
from steelyard.kernels.row_blocks import BLOCK, blocks
from steelyard.model import Array, Floats

WIDTHS = (np.uint8, np.uint16, np.uint32)
FEW = 16  # lines that are read one by one: so few cost more as columns
CARRY_ROWS = 1 << 31  # rows after which digits are carried: int64 holds the sums of twice as many


class CarriedSums(NamedTuple):
    """A column in canonical form: Σ digit·2**(power + 31·place), digits from 0 to 2**31 − 1.

    negative: where 2**(power + 31·len(digits)) is subtracted
    """

    power: int
    digits: list[Array]
    negative: Array


def add(mine: ExactSums, theirs: ExactSums, places: Array | None, size: int) -> None:
    """Add another column to `mine`, line by line.

    places: the lines of `mine` that are added to; None: the first ones
    size: how many lines `mine` has
    """
    for power, digit in theirs.items():
        if power not in mine and places is None and len(digit) == size:
            mine[power] = digit.astype(np.int64)
            continue
        if power not in mine:
            mine[power] = np.zeros(size, np.int64)
        elif len(mine[power]) < size:
            mine[power] = np.append(mine[power], np.zeros(size - len(mine[power]), np.int64))
        if places is None:
            mine[power][: len(digit)] += digit
        else:
            mine[power][places] += digit


def moved(column: ExactSums, places: Array, size: int) -> ExactSums:
    """A column of `size` lines with the lines of another at these places."""
    found: ExactSums = {}
    add(found, column, places, size)
    return found


def carried(column: ExactSums, lines: Array) -> CarriedSums:
    """Some lines of a column in canonical form."""
    power, digits = min(column, default=0), []
    over: Array = np.zeros(len(lines), np.int64)
    for exponent in range(power, max(column, default=-1) + 1, DIGIT):
        if exponent in column:
            over = over + _lines(column[exponent], lines)
        digits.append(over & MASK)
        over = over >> DIGIT
    while ((over != 0) & (over != -1)).any():
        digits.append(over & MASK)
        over = over >> DIGIT
    negative = over < 0
    sign = np.where(negative, MASK, 0)
    while digits and (digits[-1] == sign).all():
        digits.pop()
    while digits and not digits[0].any():
        digits.pop(0)
        power += DIGIT
    return CarriedSums(power if digits or negative.any() else 0, digits, negative)


def lines(column: ExactSums, chosen: Array) -> ExactSums:
    """Some lines of a column."""
    return {power: _lines(digit, chosen) for power, digit in column.items()}


def _lines(column: Array, lines: Array) -> Array:
    """Some lines of a digit's column; lines beyond its end are 0."""
    if len(lines) and int(lines.max()) >= len(column):
        column = np.append(column, np.zeros(int(lines.max()) + 1 - len(column), np.int64))
    return column[lines]


def integers(column: ExactSums, power: int, lines: Array) -> list[int]:
    """Some lines as whole multiples of 2**power, which must divide them all."""
    if len(lines) <= FEW:
        return [_integer(column, power, line) for line in lines.tolist()]
    found = carried(column, lines)
    negative = bool(found.negative.any())
    if not found.digits and not negative:
        return [0] * len(lines)
    if len(found.digits) <= 2 and found.power == power and not negative:
        listed: list[int] = _pair(found.digits, 0, len(lines)).tolist()
        return listed
    shift = found.power - power
    whole = np.where(found.negative, -1, 0).astype(object) << (shift + DIGIT * len(found.digits))
    for place in range(0, len(found.digits), 2):  # two digits fit int64
        pair = _pair(found.digits, place, len(lines)).astype(object)
        whole = whole + (pair << (shift + DIGIT * place))
    return list(whole)


def floats(column: ExactSums, lines: Array, scale: Array | int = 0) -> Floats:
    """Some lines as the nearest float64; infinite beyond the largest.

    scale: each is multiplied by 2**scale, before it is rounded
    """
    if len(lines) <= FEW and not isinstance(scale, np.ndarray):
        least = min(column, default=0)
        whole = (_integer(column, least, line) for line in lines.tolist())
        return np.array([_float(amount, least + scale) for amount in whole])
    if len(lines) > BLOCK:  # in the cache: a fifth of the time, and no further columns
        numbers = np.empty(len(lines))
        for here in blocks(len(lines)):
            own = scale[here] if isinstance(scale, np.ndarray) and len(scale) > 1 else scale
            numbers[here] = floats(column, lines[here], own)
        return numbers
    narrow = _narrow(column, lines)
    if narrow is not None:
        with np.errstate(over="ignore"):
            return np.ldexp(narrow.astype(np.float64), min(column) + scale)
    found = carried(column, lines)
    if found.negative.any():
        sign = np.where(found.negative, -1, 1)
        sizes = {power: _lines(digit, lines) * sign for power, digit in column.items()}
        found = carried(sizes, np.arange(len(lines)))
    else:
        sign = np.ones(1, np.int64)
    numbers, power = _nearest(found.digits, len(lines))
    with np.errstate(over="ignore"):
        return np.ldexp(numbers, power + found.power + scale) * sign


def _narrow(column: ExactSums, lines: Array) -> Array | None:
    """Some lines of one or two adjacent digits as int64, in multiples of the lowest power.

    None where there are others, or int64 may not hold them.
    """
    power = min(column, default=0)
    digits = [_lines(column[each], lines) for each in sorted(column)]
    if not digits or max(column) - power > DIGIT or not all(map(len, digits)):
        return None
    low, *high = digits
    if max(-int(low.min()), int(low.max())) >= 1 << 62:
        return None
    if high and max(-int(high[0].min()), int(high[0].max())) > MASK:
        return None
    return low + (high[0] << DIGIT) if high else low


def _float(amount: int, power: int) -> float:
    """amount · 2**power, rounded once; infinite beyond float64."""
    try:
        return amount / (1 << -power) if power < 0 else float(amount << power)
    except OverflowError:
        return float("inf") if amount > 0 else float("-inf")


def _nearest(digits: Sequence[Array], size: int) -> tuple[Floats, Array]:
    """Numbers of 31-bit digits, the lowest first, as a float64 times a power of two.

    The float is the number rounded once. It is of three digits, from the highest that is not 0 on:
    these have 63 bits or more, and one more bit says whether anything is below them.
    """
    if len(digits) <= 2:
        return _pair(digits, 0, size).astype(np.float64), np.zeros(size, np.int64)
    first: Array = np.zeros(size, np.int64)
    last: Array = np.zeros(size, np.int64)
    for place, digit in enumerate(digits):
        first = np.where((digit > 0) & (first == 0), place + 1, first)
        last = np.where(digit > 0, place, last)
    none = np.zeros(size, np.int64)
    padded, lines = np.stack([none, none, *digits]), np.arange(size)
    high = (padded[last + 2, lines] << DIGIT) | padded[last + 1, lines]
    rounded = high.astype(np.float64)
    rest = high - rounded.astype(np.int64)  # below 2**9
    rest = (((rest << DIGIT) + padded[last, lines]) << 1) | (first < last - 1)
    return rounded * 2.0 ** (DIGIT + 1) + rest, DIGIT * (last - 2) - 1


def exponents(column: ExactSums, lines: Array) -> Array:
    """For some lines, the e with 2**(e − 1) <= sum < 2**e; 0 where it is 0. No sum is below 0."""
    found = carried(column, lines)
    exponents: Array = np.zeros(len(lines), np.int64)
    for place, digit in enumerate(found.digits):
        _, bits = np.frexp(digit.astype(np.float64))
        exponents = np.where(digit > 0, bits + found.power + DIGIT * place, exponents)
    return exponents


def by_slice(column: ExactSums, starts: Array) -> ExactSums:
    """The sums over the lines of each slice; starts: its first line, and the end."""
    if len(starts) == 2:  # one slice, as for most calls of few rows
        chosen = slice(*starts.tolist())
        return {power: digit[chosen].sum(keepdims=True) for power, digit in column.items()}
    count = int(starts[-1])
    return {power: _sums_between(digit, starts, count) for power, digit in column.items()}


def _sums_between(digit: Array, starts: Array, count: int) -> Array:
    if len(digit) < count:  # lines beyond its end are 0
        digit = np.append(digit, np.zeros(count - len(digit), np.int64))
    return steps(running_sums(digit[:count])[starts])


def _integer(column: ExactSums, power: int, line: int) -> int:
    whole = 0
    for exponent, digit in column.items():
        if line < len(digit):
            # A digit of 0 may have a lower power.
            whole += int(digit[line]) << (exponent - power) if digit[line] else 0
    return whole


def _pair(digits: Sequence[Array], place: int, size: int) -> Array:
    """Two digits, from `place` on, as one int64 column."""
    pair: Array = np.zeros(size, np.int64)
    for step, digit in enumerate(digits[place : place + 2]):
        pair = pair + (digit << (DIGIT * step))
    return pair


def sections(name: str, column: CarriedSums) -> dict[str, Array]:
    """The arrays of the bytes of a column."""
    found = {f"{name}.{place}": narrowest(digit) for place, digit in enumerate(column.digits)}
    if column.negative.any():
        found[f"{name}.negative"] = column.negative.astype(np.uint8)
    return found


def restored(name: str, power: int, arrays: dict[str, Array], lines: int) -> ExactSums:
    """The column of the bytes; its arrays are taken out of `arrays`."""
    column: ExactSums = {}
    place = 0
    while f"{name}.{place}" in arrays:
        column[power + DIGIT * place] = _checked(arrays.pop(f"{name}.{place}"), lines)
        place += 1
    if f"{name}.negative" in arrays:
        negative = _checked(arrays.pop(f"{name}.negative"), lines)
        column[power + DIGIT * place] = -negative
    return column


def _checked(column: Array, lines: int) -> Array:
    if column.dtype not in WIDTHS or len(column) != lines or (column > MASK).any():
        raise ValueError("sums that are not whole numbers")
    return column.astype(np.int64)


def narrowest(column: Array) -> Array:
    """Whole numbers ≥ 0 in the narrowest type that holds them."""
    largest = int(column.max()) if len(column) else 0
    return column.astype(next(width for width in WIDTHS if largest <= np.iinfo(width).max))
