"""Slice and key numbers, which may have any integer type."""

import numpy as np

from steelyard.model import Array


def count_of(codes: Array) -> int:
    """One more than the largest number; 0 where there are none."""
    return int(codes.max()) + 1 if len(codes) else 0


def ranks(order: Array, count: int) -> Array:
    """The place of each number in an order; 0 for numbers that are not in it."""
    found = np.zeros(max(count, count_of(order)), np.int64)
    found[order] = np.arange(len(order))
    return found


def checked_sizes(sizes: Array, count: int, rows: int) -> Array:
    """The row counts of `count` slices, from bytes; a ValueError where they do not fit the rows."""
    # A sum of sizes above `rows` might not fit int64.
    within = (sizes >= 0) & (sizes <= rows)
    if sizes.dtype != np.int64 or len(sizes) != count or not within.all():
        raise ValueError("invalid slice sizes")
    if int(sizes.sum()) != rows:
        raise ValueError("slices that do not fit the rows")
    return sizes
