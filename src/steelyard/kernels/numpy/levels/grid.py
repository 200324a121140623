"""A grid of block ends of all slices, about a hundred rows apart, and the block ends inside it.

Bins, isotonic regression and the range of cumulative differences depend on few of all block ends.
The grid shows between which of its points these can be, and only there both classes are merged.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from steelyard.kernels.interface import Array, KeyedRun
from steelyard.kernels.numpy.sorting import starts_of
from steelyard.kernels.ragged import running_sums, spread, steps

ROWS = 128  # of each class between two points of the grid; ties may make it more
MERGED = 1 << 15  # rows that are merged at a time: columns that fit the cache
LONG = 64  # rows of a range: longer ones are searched one by one, which costs 1 µs for each


class BlockEnds(NamedTuple):
    """Block ends by slice and rising score.

    slices: of each; positives, negatives: the first row of each class that is not below it
    """

    slices: Array
    positives: Array
    negatives: Array

    def take(self, chosen: Array) -> "BlockEnds":
        """Some of them."""
        return BlockEnds(*(column[chosen] for column in self))

    @property
    def keys(self) -> Array:
        """Numbers of the same order: none of the three columns ever falls."""
        keys: Array = self.slices + self.positives + self.negatives
        return keys


class Merged(NamedTuple):
    """The distinct positive scores of some ranges, and their places in the runs of both classes.

    slices, ranges: of each score; ranges are numbered by the point at their start
    positives: the first positive row with that score, and the first with a higher one
    negatives: the first negative row with that score or a higher one, and that with a higher one
    """

    slices: Array
    ranges: Array
    positives: tuple[Array, Array]
    negatives: tuple[Array, Array]


def grid(positives: KeyedRun, negatives: KeyedRun) -> BlockEnds:
    """The grid's points: of each slice from before its rows to after them.

    So between two neighbours are the rows of a range of one slice, or no rows.
    """
    count = len(positives.starts) - 1
    slices, scores = _samples(positives, negatives)
    if not len(scores):
        ends = (np.stack([side.starts[:-1], side.starts[1:]], 1) for side in (positives, negatives))
        return BlockEnds(np.repeat(np.arange(count), 2), *(column.ravel() for column in ends))
    sizes = np.bincount(slices, minlength=count) + 2
    starts = running_sums(sizes)
    columns = []
    for side in (positives, negatives):
        column = np.zeros(starts[-1], np.int64)
        column[starts[:-1]], column[starts[1:] - 1] = side.starts[:-1], side.starts[1:]
        inner = np.arange(len(scores)) + 1 + 2 * slices
        column[inner] = search(side, scores, slices, "left")
        columns.append(column)
    return BlockEnds(np.repeat(np.arange(count), sizes), *columns)


def in_order(parts: Sequence[BlockEnds]) -> BlockEnds:
    """Block ends by slice and rising score, repeated ones taken once."""
    ends = BlockEnds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    _, first = np.unique(ends.keys, return_index=True)
    return ends.take(first)


def _samples(positives: KeyedRun, negatives: KeyedRun) -> tuple[Array, Array]:
    """The slices and scores of every 128th row of each class in order, each score once."""
    sides = positives, negatives
    counts = [np.maximum(steps(side.starts) - 1, 0) // ROWS for side in sides]
    if not any(count.any() for count in counts):
        return np.zeros(0, np.int64), positives.scores[:0]
    slices, scores = [], []
    for side, count in zip(sides, counts, strict=True):
        places, of_slice = spread(np.ones(len(count), np.int64), count)
        slices.append(of_slice)
        scores.append(side.scores[side.starts[of_slice] + places * ROWS])
    number, score = np.concatenate(slices), np.concatenate(scores)
    order = np.lexsort((score, number))
    number, score = number[order], score[order]
    kept = starts_of(score, number.searchsorted(np.arange(len(positives.starts))))
    return number[kept], score[kept]


def merged(
    positives: KeyedRun, negatives: KeyedRun, points: BlockEnds, ranges: Array
) -> Iterator[Merged]:
    """The places of every distinct positive score of some ranges; some ranges at a time."""
    sizes = [column[ranges + 1] - column[ranges] for column in points[1:]]
    part = np.cumsum(sizes[0] + sizes[1]) // MERGED
    edges = [0, *((steps(part) > 0).nonzero()[0] + 1).tolist(), len(ranges)]
    for first, last in pairwise(edges if len(ranges) else ()):
        some = ranges[first:last]
        up, down = (
            _rows_of(side, column[some], size[first:last])
            for side, column, size in zip((positives, negatives), points[1:], sizes, strict=True)
        )
        yield _merged(up, down, points, some)


def _rows_of(side: KeyedRun, starts: Array, sizes: Array) -> KeyedRun:
    """The scores of some ranges, as slices of their own."""
    bounds = running_sums(sizes)
    if bounds[-1] == len(side.scores):
        return KeyedRun(bounds, side.scores, None)
    return KeyedRun(bounds, side.scores[spread(starts, sizes)[0]], None)


def _merged(positives: KeyedRun, negatives: KeyedRun, points: BlockEnds, ranges: Array) -> Merged:
    starts = starts_of(positives.scores, positives.starts)
    of_range = positives.starts.searchsorted(starts, "right") - 1
    scores = positives.scores[starts]
    below = search(negatives, scores, of_range, "left")
    past = _past_ties(negatives, scores, of_range, below)
    chosen = ranges[of_range]
    up, down = (
        (column[ranges] - run.starts[:-1])[of_range]
        for column, run in zip(points[1:], (positives, negatives), strict=True)
    )
    ends = np.append(starts[1:], len(positives.scores))
    return Merged(
        points.slices[chosen], chosen, (starts + up, ends + up), (below + down, past + down)
    )


def _past_ties(others: KeyedRun, scores: Array, ranges: Array, below: Array) -> Array:
    """The first row above each score, given the first row that is not below it."""
    inside = below < others.starts[ranges + 1]
    tied = np.flatnonzero(inside)
    tied = tied[others.scores[below[tied]] == scores[tied]]
    if not len(tied):
        return below
    past = below.copy()
    past[tied] = search(others, scores[tied], ranges[tied], "right")
    return past


def search(others: KeyedRun, scores: Array, slices: Array, side: Literal["left", "right"]) -> Array:
    """The place of each score among the others of its slice; slices never fall."""
    count = len(others.starts) - 1
    if len(others.scores) >= LONG * count or count == 1:
        found = others.starts[slices]
        bounds = slices.searchsorted(np.arange(count + 1)).tolist()
        starts = others.starts.tolist()
        for number, (first, last) in enumerate(pairwise(bounds)):
            if first < last:
                own = others.scores[starts[number] : starts[number + 1]]
                found[first:last] += own.searchsorted(scores[first:last], side)
        return found
    low, high = others.starts[slices], others.starts[slices + 1]
    below = np.less if side == "left" else np.less_equal
    while (open_ := low < high).any():
        middle = (low + high) >> 1
        higher = open_ & below(others.scores.take(middle, mode="clip"), scores)
        low = np.where(higher, middle + 1, low)
        high = np.where(higher, high, np.minimum(middle, high))
    return low
