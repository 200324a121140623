"""Bins of equal width, and the exact weight of the rows in each."""

from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.kernels.digits import integers, sum_groups
from steelyard.kernels.interface import Digits
from steelyard.metrics.parameter import Parameter, count
from steelyard.model import Array, Floats
from steelyard.states.weights import digits_at

MOST_BINS = 10_000
SHARE = 2.0**-10  # of a large value: half the width of the bins around it


def bins_parameter(default: int, most: int = MOST_BINS) -> Parameter:
    return count("bins", default, most=most, means="how many bins of equal width there are")


def equal_edges(
    low: float, high: float, bins: int, kind: type[np.floating[Any]] = np.float64
) -> Floats:
    """low + (high − low)·i/bins, rounded once to float64 and then to the type of the values.

    One value has bins from half below it to half above, as those of numpy.histogram; further apart
    where it is so large that edges would be equal.

    >>> equal_edges(0.0, 1.0, 4).tolist(), equal_edges(3.0, 3.0, 2).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [2.5, 3.0, 3.5])
    """
    if low == high:
        low, high = _around(low, kind)
    (first, unit), (last, other) = (end.as_integer_ratio() for end in (low, high))
    both = max(unit, other)  # each is a power of two
    first, last = first * (both // unit), last * (both // other)
    # Python rounds a quotient of integers correctly, also where the width is beyond float64.
    edges = [(first * (bins - i) + last * i) / (both * bins) for i in range(bins + 1)]
    return np.array(edges).astype(kind).astype(np.float64)


def _around(value: float, kind: type[np.floating[Any]]) -> tuple[float, float]:
    largest, more = float(np.finfo(kind).max), max(0.5, abs(value) * SHARE)
    return float(kind(max(value - more, -largest))), float(kind(min(value + more, largest)))


def bin_numbers(values: Floats, edges: Floats) -> Array:
    """The bin of each value: from its lower edge to below its upper one; the last has both."""
    places = np.searchsorted(edges, values, side="right") - 1
    return np.minimum(places, len(edges) - 2)


def binned_sums(numbers: Array, bins: int, digits: Digits | None) -> Array:
    """The weight of the rows in each bin, as whole numbers.

    digits: the weights of the rows; None where each is 1
    """
    if digits is None:
        return np.bincount(numbers, minlength=bins)
    order, starts = kernels.active().bring_together(numbers, bins)
    ordered = digits_at(digits, order)
    assert ordered is not None
    return integers(sum_groups(ordered, starts))
