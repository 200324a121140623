"""Rows of both classes by slice and rising score, from chunks as they came."""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels.digits import shift
from steelyard.kernels.interface import (
    Array,
    Columns,
    Digits,
    KeyedRun,
    ScoreChunk,
    ScoreRows,
    SortedTable,
)
from steelyard.kernels.numpy.exact import to_digits
from steelyard.kernels.numpy.keyed import sort_keyed
from steelyard.kernels.row_blocks import blocks


def sorted_rows(rows: ScoreRows, slices: int, unit: int) -> SortedTable:
    """The rows of both classes by slice and rising score, sorted if they are not."""
    return rows if isinstance(rows, SortedTable) else sort_scores(rows, slices, unit)


def sort_scores(chunks: Sequence[ScoreChunk], slices: int, unit: int) -> SortedTable:
    """The rows of both classes by slice and rising score."""
    weights, are_raw = weight_columns(chunks, unit)
    codes = [(_codes(each),) if slices > 1 else () for each in chunks]
    clustered = all(each.clusters is not None for each in chunks)
    clusters = [(each.clusters,) if clustered else () for each in chunks]
    parts = [
        (each.scores, *own, *weight, *cluster)
        for each, own, weight, cluster in zip(chunks, codes, weights, clusters, strict=True)
    ]
    sides, found = split([each.positive for each in chunks], parts), []
    for scores, *columns in sides:
        own = columns.pop(0) if slices > 1 else None
        starts, scores, carried = sort_keyed(own, slices, scores, tuple(columns))
        digits: Digits | None = carried[: len(weights[0])] or None
        digits = to_digits(carried[0], unit) if are_raw else digits
        found.append((KeyedRun(starts, scores, digits), carried[-1] if clustered else None))
    (positives, up), (negatives, down) = found
    both = None if up is None or down is None else (up, down)
    return SortedTable(positives, negatives, unit, both)


def weight_columns(chunks: Sequence[ScoreChunk], unit: int) -> tuple[list[Columns], bool]:
    """The columns of weights of each chunk, and whether they are raw: digits only after the sort.

    Weights of one type are sorted as they are: a float32 with a float32 is one key.
    """
    raw = [(each.weights,) for each in chunks if isinstance(each.weights, np.ndarray)]
    if len(raw) == len(chunks) and len({column.dtype for (column,) in raw}) == 1:
        return list(raw), True
    return _digits(chunks, unit), False


def split(chosen: Sequence[Array], parts: Sequence[Columns]) -> tuple[Columns, Columns]:
    """The columns of the rows that are chosen, and of the rows that are not, in new arrays.

    chosen, parts: of each part a mask and its columns; a column is joined from all parts. Row
    numbers of a block are four times faster than a mask where both are equally common.
    """
    sizes = [int(np.count_nonzero(mask)) for mask in chosen]
    rows = (sum(sizes), sum(map(len, chosen)) - sum(sizes))
    types = [np.result_type(*columns) for columns in zip(*parts, strict=True)]
    sides = tuple(tuple(np.empty(size, kind) for kind in types) for size in rows)
    ends = [0, 0]
    for mask, given in zip(chosen, parts, strict=True):
        columns = [each.astype(kind, copy=False) for each, kind in zip(given, types, strict=True)]
        for block in blocks(len(mask)):
            for side, wanted in enumerate((mask[block], ~mask[block])):
                here = np.flatnonzero(wanted)
                start, ends[side] = ends[side], ends[side] + len(here)
                for column, part in zip(columns, sides[side], strict=True):
                    column[block].take(here, out=part[start : ends[side]], mode="clip")
    return sides[0], sides[1]


def _codes(chunk: ScoreChunk) -> Array:
    return np.zeros(len(chunk.scores), np.uint8) if chunk.codes is None else chunk.codes


def _digits(chunks: Sequence[ScoreChunk], unit: int) -> list[Digits]:
    """The weights of each chunk as equally many digits; none where each weight is 1."""
    if unit == 0 and all(chunk.weights is None for chunk in chunks):
        return [() for _ in chunks]
    found = [_chunk_digits(chunk, unit) for chunk in chunks]
    places = max(map(len, found))
    return [each + (np.zeros(len(each[0]), np.uint32),) * (places - len(each)) for each in found]


def _chunk_digits(chunk: ScoreChunk, unit: int) -> Digits:
    if chunk.weights is None:
        ones = shift((np.ones(len(chunk.scores), np.uint32),), -unit)
        return tuple(digit.astype(np.uint32) for digit in ones)
    return chunk.weights if isinstance(chunk.weights, tuple) else to_digits(chunk.weights, unit)
