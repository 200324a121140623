"""The terms of ranked lists by name."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from steelyard.kernels.interface import Array, Columns, ListTerm, RankedLists
from steelyard.kernels.numpy.lists.blocks import hits_to, relevant
from steelyard.kernels.numpy.lists.chances import hit, precisions, reciprocal
from steelyard.kernels.numpy.lists.stops import stops
from steelyard.kernels.numpy.lists.sums_of_gains import (
    discounted_gain,
    gain,
    ideal_gain,
    persistence,
)
from steelyard.kernels.ragged import steps
from steelyard.model import Floats


def list_gains(lists: RankedLists, terms: Sequence[ListTerm]) -> tuple[Columns, ...]:
    """The columns of each term, with an entry for each list."""
    return tuple(_columns(lists, term) for term in terms)


def _columns(lists: RankedLists, term: ListTerm) -> Columns:
    if term.name in PAIRS:
        return PAIRS[term.name](lists, term)
    return (TERMS[term.name](lists, term),)


def _highest(lists: RankedLists, _: ListTerm) -> Floats:
    found = np.zeros(len(lists.groups))
    for numbers, grades in _graded(lists):
        np.maximum.at(found, numbers, grades)
    return found


def _broken(lists: RankedLists, _: ListTerm) -> Floats:
    found = np.full(len(lists.groups), np.inf)
    for numbers, grades in _graded(lists):
        broken = grades != np.floor(grades)
        np.minimum.at(found, numbers[broken], grades[broken])
    return np.where(np.isinf(found), 0.0, found)


def _graded(lists: RankedLists) -> Iterator[tuple[Array, Array]]:
    """List and grade of rows with a rank, and of those without."""
    both = [(lists.starts, lists.grades), *([] if lists.judged is None else [lists.judged])]
    for starts, grades in both:
        yield np.repeat(np.arange(len(lists.groups)), steps(starts)), grades


TERMS: dict[str, Callable[[RankedLists, ListTerm], Array]] = {
    "relevant": lambda lists, term: relevant(lists, term.rel),
    "gain": gain,
    "discounted_gain": discounted_gain,
    "ideal_gain": ideal_gain,
    "persistence": persistence,
    "precisions": precisions,
    "reciprocal": reciprocal,
    "hit": hit,
    "stops": stops,
    "highest": _highest,
    "broken": _broken,
}
PAIRS: dict[str, Callable[[RankedLists, ListTerm], Columns]] = {
    "hits": lambda lists, term: hits_to(lists, term.rel, term.k),
    "hits_to_relevant": lambda lists, term: hits_to(lists, term.rel, relevant(lists, term.rel)),
}
