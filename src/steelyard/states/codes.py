"""Numbers that stand for slices and keys, in whatever type holds them."""

import numpy as np

from steelyard.model import Array


def count_of(codes: Array) -> int:
    """One more than the largest number, 0 where there are none."""
    return int(codes.max()) + 1 if len(codes) else 0


def ranks(order: Array, count: int) -> Array:
    """The place of each number in an order; numbers that are not in it have no rows."""
    found = np.zeros(max(count, count_of(order)), np.int64)
    found[order] = np.arange(len(order))
    return found
