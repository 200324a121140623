"""The gain of a grade, and the discount of a rank."""

from functools import cache

import numpy as np

from steelyard.kernels.logarithms import log2_counts
from steelyard.model import Array, Floats


def linear(grades: Array) -> Floats:
    return grades.astype(np.float64)


def exp2(grades: Array) -> Floats:
    return np.ldexp(1.0, grades.astype(np.int64)) - 1.0


GAINS = {"linear": linear, "exp2": exp2}


def discounts(rank: Array) -> Floats:
    """1/log2(rank + 1), from one table that all lists share."""
    return discount_table(int(rank.max(initial=0)))[rank]


def discount_table(longest: int) -> Floats:
    """The discounts of all ranks to the longest and some beyond it; that of rank 0 is not used."""
    return _table(longest.bit_length())


@cache
def _table(bits: int) -> Floats:
    """The discounts of ranks below 2**bits."""
    table = np.zeros(1 << bits)
    table[1:] = 1.0 / log2_counts(np.arange(2, len(table) + 1))
    return table
