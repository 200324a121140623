"""Sums of floats that do not depend on the order of rows, as fast as NumPy adds.

Values are rounded to a grid so coarse that every sum of them is a whole number of steps below
2**52, which float64 adds exactly. Of a million rows the step is 2**-32 of the largest value: enough
for standard errors and for a search. Values that users read are exact sums instead.
"""

import math

import numpy as np

from steelyard.model import Array, Floats

BITS = 52
LOWEST = -1074  # float64 has no lower power of two


def steady_sums(codes: Array, count: int, values: Array) -> Floats:
    """For each code below `count`, the sum of its values.

    >>> steady_sums(np.array([1, 0, 1]), 2, np.array([0.25, 1.0, -0.5])).tolist()
    [1.0, -0.25]
    """
    return np.bincount(codes, on_grid(values), minlength=count).astype(np.float64)


def on_grid(values: Array) -> Floats:
    """Values rounded so that any sum of them is exact."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0:
        return np.zeros(len(values))
    fraction, power = math.frexp(largest)  # the sum may be beyond float64
    power += math.frexp(fraction * len(values))[1] - BITS
    step = math.ldexp(1.0, max(power, LOWEST))
    whole: Floats = np.rint(values / step)
    whole *= step
    return whole


def steady_total(values: Array) -> float:
    """The sum of all values."""
    return float(steady_sums(np.zeros(len(values), np.intp), 1, values)[0])
