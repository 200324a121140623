"""Sums of weight times a number in [0, 1], the number cut after 93 binary places.

The sum itself is exact, so that its value does not depend on order or on how the rows are chunked.
"""

import numpy as np

from steelyard.model import Array

DIGIT, DIGITS = 31, 3
PLACES = DIGIT * DIGITS


def sum_of_quotients(weights: Array, numerators: Array, denominators: Array) -> int:
    """Σ weight·⌊2**93·numerator/denominator⌋, in units of 2**-93."""
    if weights.dtype == object:
        return int((weights * ((numerators << PLACES) // denominators)).sum())
    total, rest = 0, numerators
    for _ in range(DIGITS):  # long division: int64 has room for 31 places at a time
        digit, rest = np.divmod(rest << DIGIT, denominators)
        total = (total << DIGIT) + int(weights @ digit)
    return total


def sum_of_floats(weights: Array, numbers: Array) -> int:
    """Σ weight·⌊2**93·number⌋, in units of 2**-93."""
    total, rest = 0, numbers
    for _ in range(DIGITS):
        rest = rest * 2.0**DIGIT  # a power of two, a cut and a difference: all exact
        digit = rest.astype(np.int64)
        rest = rest - digit
        total = (total << DIGIT) + int((weights * digit).sum())
    return total
