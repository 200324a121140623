"""Plain rows by the compiled kernels."""

from functools import lru_cache

import numpy as np

from steelyard.kernels import _rust
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.gains import discount_table
from steelyard.kernels.interface import (
    Array,
    GroupAreas,
    ListTerm,
    PlainArea,
    PlainBins,
    PlainListTerms,
    PlainRows,
    PlainTerms,
    Ties,
)
from steelyard.kernels.rust.lists import COUNTS, DEEPEST

MOST_CHOICES = 256  # of terms, which are brought into their form once
GivenTerm = tuple[str, int, float, bool, float]


def plain_rows(labels: Array, scores: Array) -> PlainRows | None:
    """What readers check of rows of two classes."""
    found = _rust.plain_rows(labels, scores)
    return None if found is None else PlainRows(*found)


def plain_area(labels: Array, scores: Array) -> PlainArea | None:
    """The same checks, and the area."""
    found = _rust.plain_area(labels, scores)
    return None if found is None else PlainArea(*found)


def plain_terms(labels: Array, scores: Array, formulas: tuple[str, ...]) -> PlainTerms | None:
    """The same checks, and the exact sum of each formula over all rows."""
    found = _rust.plain_terms(labels, scores, formulas)
    if found is None:
        return None
    positives, least, largest, power, sums = found
    if sums is None:
        return _numpy.plain_terms(labels, scores, formulas)
    return PlainTerms(positives, least, largest, power, sums)


def plain_group_areas(labels: Array, scores: Array, keys: Array) -> GroupAreas | None:
    """The same checks, and the groups of the total; their columns are int64."""
    made = _rust.plain_group_areas(labels, scores, keys)
    if made is None:
        return None
    rows, positives, negatives, doubled = np.frombuffer(made, np.int64).reshape(4, -1)
    return GroupAreas(np.arange(len(rows)), None, rows, positives, positives, negatives, doubled)


def plain_list_terms(
    grades: Array, scores: Array, keys: Array | None, ties: Ties, terms: tuple[ListTerm, ...]
) -> PlainListTerms | None:
    """The lists of rows with grades, by named terms."""
    given, lines, places = _forms(terms)
    discounts = discount_table(len(grades))
    made = _rust.plain_list_terms(grades, scores, keys, ties, given, discounts)
    if made is None:
        return None
    if not made:
        return _numpy.plain_list_terms(grades, scores, keys, ties, terms)
    whole = np.frombuffer(made, np.int64).reshape(lines, -1)
    kinds = whole, whole.view(np.float64)
    found = [tuple([kinds[real][line] for line in own]) for real, own in places]
    return PlainListTerms(whole[0], tuple(found))


@lru_cache(MOST_CHOICES)
def _forms(
    terms: tuple[ListTerm, ...],
) -> tuple[list[GivenTerm], int, list[tuple[bool, range]]]:
    """The terms as the crate takes them, how many lines it gives, and those of each term."""
    given, places, first = [], [], 1
    for term in terms:
        depth = DEEPEST if term.k is None else min(term.k, DEEPEST)
        given.append((term.name, depth, term.rel, term.gain == "exp2", term.p))
        counts = COUNTS.get(term.name)
        places.append((counts is None, range(first, first + (counts or 1))))
        first += 1 if counts is None else 2
    return given, first, places


def plain_level_bins(labels: Array, scores: Array, bins: int) -> PlainBins | None:
    """The same checks, and the bins of all rows."""
    made = _rust.plain_level_bins(labels, scores, bins)
    if made is None:
        return None
    expected, variance, words = made
    lines = 3 + len(expected) + len(variance)
    numbers, weight, positives, *digits = np.frombuffer(words, np.int64).reshape(lines, -1)
    sums = dict(zip(expected, digits, strict=False))
    rest = dict(zip(variance, digits[len(expected) :], strict=True))
    return PlainBins(numbers, weight, positives, sums, rest)
