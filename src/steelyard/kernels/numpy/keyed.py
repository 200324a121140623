"""Rows sorted by slice and score, and the scores of one class located among those of the other.

A slice is a code: the rows of each slice are brought together and sorted. Loops here are over
slices, never over rows, and cost about a microsecond per slice. 3 million float32 in 50 slices take
0.1 s in all, which is the time of one sort of them.
"""

from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from steelyard.kernels.interface import (
    DIGIT,
    Array,
    Columns,
    Digits,
    ExactSums,
    KeyedRun,
)
from steelyard.kernels.numpy.coded import add_column, sums_by_code
from steelyard.kernels.numpy.grouping import order_within
from steelyard.kernels.numpy.sorting import (
    Placement,
    bring_together,
    place,
    sort_rows,
    starts_of,
)

LONG = 1 << 12  # rows: longer slices with columns are sorted one by one


class SortedRows(NamedTuple):
    """Rows by slice and rising score.

    starts: where each slice starts, and the end of all; columns: other columns of the rows
    """

    starts: Array
    scores: Array
    columns: Columns


def sort_keyed(codes: Array | None, count: int, scores: Array, columns: Columns) -> SortedRows:
    """Rows by code and rising score (-0.0 as 0.0), and their columns; `scores` is overwritten."""
    if codes is None:
        scores, columns = sort_rows(scores, columns)
        return SortedRows(np.array([0, len(scores)]), scores, columns)
    order, starts = bring_together(codes, count)
    scores += scores.dtype.type(0)  # -0.0 + 0.0 is 0.0
    scores, columns = scores.take(order), tuple(column.take(order) for column in columns)
    if not columns:
        _sort_each(starts, scores)
        return SortedRows(starts, scores, ())
    return SortedRows(starts, *_sort_carried(starts, scores, columns))


def _sort_each(starts: Array, scores: Array) -> None:
    """Sort the scores of each slice in place."""
    for start, end in pairwise(starts.tolist()):
        if end - start > 1:
            scores[start:end].sort()


def _sort_carried(starts: Array, scores: Array, columns: Columns) -> tuple[Array, Columns]:
    """Sort each slice with its columns: long slices one by one, all others at once."""
    sizes = np.diff(starts)
    short, long = np.flatnonzero(sizes <= LONG), np.flatnonzero(sizes > LONG)
    if len(short):
        order = order_within(starts, scores, short)  # rows of long slices keep their places
        scores, columns = scores.take(order), tuple(column.take(order) for column in columns)
    for start, end in zip(starts[long].tolist(), starts[long + 1].tolist(), strict=True):
        here = slice(start, end)
        some = tuple(column[here] for column in columns)
        scores[here], carried = sort_rows(scores[here].copy(), some)
        for column, ordered in zip(columns, carried, strict=True):
            column[here] = ordered
    return scores, columns


def sum_between(column: Array, starts: Array) -> Array:
    """The sum of each slice's whole numbers, which must fit their type."""
    some = np.flatnonzero(np.diff(starts))
    sums = np.zeros(len(starts) - 1, column.dtype)
    if len(some):
        sums[some] = np.add.reduceat(column, starts[some])
    return sums


def dot_by_slice(weights: Digits | None, numbers: Array, starts: Array) -> ExactSums:
    """The exact Σ weight·number over the rows of each slice; weights None: 1 each."""
    count = len(starts) - 1
    codes = None if count == 1 else np.repeat(np.arange(count), np.diff(starts))
    if weights is None or (len(weights) == 1 and bool((weights[0] == 1).all())):
        return sums_by_code(codes, count, numbers)
    sums: ExactSums = {}
    for shift, digit in enumerate(weights):
        # Digits are below 2**31, which float64 holds exactly.
        for power, column in sums_by_code(codes, count, numbers, digit.astype(np.float64)).items():
            add_column(sums, power + DIGIT * shift, column)
    return sums


def place_keyed(positives: KeyedRun, negatives: KeyedRun) -> Placement:
    """The place of every distinct positive score of each slice among its negatives."""
    if len(positives.starts) == 2:
        return place(positives.scores, negatives.scores)
    starts = starts_of(positives.scores, positives.starts)
    scores = positives.scores[starts]
    bounds = starts.searchsorted(positives.starts)
    below = search(negatives, scores, bounds, "left")
    ends = np.repeat(negatives.starts[1:], np.diff(bounds))
    tied = _tied(negatives.scores, scores, below, ends, np.arange(len(below)))
    if not len(tied):
        return Placement(scores, starts, below, below)
    past = below.copy()
    past[tied] += 1  # most scores tie with one row
    if len(_tied(negatives.scores, scores, past, ends, tied)):
        past = search(negatives, scores, bounds, "right")
    return Placement(scores, starts, below, past)


def search(others: KeyedRun, scores: Array, bounds: Array, side: Literal["left", "right"]) -> Array:
    """The place of each score among the others of its slice; `bounds`: where slices start."""
    lows = others.starts.tolist()
    found = np.zeros(len(scores), np.int64)
    for number, (first, last) in enumerate(pairwise(bounds.tolist())):
        low, high = lows[number], lows[number + 1]
        if first < last and low < high:
            found[first:last] = others.scores[low:high].searchsorted(scores[first:last], side)
    found += np.repeat(others.starts[:-1], np.diff(bounds))
    return found


def _tied(others: Array, scores: Array, places: Array, ends: Array, some: Array) -> Array:
    """Those of some scores that equal the score at their place, if that is in their slice."""
    inside = some[places[some] < ends[some]]
    tied: Array = inside[others[places[inside]] == scores[inside]]
    return tied
