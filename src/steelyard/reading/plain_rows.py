"""Plain rows: arrays that need no message and no choice, as one batch, in few calls.

Whatever is unusual is declined (None) without a word: the reader (`reader.py`) then looks at it
from the start, and says what is wrong.
"""

from functools import cache
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Reading, RequiredColumns
from steelyard.reading.batch import Batch
from steelyard.reading.grouping import GroupColumns, RowKeys, as_whole, positions
from steelyard.reading.labels import NARROW, LabelColumn, grades
from steelyard.reading.predictions import NumericPredictions
from steelyard.reading.row_numbers import KeptRows

MOST_ROWS = 1 << 16  # of more rows, what is saved is nothing, and declining them late is much
LABELS = frozenset(map(np.dtype, ("bool", "uint8", "int64", "float32", "float64")))
SCORES = frozenset(map(np.dtype, ("float32", "float64")))
NUMBERS = SCORES | {np.dtype("int64")}
WHOLE = 2**53  # float64 holds all whole numbers up to here
KEYS = frozenset(map(np.dtype, ("uint8", "int32", "uint32", "int64", "uint64")))


def are_plain(labels: Any, scores: Any, types: frozenset[np.dtype[Any]]) -> bool:
    """Whether they are two NumPy arrays of usual types and the same, small length.

    types: those of scores, or of predictions
    """
    if not (type(labels) is type(scores) is np.ndarray):  # no subclasses
        return False
    shape = labels.shape
    return (
        shape == scores.shape
        and len(shape) == 1
        and 0 < shape[0] <= MOST_ROWS
        and labels.dtype in LABELS
        and scores.dtype in types
        and _is_packed(labels)
        and _is_packed(scores)
    )


def are_keys(group: Any, rows: int) -> bool:
    """Whether it is a NumPy array with a whole number for each row."""
    return (
        type(group) is np.ndarray
        and group.shape == (rows,)
        and group.dtype in KEYS
        and _is_packed(group)
    )


def _is_packed(column: Array) -> bool:
    flags = column.flags
    return flags.c_contiguous and flags.aligned


def plain_batch(labels: Array, scores: Array, group: Any, needed: RequiredColumns) -> Batch | None:
    """The batch of plain arrays; group: the key of each row, if any."""
    if needed.document or needed.group_weights or needed.fields or needed.amounts:
        return None
    if needed.class_scores or needed.classes or (group is not None and not needed.group):
        return None
    if needed.numbers:
        return _numbers(labels, scores)
    groups = _groups(len(scores), group, needed) if needed.group else None
    if needed.group and groups is None:
        return None
    rows = _classes(labels, scores) if needed.binary else _grades(labels, scores)
    if rows is None or (needed.probability and rows["outside"]):
        return None
    return Batch(len(scores), plain_reading(scores.dtype), score=scores, groups=groups, **rows)


def _classes(labels: Array, scores: Array) -> dict[str, Any] | None:
    """The fields of a batch of two classes."""
    found = kernels.active().plain_rows(labels, scores)
    if found is None:
        return None
    return {
        "positive": labels.astype(bool, copy=False),
        "negative_label": None if found.positives == len(labels) else 0,
        "outside": found.least < 0 or found.largest > 1,
    }


def _grades(labels: Array, scores: Array) -> dict[str, Any] | None:
    """The fields of a batch of grades."""
    if not (labels.min() >= 0 and labels.max() <= NARROW):
        return None
    least, largest, (infinite,) = kernels.active().check_column(scores, ("finite",))
    if infinite.rows or not least <= largest:  # NaN
        return None
    grade = grades("", LabelColumn(labels, None, int))
    return {"positive": grade >= 1, "grade": grade, "outside": least < 0 or largest > 1}


def _numbers(truth: Array, prediction: Array) -> Batch | None:
    """The batch of two columns of numbers that float64 holds."""
    for column in (truth, prediction):
        least, largest, (infinite,) = kernels.active().check_column(column, ("finite",))
        if infinite.rows or not least <= largest:  # NaN
            return None
        if column.dtype.kind == "i" and not -WHOLE <= least <= largest <= WHOLE:
            return None
    both = (column.astype(np.float64, copy=False) for column in (truth, prediction))
    reading = plain_reading(np.dtype(np.float64))
    return Batch(len(truth), reading, numbers=NumericPredictions(*both))


def _groups(rows: int, group: Any, needed: RequiredColumns) -> GroupColumns | None:
    """The columns of group metrics; without a group, grades are one list."""
    if group is None:
        if not needed.graded:
            return None
        keys = np.zeros(rows, np.int64)
    elif are_keys(group, rows):
        keys = as_whole("", group, KeptRows())
    else:
        return None
    place = positions(KeptRows(), rows) if needed.position else None
    return GroupColumns((RowKeys(keys),), None, place)


@cache
def plain_reading(type_: np.dtype[Any]) -> Reading:
    """The reading conventions of a call without options."""
    return Reading(score_type=type_.name)
