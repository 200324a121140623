"""The gain of a grade, and the discount of a rank."""

from functools import cache

import numpy as np

from steelyard import errors
from steelyard.kernels.logarithms import log2_counts
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists, list_sums

GAIN = choice(
    "gain",
    "linear",
    "exp2",
    means="the gain of a grade: linear is the grade itself, exp2 is 2^grade − 1",
)
LARGEST_POWER = 53  # 2**53 − 1 is a float64


def linear(grades: Array) -> Floats:
    return grades.astype(np.float64)


def exp2(grades: Array) -> Floats:
    return np.ldexp(1.0, grades.astype(np.int64)) - 1.0


def checked(lists: Lists, gain: str) -> None:
    """Refuse grades for which 2**grade − 1 is not exact."""
    if gain == "exp2":
        invalid = beyond(lists, LARGEST_POWER)
        if invalid is not None:
            raise errors.NOT_EXP2(value=invalid)


def beyond(lists: Lists, most: int) -> int | float | None:
    """A grade that is not a whole number, or that is above `most`; None if all are fine."""
    for grades in (lists.grades, *(() if lists.judged is None else lists.judged[1:])):
        if grades.max(initial=0) > most:
            return _plain(float(grades.max()))
        broken = grades[grades != np.floor(grades)] if grades.dtype.kind == "f" else grades[:0]
        if len(broken):
            return float(broken[0])
    return None


def _plain(grade: float) -> int | float:
    """A grade, without a decimal point if it is whole."""
    return int(grade) if grade.is_integer() else grade


GAINS = {"linear": linear, "exp2": exp2}


def dcg(lists: Lists, gain: str, k: int | None) -> Floats:
    """Σ gain/log2(rank + 1) of each list; a tied row has the mean gain of its block."""
    checked(lists, gain)
    rows, list_, rank = lists.top(k)
    return list_sums(list_, lists.expected(rows, GAINS[gain]) * discounts(rank), len(lists))


def ideal_dcg(lists: Lists, gain: str, k: int | None) -> Floats:
    """The DCG of the best order of each group."""
    list_, rank, grades = lists.ideal(k)
    return list_sums(list_, GAINS[gain](grades) * discounts(rank), len(lists))


def discounts(rank: Array) -> Floats:
    """1/log2(rank + 1), from one table that all lists share."""
    longest = int(rank.max(initial=0))
    return _table(longest.bit_length())[rank]


@cache
def _table(bits: int) -> Floats:
    """The discounts of ranks below 2**bits; that of rank 0 is not used."""
    table = np.zeros(1 << bits)
    table[1:] = 1.0 / log2_counts(np.arange(2, len(table) + 1))
    return table
