"""What group metrics read beside label, score and weight: keys, documents, weights of groups."""

import numpy as np

from steelyard import errors
from steelyard.batch import Column, Dictionary, Keys, Rows
from steelyard.model import Array, Key


def group_keys(name: str, column: Column, rows: Rows, words: Dictionary) -> Keys:
    """The keys of groups: 64-bit whole numbers, or the numbers of words."""
    if column.words is None:
        return Keys(_whole(name, column.values, rows))
    if all(isinstance(word, int) and -(2**63) <= word < 2**64 for word in column.words):
        whole = np.array([int(word or 0) for word in column.words] or [0])
        return Keys(_whole(name, whole[column.values], rows))
    if any(isinstance(word, float) for word in column.words):
        numbers = np.array([_number(word) for word in column.words])[column.values]
        return Keys(_whole(name, numbers, rows))
    return documents(column, words)


def documents(column: Column, words: Dictionary) -> Keys:
    """What rows are about, by its text."""
    assert column.words is not None
    numbers = words.number([str(word) for word in column.words])
    return Keys(numbers[column.values] if len(numbers) else column.values.astype(np.int64), words)


def _number(word: Key) -> float:
    return float(word) if isinstance(word, int | float) else float("nan")


def _whole(name: str, values: Array, rows: Rows) -> Array:
    """Keys as int64, or uint64 where they are larger; floats that are whole are whole numbers."""
    if values.dtype == np.uint64:
        return values if values.max(initial=0) >= 2**63 else values.astype(np.int64)
    if values.dtype.kind != "f":
        return values.astype(np.int64, copy=False)
    with np.errstate(invalid="ignore"):
        whole = values.astype(np.int64)
        bad = (whole != values) | (np.abs(values) >= 2**63)
    if bad.any():
        value = repr(values[bad.argmax()].item())
        raise errors.BAD_GROUP(name=name, **rows.where(bad), value=value)
    return whole


def positions(rows: Rows, count: int) -> Array:
    """The numbers that rows have in their source."""
    kept = np.arange(count) if rows.kept is None else np.flatnonzero(rows.kept)
    return kept + rows.start
