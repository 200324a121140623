"""Sorted tables by the compiled kernels: a row carries a column of 32 bits, or its number."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import (
    Array,
    Columns,
    KeyedRun,
    ScoreChunk,
    ScoreRows,
    SortedTable,
)
from steelyard.kernels.numpy.score_sorting import weight_columns
from steelyard.kernels.rust.columns import ChunkColumns, packed, unsigned

CARRIED = 4  # bytes


class SortedSide(NamedTuple):
    """The rows of one class; carried: what each row has beside it, None: nothing."""

    starts: Array
    scores: Array
    carried: Array | None

    @property
    def places(self) -> Array:
        """What is carried, as numbers of rows."""
        assert self.carried is not None
        return self.carried


def sort_scores(chunks: Sequence[ScoreChunk], slices: int, unit: int) -> SortedTable:
    """The rows of both classes by slice and rising score."""
    weights, are_raw = weight_columns(chunks, unit)
    clustered = all(each.clusters is not None for each in chunks)
    columns = [
        own if each.clusters is None or not clustered else (*own, each.clusters)
        for own, each in zip(weights, chunks, strict=True)
    ]
    number = threads.for_rows(sum(len(each.scores) for each in chunks))
    sorted_ = _sorted(chunks, slices, columns, number)
    if sorted_ is None:
        return _numpy.sort_scores(chunks, slices, unit)
    runs: list[KeyedRun] = []
    clusters: list[Array] = []
    for side, carried in sorted_:
        digits = carried[:-1] if clustered else carried
        digits = _numpy.to_digits(digits[0], unit) if are_raw else digits
        runs.append(KeyedRun(side.starts, side.scores, digits or None))
        clusters += carried[-1:]
    both = (clusters[0], clusters[1]) if clustered else None
    return SortedTable(runs[0], runs[1], unit, both)


def next_above(rows: ScoreRows, slices: int, codes: Array, scores: Array) -> Array:
    """The lowest negative score of a slice above each of some scores; infinite without one.

    A search of few scores is NumPy's; the sort before it takes all the time.
    """
    if not isinstance(rows, SortedTable):
        rows = sort_scores([each._replace(weights=None, clusters=None) for each in rows], slices, 0)
    return _numpy.next_above(rows, slices, codes, scores)


def _sorted(
    chunks: Sequence[ScoreChunk], slices: int, columns: Sequence[Columns], number: int
) -> list[tuple[SortedSide, Columns]] | None:
    """Both classes with their columns; None: the kernel declines."""
    types = [np.result_type(*same) for same in zip(*columns, strict=True)]
    own = len(types) == 1 and types[0].itemsize == CARRIED
    carried: Sequence[Array | None] = [None for _ in chunks]
    if own:
        carried = [packed(column, types[0]).view(np.uint32) for (column,) in columns]
    elif types:
        carried = row_numbers(chunks)
    sides = _empty_sides(chunks, slices, bool(types))
    if not _rust.sort_scores(
        [_columns(*each) for each in zip(chunks, carried, strict=True)], slices, sides, number
    ):
        return None
    if not types:
        return [(side, ()) for side in sides]
    if own:
        return [(side, (side.places.view(types[0]),)) for side in sides]
    same_columns = zip(zip(*columns, strict=True), types, strict=True)
    joined = [_joined(same, type_) for same, type_ in same_columns]
    return [(side, tuple(_taken(each, side.places, number) for each in joined)) for side in sides]


def _columns(chunk: ScoreChunk, carried: Array | None) -> ChunkColumns:
    codes = None if chunk.codes is None else unsigned(chunk.codes)
    return codes, packed(chunk.scores), packed(chunk.positive), carried


def row_numbers(chunks: Sequence[ScoreChunk]) -> list[Array]:
    """The number of each row, one chunk after the other."""
    starts = accumulate((len(each.scores) for each in chunks), initial=0)
    return [
        np.arange(start, start + len(each.scores), dtype=np.uint32)
        for each, start in zip(chunks, starts, strict=False)
    ]


def _empty_sides(chunks: Sequence[ScoreChunk], slices: int, carries: bool) -> list[SortedSide]:
    """The columns of both classes, to be written."""
    rows = sum(len(each.scores) for each in chunks)
    positives = sum(int(np.count_nonzero(each.positive)) for each in chunks)
    return [
        SortedSide(
            np.empty(slices + 1, np.int64),
            np.empty(count, chunks[0].scores.dtype),
            np.empty(count, np.uint32) if carries else None,
        )
        for count in (positives, rows - positives)
    ]


def _joined(columns: Sequence[Array], type_: np.dtype[Any]) -> Array:
    """One column of those of all chunks."""
    return packed(columns[0], type_) if len(columns) == 1 else np.concatenate(columns, dtype=type_)


def _taken(column: Array, places: Array, number: int) -> Array:
    """The numbers of a column at some places."""
    found = np.empty(len(places), column.dtype)
    words = f"u{column.dtype.itemsize}"
    _rust.gather(column.view(words), places, found.view(words), number)
    return found
