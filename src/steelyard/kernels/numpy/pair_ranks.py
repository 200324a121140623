"""Exact rank statistics of pairs of truth and prediction, for all slices at once.

Sums use 2B + w, which is never negative.
"""

from collections.abc import Callable

import numpy as np

from steelyard.kernels.digits import carry, integers
from steelyard.kernels.interface import (
    Array,
    Digits,
    GiniSums,
    MiddleErrors,
    OrderSums,
    RankedPairs,
    RankedValues,
    RankSums,
)
from steelyard.kernels.numpy.exact import lowest_bit, to_digits
from steelyard.kernels.numpy.inversions import inversions
from steelyard.kernels.numpy.keyed import sort_keyed
from steelyard.kernels.numpy.products import dot_between, times, total_between
from steelyard.kernels.numpy.sorting import starts_of
from steelyard.kernels.ragged import running_sums
from steelyard.model import Floats

# Of codes, starts and digits, as `inversions` takes them.
Inversions = Callable[[Array, Array, Digits | None], Array]


def rank_values(starts: Array, values: Floats, digits: Digits | None) -> RankedValues:
    """The ranks of one column."""
    ordered, rows = _sorted(starts, values)
    first = starts_of(ordered, starts)
    ends = np.append(first, len(rows))
    codes = np.empty(len(rows), np.int64)
    codes[rows] = np.repeat(np.arange(len(first)), np.diff(ends))
    value_starts = first.searchsorted(starts)
    slice_starts = np.repeat(starts[:-1], np.diff(value_starts))
    running = _running(digits, rows)
    sizes = carry([np.diff(sums[ends]) for sums in running])
    doubled = carry([sums[first] + sums[ends[1:]] - 2 * sums[slice_starts] for sums in running])
    return RankedValues(value_starts, codes, ordered[first], sizes, doubled)


def rank_sums(pairs: RankedPairs) -> RankSums:
    """The sums of Spearman's correlation."""
    left, right = _of_rows(pairs.truth), _of_rows(pairs.prediction)
    both = dot_between(_weighted(left, pairs.digits), right, pairs.starts)
    truth, prediction = map(_sum_squares, (pairs.truth, pairs.prediction))
    return RankSums(both, truth, prediction, _weights(pairs))


def _sum_squares(ranked: RankedValues) -> Array:
    """Σ w·(2B + w)² over the distinct values."""
    return dot_between(times(ranked.sizes, ranked.doubled), ranked.doubled, ranked.starts)


def order_sums(pairs: RankedPairs) -> OrderSums:
    """The sums of Kendall's correlation."""
    return order_sums_by(pairs, inversions)


def order_sums_by(pairs: RankedPairs, inversions: Inversions) -> OrderSums:
    """By Knight's rule: with rows by truth, inversions of predictions are discordant pairs."""
    truth, prediction = pairs.truth, pairs.prediction
    keys = truth.codes * len(prediction.values) + prediction.codes
    order = np.argsort(keys, kind="stable")
    first = starts_of(keys[order])
    ends = np.append(first, len(keys))
    sizes = carry([np.diff(sums[ends]) for sums in _running(pairs.digits, order)])
    alike = dot_between(sizes, sizes, first.searchsorted(pairs.starts))
    all_ = _weights(pairs) ** 2
    ties = [dot_between(each.sizes, each.sizes, each.starts) for each in (truth, prediction)]
    untied = all_ - ties[0] - ties[1] + alike
    digits = None if pairs.digits is None else tuple(digit[order] for digit in pairs.digits)
    codes = prediction.codes[order] - np.repeat(prediction.starts[:-1], np.diff(pairs.starts))
    disordered = inversions(codes, pairs.starts, digits)
    return OrderSums(untied - 4 * disordered, all_ - ties[0], all_ - ties[1])


def gini_sums(pairs: RankedPairs) -> GiniSums:
    """The sums of the normalized Gini."""
    ranked = pairs.truth
    values = np.maximum(ranked.values, 0.0)
    unit = lowest_bit(values)
    whole = to_digits(values, unit)
    truths = _weighted(tuple(digit[ranked.codes] for digit in whole), pairs.digits)
    by_prediction, by_truth = (
        dot_between(truths, _of_rows(column), pairs.starts) for column in (pairs.prediction, ranked)
    )
    weights, units = _weights(pairs), np.full(len(pairs.starts) - 1, unit, object)
    return GiniSums(by_prediction, by_truth, total_between(truths, pairs.starts), weights, units)


def middle_errors(
    starts: Array,
    truth: Floats,
    prediction: Floats,
    digits: Digits | None,
    middles: Array | None = None,
) -> MiddleErrors:
    """The two values whose mean is the weighted median of |p − y|."""
    with np.errstate(over="ignore"):
        sizes, rows = _sorted(starts, np.abs(prediction - truth))
    some = np.flatnonzero(np.diff(starts))
    first, end = starts[some], starts[some + 1]
    lower, upper = (np.full(len(starts) - 1, np.nan) for _ in range(2))
    if middles is not None:
        places = _halves(_running(digits, rows), first, end, middles[some])
    elif digits is None:
        row = first + (end - first + 1) // 2
        places = row - 1, np.where(2 * (row - first) == end - first, row, row - 1)
    else:
        places = _halves(_running(digits, rows), first, end)
    for column, place in zip((lower, upper), places, strict=True):
        if middles is None:
            column[some] = sizes[place]
        else:
            inside = (place >= first) & (place < end)
            column[some[inside]] = sizes[place[inside]]
    return MiddleErrors(lower, upper)


def _halves(
    running: list[Array], first: Array, end: Array, wanted: Array | None = None
) -> tuple[Array, Array]:
    """For each slice the first row up to which twice the weight is what is wanted, or more.

    And the first up to which it is more; -1 or the end of the slice where there is none in it.
    wanted: None: the weight of the slice. All slices are bisected at once.
    """

    def doubled(rows: Array) -> Array:
        parts = carry([2 * (sums[rows] - sums[first]) for sums in running])
        return integers(parts)

    if wanted is None:
        wanted = integers(carry([sums[end] - sums[first] for sums in running]))
    low, high = first, end
    while (low < high).any():
        middle = (low + high) // 2
        reached = doubled(np.minimum(middle + 1, end)) >= wanted
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    half = (high < end) & (doubled(np.minimum(high + 1, end)) == wanted)
    return np.where(wanted > 0, high, -1), np.where(wanted < 0, -1, high + half)


# --- columns by slice ----------------------------------------------------------------------------
def _sorted(starts: Array, values: Floats) -> tuple[Floats, Array]:
    """The values by slice and rising value, and the row of each."""
    slices = None if len(starts) == 2 else np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows = np.arange(len(values))
    found = sort_keyed(slices, len(starts) - 1, values.copy(), (rows,))  # it overwrites them
    return found.scores, found.columns[0]


def _running(digits: Digits | None, rows: Array) -> list[Array]:
    """Digit by digit, the weight before each of these rows, and of all."""
    if digits is None:
        return [np.arange(len(rows) + 1)]
    return [running_sums(digit[rows]) for digit in digits]


def _of_rows(ranked: RankedValues) -> Digits:
    """2B + w of each row."""
    return tuple(digit[ranked.codes] for digit in ranked.doubled)


def _weights(pairs: RankedPairs) -> Array:
    """The weight of each slice."""
    if pairs.digits is None:
        return np.diff(pairs.starts).astype(object)
    return total_between(pairs.digits, pairs.starts)


def _weighted(column: Digits, digits: Digits | None) -> Digits:
    return column if digits is None else times(digits, column)
