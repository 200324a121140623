"""The slice of each row, alone or crossed: codes that stand for tuples of keys."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Array, Key, Mask
from steelyard.reading.batch import Field, Slices
from steelyard.sources.blocks import Column


def slices(columns: Sequence[Column], kept: Mask | None) -> Slices:
    """One `by` of a block: the slices that occur, and which of them each kept row is in."""
    codes, keys = _alone(columns[0])
    tuples: list[tuple[Key, ...]] = [(key,) for key in keys]
    for column in columns[1:]:
        more, keys = _alone(column)
        codes = codes.astype(np.int64) * len(keys) + more
        used, codes = _used(codes, len(tuples) * len(keys))
        tuples = [(*tuples[pair // len(keys)], keys[pair % len(keys)]) for pair in used]
    gone = codes[:0] if kept is None else codes[~kept]
    codes = codes if kept is None else codes[kept]
    return Slices(tuples, codes, np.bincount(gone, minlength=len(tuples)))


def field(column: Column, kept: Mask | None) -> Field:
    """What kept rows are told apart by, as a `by` of that column alone would."""
    codes, keys = _alone(column)
    return Field(codes if kept is None else codes[kept], keys)


def present(slices: Slices, rows: Mask | Array) -> Slices:
    """The same slices of fewer rows, or of rows made of these."""
    return slices._replace(codes=slices.codes[rows])


def _alone(column: Column) -> tuple[Array, list[Key]]:
    """Codes and keys of one column; the rows without a value are a slice of their own."""
    assert column.words is not None
    keys = list(column.words)
    if column.missing is None or not column.missing.any():
        return column.values, keys
    codes = column.values.astype(np.min_scalar_type(len(keys)))
    codes[column.missing] = len(keys)
    return codes, [*keys, None]


def _used(codes: Array, count: int) -> tuple[list[int], Array]:
    """The codes that occur, and each row's place among them."""
    if count > max(len(codes), 1 << 16):
        used, places = np.unique(codes, return_inverse=True)
        return used.tolist(), places
    seen = np.bincount(codes, minlength=count) > 0
    places = np.cumsum(seen) - 1
    return np.flatnonzero(seen).tolist(), places[codes]
