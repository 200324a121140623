"""Columns of the points of curves: by entry from columns by slice, and back."""

from typing import Any

import numpy as np

from steelyard.kernels.interface import Array, CurvePoints, Upwards


def spread(column: Array, starts: Array) -> Any:
    """A column by slice as a column by entry; of a single slice, its value."""
    if len(starts) == 2:
        return column.tolist()[0]
    return np.repeat(column, np.diff(starts))


def reduced(function: np.ufunc, column: Array, starts: Array, empty: float) -> Array:
    """A ufunc over the entries of each slice; `empty` where a slice has none."""
    if len(starts) == 2 and len(column):
        return np.array([function.reduce(column)], column.dtype)
    some = np.flatnonzero(np.diff(starts))
    found = np.full(len(starts) - 1, empty, column.dtype)
    if len(some):
        found[some] = function.reduceat(column, starts[some])
    return found


def last_entries(chosen: Array, starts: Array) -> Array:
    """The last entry of each slice that is chosen, −1: none."""
    if len(starts) == 2 and len(chosen):  # as for plain functions: without a column of places
        place = len(chosen) - 1 - int(chosen[::-1].argmax())
        return np.array([place if chosen[place] else -1])
    return reduced(np.maximum, np.where(chosen, np.arange(len(chosen)), -1), starts, -1)


def tp_and_fp(points: CurvePoints, upwards: Upwards) -> tuple[Array, Array]:
    """The weight of positives and of negatives at or above each score, in the type of `upwards`."""
    kind, firsts = upwards.positives.dtype, points.starts[:-1]
    if points.positives is None:
        before = np.arange(len(points.scores)).astype(kind, copy=False)
        top = upwards.positives + firsts
    else:
        sums = np.zeros(len(points.scores) + 1, kind)
        np.cumsum(points.positives.astype(kind, copy=False), out=sums[1:])
        before, top = sums[:-1], upwards.positives + sums[firsts]
    below = points.below.astype(kind, copy=False)
    tp: Array = spread(top, points.starts) - before
    return tp, spread(upwards.negatives, points.starts) - below
