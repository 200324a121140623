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
    total, rest = 0, numerators
    for _ in range(digits(totals)):  # long division: int64 has room for 31 places at a time
        digit, rest = np.divmod(rest << DIGIT, denominators)
        total = (total << DIGIT) + int(weights @ digit)
    return total


def sum_of_floats(weights: Array, numbers: Array, totals: Totals) -> int:
    """Σ weight·⌊2**places·number⌋, in units of 2**-places."""
    total, rest = 0, numbers
    for _ in range(digits(totals)):
        rest = rest * 2.0**DIGIT  # a power of two, a cut and a difference: all exact
        digit = rest.astype(np.int64)
        rest = rest - digit
        total = (total << DIGIT) + int((weights * digit).sum())
    return total
