"""Pairs of truth and prediction by the compiled kernels."""

import numpy as np

from steelyard.kernels import _rust
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, Digits, OrderSums, PairAreas, RankedPairs
from steelyard.kernels.numpy.areas_of_pairs import has_few, pair_areas_of
from steelyard.kernels.numpy.inversions import inversions
from steelyard.kernels.numpy.pair_ranks import order_sums_by
from steelyard.kernels.rust.columns import integers, of_digits, packed
from steelyard.kernels.rust.levels import digit_columns
from steelyard.model import Mask

MOST_ROWS, HEAVIEST = 1 << 31, 2.0**61  # a sum of so much weight is held with a bit to spare


def order_sums(pairs: RankedPairs) -> OrderSums:
    """The sums of Kendall's correlation."""
    return order_sums_by(pairs, _inversions)


def pair_areas(
    edges: Array, positive: Mask, codes: Array, count: int, digits: Digits | None
) -> PairAreas:
    """Weights and doubled areas of each pair of slices."""
    columns = digit_columns(digits)
    if columns is None:
        return _numpy.pair_areas(edges, positive, codes, count, digits)
    rows = packed(edges, np.int64), packed(positive), packed(codes, np.uint32)
    few = has_few(positive)
    made = _rust.pair_areas(*rows, count, columns, few)
    words = np.frombuffer(made, np.uint64).reshape(-1, 4)
    points, others, areas = np.split(integers(words).astype(object), [count, 2 * count])
    ups, downs = (points, others) if few else (others, points)
    return pair_areas_of(ups, downs, areas.reshape(count, count), few)


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
