"""What a row gains by its grade, and what a rank discounts."""

from functools import cache

import numpy as np

from steelyard import errors, kernels
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists, list_sums

GAIN = choice(
    "gain", "linear", "exp2", means="what a grade gains: linear the grade, exp2 2^grade − 1"
)
LARGEST_POWER = 53  # 2**53 − 1 is a float64


def linear(grades: Array) -> Floats:
    return grades.astype(np.float64)


def exp2(grades: Array) -> Floats:
    return np.ldexp(1.0, grades.astype(np.int64)) - 1.0


def checked(lists: Lists, gain: str) -> None:
    """Refuse grades that 2**grade cannot take."""
    if gain == "exp2":
        odd = beyond(lists, LARGEST_POWER)
        if odd is not None:
            raise errors.NOT_EXP2(value=odd)


def beyond(lists: Lists, most: int) -> int | float | None:
    """A grade that is not whole, or larger than `most`; None where there is none."""
    for grades in (lists.grades, *(() if lists.judged is None else lists.judged[1:])):
        if grades.max(initial=0) > most:
            return _plain(float(grades.max()))
        broken = grades[grades != np.floor(grades)] if grades.dtype.kind == "f" else grades[:0]
        if len(broken):
            return float(broken[0])
    return None


def _plain(grade: float) -> int | float:
    """A grade as one writes it."""
    return int(grade) if grade.is_integer() else grade


GAINS = {"linear": linear, "exp2": exp2}


def dcg(lists: Lists, gain: str, k: int | None) -> Floats:
    """Σ gain/log2(rank + 1) down each list; a tied row gains what its block does on average."""
    checked(lists, gain)
    rows, list_, rank = lists.top(k)
    return list_sums(list_, lists.expected(rows, GAINS[gain]) * discounts(rank), len(lists))


def ideal_dcg(lists: Lists, gain: str, k: int | None) -> Floats:
    """The same of the best order that there is."""
    list_, rank, grades = lists.ideal(k)
    return list_sums(list_, GAINS[gain](grades) * discounts(rank), len(lists))


def discounts(rank: Array) -> Floats:
    """1/log2(rank + 1), from one table that all lists share."""
    longest = int(rank.max(initial=0))
    return _table(longest.bit_length())[rank]


@cache
def _table(bits: int) -> Floats:
    """The discounts of ranks below 2**bits; rank 0 has none."""
    table = np.zeros(1 << bits)
    table[1:] = 1.0 / kernels.active().log2_counts(np.arange(2, len(table) + 1))
    return table
