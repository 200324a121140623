"""The points of curves and the areas under them: one class placed among the other, slice by slice.

Both classes are sorted, and read in ranges that fit the cache. Weights of a range are int64 where
the weight of each slice is below 2**62, else digits.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.digits import carry, dot, integers, sum_groups
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
from steelyard.kernels.numpy.exact import dot_groups
from steelyard.kernels.numpy.keyed import place_keyed, search, sum_between
from steelyard.kernels.numpy.score_sorting import sort_scores, sorted_rows
from steelyard.kernels.ragged import running_sums
from steelyard.kernels.score_ranges import bounds_of_ranges, sides

RANGE = 1 << 18  # rows of each class in a range: columns of 2 MB, which fit the cache
NARROW = 1 << DIGIT  # int64 holds a sum of products of weights of slices below this
FITS = 1 << 62  # int64 holds such a weight with a bit to spare


class PlacedScores(NamedTuple):
    """The distinct positive scores of a range, by slice, and the negatives below them and at them.

    first, last: the slices; starts: the first entry of each, and the end
    rows: the first positive of each entry, and the end; None where each has one
    own: the weight of the positives at each score, None: 1 each
    below, tied: the weight of the slice's negatives below it, and at it, None: 0 everywhere
    Weights are one column of int64 where that holds the weight of each slice, else digits.
    """

    first: int
    last: int
    starts: Array
    scores: Array
    rows: Array | None
    own: Digits | None
    below: Digits
    tied: Digits | None


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
        area[here] += 2 * _dot(each.own, each.below, each.starts, largest)
        if each.tied is not None:
            tied[here] += _dot(each.own, each.tied, each.starts, largest)
        if points:
            found.append((each, *(_whole(column, whole) for column in each[-3:])))
    columns = positives.astype(whole), negatives.astype(whole), *end_scores(table)
    joined = _joined(found, table.positives, whole) if points else None
    return CurveTotals(*columns, area + tied, tied), joined


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
class _Cumulative:
    """The weights of a run, added up; fits: int64 holds them, else they are digits."""

    def __init__(self, run: KeyedRun, fits: bool) -> None:
        self._fits, self._sums = fits, None
        if run.digits is not None:
            self._sums = tuple(map(running_sums, [integers(run.digits)] if fits else run.digits))

    def before(self, rows: Array) -> list[Array]:
        """The weight before each of these rows, digit by digit."""
        return [rows] if self._sums is None else [sums.take(rows) for sums in self._sums]

    def between(self, low: list[Array], high: list[Array]) -> Digits:
        """The difference of two such columns."""
        columns = [above - below for below, above in zip(low, high, strict=True)]
        return tuple(columns) if self._fits else carry(columns)


def _ranges(table: SortedTable, largest: int) -> Iterator[PlacedScores]:
    """The entries of each range; largest: the weight of the heaviest slice."""
    cut, under = -1, [0]  # the slice that ranges cut, and its negatives below this range
    for bounds in bounds_of_ranges(table, RANGE):
        up, down = sides(table, bounds)
        others = _Cumulative(down, largest < FITS)
        if not bounds.cut or bounds.first != cut:
            cut, under = bounds.first, [0] * len(others.before(down.starts[:1]))
        if len(up.scores):
            own = _Cumulative(up, largest < FITS)
            yield _entries(bounds.first, up, down, own, others, under)
        if bounds.cut:
            ends = (int(each[0]) for each in others.before(down.starts[-1:]))
            under = [sum(both) for both in zip(under, ends, strict=True)]


def _entries(
    first: int,
    up: KeyedRun,
    down: KeyedRun,
    own: _Cumulative,
    others: _Cumulative,
    under: Sequence[int],
) -> PlacedScores:
    """The entries of a range; under: the negatives of the slice below it, digit by digit."""
    scores, rows, low, past = place_keyed(up, down)
    starts = rows.searchsorted(up.starts)
    ends = weights = tied = None
    if len(rows) < len(up.scores) or up.digits is not None:
        ends = np.append(rows, len(up.scores))
        sums = own.before(ends)
        weights = own.between([each[:-1] for each in sums], [each[1:] for each in sums])
    below = others.before(low)
    if past is not low:
        tied = others.between(below, others.before(past))
    firsts = [
        _spread(each - less, starts)
        for each, less in zip(others.before(down.starts[:-1]), under, strict=True)
    ]
    last = first + len(up.starts) - 1
    return PlacedScores(
        first, last, starts, scores, ends, weights, others.between(firsts, below), tied
    )


def _spread(column: Array, starts: Array) -> Any:
    return column[0] if len(column) == 1 else np.repeat(column, np.diff(starts))


def _dot(own: Digits | None, other: Digits, starts: Array, largest: int) -> Array:
    """For each slice Σ own·other over its entries, as Python integers."""
    if largest < NARROW and len(starts) == 2:
        found = other[0].sum() if own is None else own[0] @ other[0]
        return np.array([int(found)], object)
    if largest < NARROW:
        return sum_between(other[0] if own is None else own[0] * other[0], starts).astype(object)
    own = (np.ones(len(other[0]), np.int64),) if own is None else own
    if largest < FITS:
        own, other = (_digits(each[0]) for each in (own, other))
    if len(starts) == 2:
        return np.array([dot(own, other)], object)
    return integers(dot_groups(own, other, starts)).astype(object)


def _digits(column: Array) -> Digits:
    """int64 below 2**62 as one or two digits."""
    return (column,) if column.max(initial=0) <= MASK else (column & MASK, column >> DIGIT)


def _joined(found: Sequence[Any], positives: KeyedRun, whole: Any) -> CurvePoints:
    """The points of all ranges: the entries of each, and their weights as whole numbers."""
    counts = np.zeros(len(positives.starts) - 1, np.int64)
    for each, *_ in found:
        counts[each.first : each.last] += np.diff(each.starts)
    own, below, tied = zip(*(columns for _, *columns in found), strict=True) if found else ([],) * 3
    plain = all(each.rows is None for each, *_ in found)
    return CurvePoints(
        running_sums(counts),
        positives.scores if plain else _one([each.scores for each, *_ in found]),
        _column(own, below, 1),
        _one(below) if found else np.zeros(0, whole),
        _column(tied, below, 0),
    )


def _column(parts: Sequence[Array | None], like: Sequence[Array], instead: int) -> Array | None:
    """The parts of a column as one; a part that is None is one number everywhere."""
    if all(part is None for part in parts):
        return None
    both = zip(parts, like, strict=True)
    return _one([np.full_like(b, instead) if part is None else part for part, b in both])


def _one(parts: Sequence[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _whole(digits: Digits | None, whole: Any) -> Any:
    """Weights as whole numbers of a type; of objects, int64 where that is enough."""
    if digits is None:
        return None
    found = integers(digits)
    return found if whole is object else found.astype(whole)


def _of_rows(table: SortedTable, largest: int) -> tuple[Array, Array]:
    """For each positive, by slice and rising score, the weight of negatives below it and at it."""
    whole = _whole_type(largest)
    below, tied = np.zeros((2, len(table.positives.scores)), whole)
    end = 0
    for each in _ranges(table, largest):
        size = len(each.scores) if each.rows is None else int(each.rows[-1])
        here, end = slice(end, end + size), end + size
        below[here] = _to_rows(integers(each.below), each.rows)
        if each.tied is not None:
            tied[here] = _to_rows(integers(each.tied), each.rows)
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
    lowest, highest = zip(*map(_ends, table[:2]), strict=True)
    return np.fmin(*lowest), np.fmax(*highest)


def _ends(run: KeyedRun) -> tuple[Array, Array]:
    """The first and the last score of each slice; NaN where it has no rows."""
    none = np.full(len(run.starts) - 1, np.nan)
    if len(run.scores) == 0:
        return none, none
    if len(none) == 1:  # as for plain functions
        return run.scores[:1].astype(np.float64), run.scores[-1:].astype(np.float64)
    some = run.starts[1:] > run.starts[:-1]
    lowest, highest = (
        np.where(some, run.scores.take(rows, mode="clip").astype(np.float64), none)
        for rows in (run.starts[:-1], run.starts[1:] - 1)
    )
    return lowest, highest


def _largest(positives: Array, negatives: Array) -> int:
    """The weight of the heaviest slice."""
    both = positives, negatives
    if any(each.dtype != object and each.max(initial=0) >= FITS for each in both):
        positives, negatives = (each.astype(object) for each in both)
    return int((positives + negatives).max(initial=0))


def _whole_type(largest: int) -> Any:
    """The narrowest type of whole numbers that holds the weight of every slice."""
    return np.uint32 if largest < 1 << 32 else np.int64 if largest < 1 << 63 else object


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
