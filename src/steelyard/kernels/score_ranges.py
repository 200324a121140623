"""Ranges of a sorted table: from one score of a slice to another of the same or of a later slice.

A range fits the cache. It never ends inside a tied block, so that two ranges of a slice have no
score in common.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import KeyedRun, SortedTable


class Bounds(NamedTuple):
    """The rows of a range: slices from `first` to before `last`, and their rows in each class.

    cut: whether it is a part of one slice
    """

    first: int
    last: int
    positives: tuple[int, int]
    negatives: tuple[int, int]
    cut: bool = False


def bounds_of_ranges(table: SortedTable, rows: int) -> Iterator[Bounds]:
    """The ranges of a table, by slice and rising score.

    rows: about how many rows of a class a range has; only a tied block can make it longer. A slice
    with more rows is alone in its ranges.
    """
    longest = max(len(table.positives.scores), len(table.negatives.scores))
    if len(table.positives.starts) == 2 and longest <= rows:  # as for most plain functions
        yield Bounds(0, 1, (0, len(table.positives.scores)), (0, len(table.negatives.scores)))
        return
    for group in _groups(table, rows):
        yield from _cut(table, group, rows) if group.cut else (group,)


def sides(table: SortedTable, bounds: Bounds) -> tuple[KeyedRun, KeyedRun]:
    """The rows of a range, of both classes."""
    if bounds.last == 1 and not bounds.cut and len(table.positives.starts) == 2:
        return table.positives, table.negatives
    chosen = slice(bounds.first, bounds.last)
    up = _part(table.positives, chosen, *bounds.positives)
    return up, _part(table.negatives, chosen, *bounds.negatives)


def _groups(table: SortedTable, rows: int) -> Iterator[Bounds]:
    """Adjacent slices of about so many rows together; a longer slice is alone."""
    up, down = table.positives.starts, table.negatives.starts
    longer = np.maximum(np.diff(up), np.diff(down))
    long = longer > rows
    bucket = np.cumsum(longer) // rows
    is_start = np.ones(len(longer) + 1, bool)
    is_start[1:-1] = (bucket[1:] != bucket[:-1]) | long[1:] | long[:-1]
    starts = np.flatnonzero(is_start).tolist()
    for first, last in pairwise(starts):
        yield Bounds(
            first,
            last,
            (int(up[first]), int(up[last])),
            (int(down[first]), int(down[last])),
            bool(long[first]),
        )


def _cut(table: SortedTable, whole: Bounds, rows: int) -> Iterator[Bounds]:
    """The ranges of one long slice."""
    sides = [
        side.scores[start:end]
        for side, (start, end) in zip(table[:2], (whole.positives, whole.negatives), strict=True)
    ]
    edges = np.unique(np.concatenate([scores[rows::rows] for scores in sides]))
    bounds = [
        [start, *(start + scores.searchsorted(edges)).tolist(), end]
        for scores, (start, end) in zip(sides, (whole.positives, whole.negatives), strict=True)
    ]
    for up, down in zip(*map(pairwise, bounds), strict=True):
        yield whole._replace(positives=up, negatives=down)


def _part(side: KeyedRun, slices: slice, start: int, end: int) -> KeyedRun:
    """The rows of a run from `start` to `end`, which are of these slices."""
    starts = side.starts[slices.start : slices.stop + 1].clip(start, end) - start
    rows = slice(start, end)
    digits = None if side.digits is None else tuple(digit[rows] for digit in side.digits)
    return KeyedRun(starts, side.scores[rows], digits)
