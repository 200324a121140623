"""The points of curves and the areas under them: one class placed among the other, slice by slice.

Both classes are sorted, and read in ranges that fit the cache. Weights of a range are int64 where
the weight of each slice is below 2**62, else Python integers.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.interface import (
    DIGIT,
    MASK,
    Array,
    CurvePoints,
    CurveTotals,
    Digits,
    KeyedRun,
    Placements,
    ScoreChunk,
    ScoreRows,
    SortedTable,
)
from steelyard.kernels.numpy.exact import dot_groups, integers, sum_groups
from steelyard.kernels.numpy.keyed import place_keyed, search, sum_between
from steelyard.kernels.numpy.score_sorting import sort_scores, sorted_rows
from steelyard.kernels.ragged import running_sums
from steelyard.kernels.score_ranges import bounds_of_ranges, sides

RANGE = 1 << 18  # rows of each class in a range: columns of 2 MB, which fit the cache
NARROW = 1 << DIGIT  # int64 holds a sum of products of weights of slices below this
FITS = 1 << 62  # int64 holds such a weight with a bit to spare


class Entries(NamedTuple):
    """The distinct positive scores of a range, by slice, and the negatives below them and at them.

    first, last: the slices; starts: the first entry of each, and the end
    rows: the first positive of each entry, and the end; None where each has one
    own: the weight of the positives at each score, None: 1 each
    below, tied: the weight of the slice's negatives below it, and at it, None: 0 everywhere
    """

    first: int
    last: int
    starts: Array
    scores: Array
    rows: Array | None
    own: Array | None
    below: Array
    tied: Array | None


def curve_points(
    rows: ScoreRows, slices: int, unit: int, *, points: bool
) -> tuple[CurveTotals, CurvePoints | None]:
    """Areas, totals and, with `points`, the points of the curve of each slice."""
    table = sorted_rows(rows, slices, unit)
    positives, negatives = map(slice_weights, table[:2])
    largest = _largest(positives, negatives)
    whole = _whole_type(largest)
    area, tied = np.zeros((2, slices), object)
    found = []
    for each in _ranges(table, largest):
        here = slice(each.first, each.last)
        pairs = _dot(each.own, each.tied, each.starts, largest)
        tied[here] += pairs
        area[here] += 2 * _dot(each.own, each.below, each.starts, largest) + pairs
        if points:
            own, below, equal = (_as(whole, column) for column in each[-3:])
            found.append(each._replace(own=own, below=below, tied=equal))
    columns = positives.astype(whole), negatives.astype(whole), *end_scores(table)
    joined = _joined(found, table.positives, whole) if points else None
    return CurveTotals(*columns, area, tied), joined


def placements(rows: ScoreRows, slices: int, unit: int) -> Placements:
    """For each row, the weight of the other class of its slice below its score and at it."""
    table = rows if isinstance(rows, SortedTable) else sort_scores(_numbered(rows), slices, unit)
    largest = _largest(*map(slice_weights, table[:2]))
    exchanged = SortedTable(table.negatives, table.positives, unit)
    sides = [_of_rows(each, largest) for each in (table, exchanged)]
    below, tied = (np.concatenate(both) for both in zip(*sides, strict=True))
    if isinstance(rows, SortedTable) or table.clusters is None:
        return Placements(below, tied)
    order, found = np.concatenate(table.clusters), np.empty((2, len(below)), below.dtype)
    found[0][order], found[1][order] = below, tied
    return Placements(*found)


def next_above(rows: ScoreRows, slices: int, codes: Array, scores: Array) -> Array:
    """The lowest negative score of a slice above each of some scores; infinite without one."""
    others = rows.negatives if isinstance(rows, SortedTable) else _negatives(rows, slices)
    places = search(others, scores, codes.searchsorted(np.arange(slices + 1)), "right")
    inside = places < others.starts[1:].take(codes)
    found = np.full(len(scores), np.inf, scores.dtype)
    found[inside] = others.scores[places[inside]]
    return found


# --- ranges --------------------------------------------------------------------------------------
def _ranges(table: SortedTable, largest: int) -> Iterator[Entries]:
    """The entries of each range; largest: the weight of the heaviest slice."""
    kind: Any = np.int64 if largest < FITS else object
    cut, under = -1, 0  # the slice that ranges cut, and the weight of its negatives below this one
    for bounds in bounds_of_ranges(table, RANGE):
        up, down = sides(table, bounds)
        if not bounds.cut or bounds.first != cut:
            cut, under = bounds.first, 0
        sums = _sums(down, kind)
        if len(up.scores):
            yield _entries(bounds.first, up, down, sums, under, kind)
        under += len(down.scores) if sums is None else int(sums[-1])


def _entries(
    first: int, up: KeyedRun, down: KeyedRun, sums: Array | None, under: int, kind: Any
) -> Entries:
    """The entries of a range; sums: the weight before each negative and of all, None: its number.

    under: the weight of the slice's negatives below the range
    """
    scores, rows, below, past = place_keyed(up, down)
    starts = rows.searchsorted(up.starts)
    several = len(rows) < len(up.scores) or up.digits is not None
    ends = np.append(rows, len(up.scores)) if several else None
    own = None if ends is None else np.diff(_before(_sums(up, kind), ends))
    low = _before(sums, below)
    tied = None if past is below else _before(sums, past) - low
    base = _before(sums, down.starts[:-1]) - under
    low = low - (base[0] if len(base) == 1 else np.repeat(base, np.diff(starts)))
    return Entries(first, first + len(base), starts, scores, ends, own, low, tied)


def _sums(run: KeyedRun, kind: Any) -> Array | None:
    """The weight before each row and of all; None: each weight is 1, it is the row's number."""
    if run.digits is None:
        return None
    sums = np.zeros(len(run.scores) + 1, kind)
    np.cumsum(integers(run.digits).astype(kind, copy=False), out=sums[1:])
    return sums


def _before(sums: Array | None, rows: Array) -> Array:
    """The weight before each of these rows."""
    return rows if sums is None else sums.take(rows)


def _dot(own: Array | None, other: Array | None, starts: Array, largest: int) -> Array:
    """For each slice Σ own·other over its entries, as Python integers."""
    if other is None:
        return np.zeros(len(starts) - 1, object)
    if largest < NARROW or other.dtype == object:
        return sum_between(other if own is None else own * other, starts).astype(object)
    own = np.ones(len(other), np.int64) if own is None else own
    return integers(dot_groups(_two_digits(own), _two_digits(other), starts)).astype(object)


def _two_digits(column: Array) -> Digits:
    return column & MASK, column >> DIGIT


def _joined(found: Sequence[Entries], positives: KeyedRun, whole: Any) -> CurvePoints:
    """The points of all ranges."""
    counts = np.zeros(len(positives.starts) - 1, np.int64)
    for each in found:
        counts[each.first : each.last] += np.diff(each.starts)
    plain = all(each.rows is None for each in found)
    empty = np.zeros(0, whole)
    return CurvePoints(
        running_sums(counts),
        positives.scores if plain else np.concatenate([each.scores for each in found]),
        None if plain else np.concatenate([_column(each, each.own, 1) for each in found]),
        np.concatenate([each.below for each in found] or [empty]),
        None
        if all(each.tied is None for each in found)
        else np.concatenate([_column(each, each.tied, 0) for each in found]),
    )


def _column(entries: Entries, column: Array | None, instead: int) -> Array:
    """A column of entries, also where it is one number everywhere."""
    return np.full_like(entries.below, instead) if column is None else column


def _of_rows(table: SortedTable, largest: int) -> tuple[Array, Array]:
    """For each positive, by slice and rising score, the weight of negatives below it and at it."""
    whole = _whole_type(largest)
    below, tied = np.zeros((2, len(table.positives.scores)), whole)
    end = 0
    for each in _ranges(table, largest):
        size = len(each.scores) if each.rows is None else int(each.rows[-1])
        here, end = slice(end, end + size), end + size
        below[here] = _to_rows(each.below, each.rows)
        if each.tied is not None:
            tied[here] = _to_rows(each.tied, each.rows)
    return below, tied


def _to_rows(column: Array, rows: Array | None) -> Array:
    return column if rows is None else np.repeat(column, np.diff(rows))


# --- slices --------------------------------------------------------------------------------------
def slice_weights(side: KeyedRun) -> Array:
    """The weight of each slice's rows, as int64 or Python integers."""
    if side.digits is None:
        return np.diff(side.starts)
    return integers(sum_groups(side.digits, side.starts))


def end_scores(table: SortedTable) -> tuple[Array, Array]:
    """The lowest and the highest score of each slice, as float64; NaN where it has no rows."""
    runs = table[:2]
    lowest = np.fmin(*(_scores_at(run, run.starts[:-1]) for run in runs))
    return lowest, np.fmax(*(_scores_at(run, run.starts[1:] - 1) for run in runs))


def _scores_at(run: KeyedRun, rows: Array) -> Array:
    """The score of one row of each slice; NaN where it has no rows."""
    found = np.full(len(rows), np.nan)
    some = np.flatnonzero(np.diff(run.starts))
    found[some] = run.scores[rows[some]]
    return found


def _largest(positives: Array, negatives: Array) -> int:
    """The weight of the heaviest slice."""
    both = zip(positives.tolist(), negatives.tolist(), strict=True)
    return max((up + down for up, down in both), default=0)


def _whole_type(largest: int) -> Any:
    """The narrowest type of whole numbers that holds the weight of every slice."""
    return np.uint32 if largest < 1 << 32 else np.int64 if largest < 1 << 63 else object


def _as(whole: Any, column: Array | None) -> Any:
    return None if column is None else column.astype(whole)


def _numbered(chunks: Sequence[ScoreChunk]) -> list[ScoreChunk]:
    """The chunks with the numbers of their rows as clusters, which the sort keeps."""
    starts = accumulate((len(each.scores) for each in chunks), initial=0)
    return [
        each._replace(clusters=np.arange(start, start + len(each.scores), dtype=np.uint32))
        for each, start in zip(chunks, starts, strict=False)
    ]


def _negatives(chunks: Sequence[ScoreChunk], slices: int) -> KeyedRun:
    """The negatives by slice and rising score, without weights."""
    plain = [each._replace(weights=None, clusters=None) for each in chunks]
    return sort_scores(plain, slices, 0).negatives
