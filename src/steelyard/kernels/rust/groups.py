"""Rows by group by the compiled kernels."""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, Digits, GroupAreas, GroupedRows
from steelyard.kernels.rust.columns import FURTHEST, integers, one_weight, packed, unsigned

MOST = 1 << 31  # rows, and numbers of groups and slices
RowsOfGroups = tuple[Array, int, Array, Array, Array | None, list[Array]]


def group_areas(
    rows: GroupedRows, weights: Array | Digits | None, unit: int, counts: Array | None
) -> tuple[GroupAreas, ...]:
    """The area of every group of each table: the total, and one for each column of slices."""
    given, column = grouped_columns(rows, None), one_weight(weights, unit)
    if given is None or abs(unit) > FURTHEST or (column is None and weights is not None):
        return _numpy.group_areas(rows, weights, unit, counts)
    if counts is not None and len(counts) * int(counts.max(initial=0)) >= 1 << 63:
        return _numpy.group_areas(rows, weights, unit, counts)
    counted = None if counts is None else packed(counts, np.int64)
    number = threads.for_rows(len(rows.codes))
    made = _rust.group_areas(given, column, unit, counted, number)
    if made is None:
        return _numpy.group_areas(rows, weights, unit, counts)
    return tuple(_table(columns, place > 0) for place, columns in enumerate(made))


def grouped_columns(rows: GroupedRows, unscored: Array | None) -> RowsOfGroups | None:
    """The rows as contiguous columns; None: they have no form."""
    wide = (codes for codes in rows.slices if codes.dtype.itemsize == 8)
    if max(rows.groups, len(rows.codes), *(int(codes.max(initial=0)) for codes in wide), 0) >= MOST:
        return None
    codes, slices = unsigned(rows.codes), [unsigned(codes) for codes in rows.slices]
    none = None if unscored is None else packed(unscored)
    return codes, rows.groups, packed(rows.scores), packed(rows.grades), none, slices


def _table(columns: Sequence[tuple[bytearray, str]], by_slice: bool) -> GroupAreas:
    groups, slices, *amounts = (column(*each) for each in columns)
    return GroupAreas(groups, slices if by_slice else None, *amounts)


def column(numbers: bytearray, kind: str) -> Array:
    """The column of an answer; words of 128 bits become Python integers."""
    found = np.frombuffer(numbers, kind)
    return integers(found.reshape(-1, 2)) if kind == "Q" else found
