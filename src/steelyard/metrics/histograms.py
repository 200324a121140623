"""Bins of equal width, and the exact weight of the rows in each."""

from fractions import Fraction

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Digits
from steelyard.metrics.division import rounded, weights_of
from steelyard.metrics.parameter import Parameter, count
from steelyard.model import Array, Floats
from steelyard.states.weights import digits_at

MOST_BINS = 10_000
HALF = Fraction(1, 2)
TOLD_APART = 2**38  # of a number in so many parts, float64 tells 10,000 apart
LARGEST = Fraction(np.finfo(np.float64).max)


def bins_parameter(default: int, most: int = MOST_BINS) -> Parameter:
    return count("bins", default, most=most, means="how many bins of equal width there are")


def equal_edges(low: float, high: float, bins: int) -> Floats:
    """The edges of bins of equal width, each rounded once, also where high − low overflows.

    One value has bins from half below it to half above, as those of numpy.histogram; further apart
    where float64 would not tell them apart.

    >>> equal_edges(0.0, 1.0, 4).tolist(), equal_edges(3.0, 3.0, 2).tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [2.5, 3.0, 3.5])
    """
    first, last = Fraction(low), Fraction(high)
    if first == last:
        half = max(HALF, abs(first) / TOLD_APART)
        first, last = max(first - half, -LARGEST), min(last + half, LARGEST)
    step = (last - first) / bins
    return np.array([rounded(first + place * step) for place in range(bins + 1)])


def bin_numbers(values: Floats, edges: Floats) -> Array:
    """The bin of each value: from its lower edge to below its upper one; the last has both."""
    places = np.searchsorted(edges, values, side="right") - 1
    return np.minimum(places, len(edges) - 2)


def binned_weights(numbers: Array, bins: int, digits: Digits | None, unit: int) -> Array:
    """The weight of the rows in each bin: int64, or float64 where one is not a whole number.

    digits: the weights of the rows in multiples of 2**unit; None where each is 1
    """
    if digits is None:
        return np.bincount(numbers, minlength=bins)
    kernel = kernels.active()
    order, starts = kernel.bring_together(numbers, bins)
    ordered = digits_at(digits, order)
    assert ordered is not None
    return weights_of(kernel.integers(kernel.sum_groups(ordered, starts)).tolist(), unit)
