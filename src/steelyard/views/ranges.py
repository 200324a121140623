"""Ranges of a score table: from one score of a slice to another of the same or of a later slice.

In memory a range fits the cache; on disk or a cluster it is a file or a task. A range never ends
inside a tied block, so that two ranges of a slice have no score in common.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import KeyedRun
from steelyard.states.score_table import SortedTable
from steelyard.states.weights import digits_at, run_weight


class Bounds(NamedTuple):
    """The rows of a range: slices from `first` to before `last`, and their rows in each class.

    cut: whether it is a part of one slice
    """

    first: int
    last: int
    positives: tuple[int, int]
    negatives: tuple[int, int]
    cut: bool = False


class Below(NamedTuple):
    """The weight of each class below a range, in its slice."""

    positives: int
    negatives: int


NOTHING_BELOW = Below(0, 0)


def ranges(table: SortedTable, rows: int) -> Iterator[tuple[Bounds, Below]]:
    """The ranges of a table, by slice and rising score, and what is below each.

    rows: about how many rows of a class a range has; only a tied block can make it longer. A slice
    with more rows is alone in its ranges.
    """
    if _is_short(table, rows):
        yield (
            Bounds(0, 1, (0, len(table.positives.scores)), (0, len(table.negatives.scores))),
            NOTHING_BELOW,
        )
        return
    for group in _groups(table, rows):
        below = NOTHING_BELOW
        for bounds in _cut(table, group, rows) if group.cut else (group,):
            yield bounds, below
            if group.cut:
                up, down = sides(table, bounds)
                below = Below(
                    below.positives + run_weight(up.run), below.negatives + run_weight(down.run)
                )


def _is_short(table: SortedTable, rows: int) -> bool:
    """Whether the table is one slice in one range, as for most plain functions."""
    longest = max(len(table.positives.scores), len(table.negatives.scores))
    return len(table.positives.starts) == 2 and longest <= rows


def sides(table: SortedTable, bounds: Bounds) -> tuple[KeyedRun, KeyedRun]:
    """The rows of a range, of both classes."""
    if bounds.last == 1 and not bounds.cut and len(table.positives.starts) == 2:
        return table.positives, table.negatives
    chosen = slice(bounds.first, bounds.last)
    up = _part(table.positives, chosen, *bounds.positives)
    return up, _part(table.negatives, chosen, *bounds.negatives)


def lowest_above(table: SortedTable, bounds: Bounds) -> float:
    """The lowest score above a range that is a part of a slice; infinite where there is none."""
    found = np.inf
    for side, (_, end) in zip(table[:2], (bounds.positives, bounds.negatives), strict=True):
        if bounds.cut and end < side.starts[bounds.last]:
            found = min(found, float(side.scores[end]))
    return found


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
    return KeyedRun(starts, side.scores[rows], digits_at(side.digits, rows))
