"""Exact integers in digits of 31 bits: what takes a few numbers, or one expression of a column."""

from itertools import zip_longest

import numpy as np

from steelyard.kernels.interface.exact import DIGIT, MASK, Array, Digits
from steelyard.kernels.ragged import running_sums, steps

LONG = 32  # rows: longer lists are added one by one, without a column of running sums


def total(digits: Digits) -> int:
    """The sum of one exact integer column."""
    return sum(int(d.sum(dtype=np.int64)) << (DIGIT * place) for place, d in enumerate(digits))


def dot(left: Digits, right: Digits) -> int:
    """The sum of the products of two exact integer columns."""
    return sum(
        dot_of_digits(a, b) << (DIGIT * (i + j))
        for i, a in enumerate(left)
        for j, b in enumerate(right)
    )


def dot_of_digits(left: Array, right: Array) -> int:
    """The sum of the products of two digits.

    A product takes up to 62 bits: its lower and upper halves are added separately.
    """
    product = left.astype(np.int64, copy=False) * right.astype(np.int64, copy=False)
    return int((product & MASK).sum()) + (int((product >> DIGIT).sum()) << DIGIT)


def carry(digits: list[Array]) -> Digits:
    """Digits brought back below 2**31 after additions."""
    if len(digits) == 1 and digits[0].max(initial=0) <= MASK:
        return tuple(digits)
    result: list[Array] = []
    over: Array = np.zeros(1, np.int64)
    for digit in digits:
        full = digit + over
        over = full >> DIGIT
        result.append(full & MASK)
    while over.any():
        result.append(over & MASK)
        over = over >> DIGIT
    return tuple(result)


def sum_groups(digits: Digits, starts: Array) -> Digits:
    """The sum of the integers from each start to the next; starts never fall."""
    return carry([sums_of_starts(digit, starts) for digit in digits])


def sums_of_starts(column: Array, starts: Array) -> Array:
    """The same of whole numbers of which int64 holds the sum."""
    if len(starts) == 0 or len(column) < LONG * len(starts):
        return np.diff(running_sums(column).take(starts))
    found = np.zeros(len(starts) - 1, np.int64)
    some = np.flatnonzero(steps(starts))
    if len(some):
        rows = column[: starts[-1]]
        found[some] = np.add.reduceat(rows, starts[some], dtype=np.int64)
    return found


def shift(digits: Digits, bits: int) -> Digits:
    """Each integer times 2**bits: the same weights, counted in a smaller unit."""
    zeros, part = divmod(bits, DIGIT)
    shifted = carry([digit.astype(np.int64) << part for digit in digits])
    return tuple(np.zeros(len(digits[0]), np.int64) for _ in range(zeros)) + shifted


def integers(digits: Digits) -> Array:
    """Exact integers as one column: int64 where two digits hold them, else Python integers."""
    if len(digits) <= 2:
        column = digits[0].astype(np.int64, copy=False)
        return column if len(digits) == 1 else column + (digits[1].astype(np.int64) << DIGIT)
    pairs = (integers(digits[place : place + 2]) for place in range(0, len(digits), 2))
    column = next(pairs).astype(object)
    for place, pair in enumerate(pairs, start=1):
        column = column + (pair.astype(object) << (2 * DIGIT * place))
    return column


def digits_of_integers(column: Array) -> Digits:
    """Whole numbers of zero or more, int64 or Python's, as digits."""
    size = max(1, -(-int(column.max(initial=0)).bit_length() // DIGIT))
    return tuple(((column >> (DIGIT * n)) & MASK).astype(np.int64) for n in range(size))


def plus(left: Digits, right: Digits) -> Digits:
    """The sums of two columns."""
    none = np.zeros(len(left[0]), np.int64)
    both = zip_longest(left, right, fillvalue=none)
    return carry([one.astype(np.int64) + other for one, other in both])
