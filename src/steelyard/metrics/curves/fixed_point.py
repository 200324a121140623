"""Sums of weight times a number in [0, 1], the number cut after 93 binary places or more.

The sum itself is exact, so that its value does not depend on order or on how the rows are chunked.
"""

import numpy as np

from steelyard.model import Array
from steelyard.states import Totals

DIGIT, DIGITS = 31, 3


def digits(totals: Totals) -> int:
    """How many digits of 31 places to take: three, and one more for each 2**31 of imbalance.

    The averages made here are at least half the prevalence, so that much would be lost in zeros.
    """
    return DIGITS + (totals.all // totals.positives).bit_length() // DIGIT


def places(totals: Totals) -> int:
    """The binary places taken: 93 unless the negatives outweigh the positives 2**30 times."""
    return DIGIT * digits(totals)


def sum_of_quotients(weights: Array, numerators: Array, denominators: Array, totals: Totals) -> int:
    """Σ weight·⌊2**places·numerator/denominator⌋, in units of 2**-places."""
    if weights.dtype == object:
        return int((weights * ((numerators << places(totals)) // denominators)).sum())
    divide, add = (_divide, np.dot) if totals.narrow else (_divide_long, _dot_long)
    total, rest = 0, numerators
    for _ in range(digits(totals)):  # long division: 31 places at a time
        digit, rest = divide(rest, denominators)
        total = (total << DIGIT) + int(add(weights, digit))
    return total


def _divide(rest: Array, denominators: Array) -> tuple[Array, Array]:
    """The next 31 places and what is left: the dividend fits int64."""
    return np.divmod(rest << DIGIT, denominators)


def _divide_long(rest: Array, denominators: Array) -> tuple[Array, Array]:
    """The same where the dividend needs up to 93 bits.

    A float64 quotient is at most one off. What is left is then known to lie within one denominator
    of zero, below 2**63, so that int64 arithmetic finds it although its terms wrap around.
    """
    digit = (rest / denominators * 2.0**DIGIT).astype(np.int64)
    left = (rest << DIGIT) - digit * denominators
    step = (left >= denominators).astype(np.int64) - (left < 0)
    return digit + step, left - step * denominators


def _dot_long(weights: Array, digit: Array) -> int:
    """Weights of up to 62 bits, halved so that the products fit."""
    low, high = weights & ((1 << DIGIT) - 1), weights >> DIGIT
    return _dot_halves(low, digit) + (_dot_halves(high, digit) << DIGIT)


def _dot_halves(left: Array, right: Array) -> int:
    """A sum of products of up to 62 bits, added in halves."""
    product = left * right
    return int((product & ((1 << DIGIT) - 1)).sum()) + (int((product >> DIGIT).sum()) << DIGIT)


def sum_of_floats(weights: Array, numbers: Array, totals: Totals) -> int:
    """Σ weight·⌊2**places·number⌋, in units of 2**-places."""
    total, rest = 0, numbers
    for _ in range(digits(totals)):
        rest = rest * 2.0**DIGIT  # a power of two, a cut and a difference: all exact
        digit = rest.astype(np.int64)
        rest = rest - digit
        total = (total << DIGIT) + int((weights * digit).sum())
    return total
