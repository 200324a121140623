"""Sorted rows with equal scores as one row: an expression of two columns, as fast as a kernel."""

import numpy as np

from steelyard.kernels.digits import carry, sum_groups
from steelyard.kernels.interface import KeyedRun
from steelyard.kernels.numpy.sorting import starts_of
from steelyard.kernels.ragged import steps


def collapse(rows: KeyedRun) -> KeyedRun:
    """One row for each distinct score of each slice, with its total weight."""
    first = starts_of(rows.scores, rows.starts)
    if len(first) == len(rows.scores):
        return rows
    bounds = np.append(first, len(rows.scores))
    digits = carry([steps(bounds)]) if rows.digits is None else sum_groups(rows.digits, bounds)
    return KeyedRun(first.searchsorted(rows.starts), rows.scores[first], digits)
