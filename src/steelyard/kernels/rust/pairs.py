"""Pairs of truth and prediction by the compiled kernels."""

import numpy as np

from steelyard.kernels import _rust
from steelyard.kernels.interface import Array, Digits, OrderSums, RankedPairs
from steelyard.kernels.numpy.inversions import inversions
from steelyard.kernels.numpy.pair_ranks import order_sums_by
from steelyard.kernels.rust.columns import integers, of_digits, packed

MOST_ROWS, HEAVIEST = 1 << 31, 2.0**61  # a sum of so much weight is held with a bit to spare


def order_sums(pairs: RankedPairs) -> OrderSums:
    """The sums of Kendall's correlation."""
    return order_sums_by(pairs, _inversions)


def _inversions(codes: Array, starts: Array, digits: Digits | None) -> Array:
    """For each slice, Σ of weight times weight over pairs whose later row has the lower code."""
    weights = None if digits is None else of_digits(digits)
    if digits is not None and (weights is None or float(weights.sum(dtype=float)) > HEAVIEST):
        return inversions(codes, starts, digits)
    if len(codes) >= MOST_ROWS:
        return inversions(codes, starts, digits)
    made = _rust.inversions(packed(codes, np.uint32), weights, packed(starts, np.int64))
    sums = integers(np.frombuffer(made, np.uint64).reshape(-1, 2))
    return sums.astype(object)
