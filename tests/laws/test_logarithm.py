"""ln(1+z)/z and 1 − ln(1+z)/z against Decimal's logarithm, which is correctly rounded.

Bounds in units of the last place of the true value, and where they come from:

z ≤ 1: y is rounded once, the tail is at most 0.06 of the result and its error with it, the product
    and the last subtraction take one rounding each: 2 units for 1 − ln(1+z)/z. Its complement lies
    above 0.69, where the unit is at least as large, and 1 − small adds half a unit: 1.
z > 1: (m−1)/(m+1), the tail's product, the sum of the low part, the sum with the high part (itself
    exact) and the division by z are rounded: five half units, 2.5 for either.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from steelyard.kernels.logarithms import one_minus_log1p_ratio
from steelyard.model import Array

SMALL_BOUNDS = (2.0, 1.0)
LARGE_BOUNDS = (2.5, 2.5)

RANDOM = np.random.default_rng(3)
GRID = np.concatenate(
    [
        10.0 ** RANDOM.uniform(-300, 300, 600),  # the whole range
        10.0 ** RANDOM.uniform(-20, 20, 1000),  # where anything happens
        RANDOM.uniform(0.5, 1.0, 500),  # the end of the series
        RANDOM.uniform(1.0, 1.1, 500),  # the start of the reduction, where bounds are reached
        RANDOM.uniform(1.0, 4.0, 500),
        2.0 ** np.arange(-60, 61),  # powers of two, and their neighbours
        2.0 ** np.arange(-60, 61) * (1 + 2.0**-52),
        2.0 ** np.arange(1, 61) - 1,  # 1 + z is a power of two
        [1e-300, 1.0, math.nextafter(1, 0), math.nextafter(1, 2), 1e300],
    ]
)


def found_for(z: Array) -> tuple[Array, Array]:
    """Both values, given y = z/(2+z) correctly rounded, as the caller gives it."""
    exact = [Fraction(value) for value in z.tolist()]
    return one_minus_log1p_ratio(z, np.array([float(value / (2 + value)) for value in exact]))


def truth(z: float) -> tuple[Decimal, Decimal]:
    """1 − ln(1+z)/z and ln(1+z)/z, to 50 digits and more."""
    with localcontext() as context:
        context.prec = 60 + 2 * max(0, math.ceil(-math.log10(z)))  # 1 + z and 1 − ℓ cancel
        exact = Decimal(z)
        ratio = (1 + exact).ln() / exact
        return 1 - ratio, ratio


def units(found: float, true: Decimal) -> float:
    with localcontext() as context:
        context.prec = 60
        return float(abs(Decimal(found) - true) / Decimal(math.ulp(float(true))))


def test_the_measured_error_stays_below_the_bound() -> None:
    found = found_for(GRID)
    for i, value in enumerate(GRID.tolist()):
        bounds = SMALL_BOUNDS if value <= 1 else LARGE_BOUNDS
        for column, true, bound in zip(found, truth(value), bounds, strict=True):
            assert units(float(column[i]), true) <= bound, (value, bound)


def test_the_two_add_up_to_one() -> None:
    """Each is within 2.5 units of its own truth, and a unit below 1 is at most 2**-53."""
    rest, ratio = found_for(GRID)
    assert ((rest >= 0) & (rest <= 1) & (ratio >= 0) & (ratio <= 1)).all()
    assert (np.abs((rest + ratio) - 1.0) <= 5 * 2.0**-53).all()


@pytest.mark.parametrize(
    ("z", "y", "rest", "ratio"),
    [
        (float("inf"), 1.0, 1.0, 0.0),  # ln(1+z)/z tends to 0
        (0.0, 0.0, 0.0, 1.0),  # ln(1+z)/z tends to 1
        (1e-308, 5e-309, 5e-309, 1.0),  # z/2
    ],
)
def test_values_at_the_ends_of_the_range(z: float, y: float, rest: float, ratio: float) -> None:
    """Without a warning."""
    found = one_minus_log1p_ratio(np.array([z]), np.array([y]))
    assert (found[0][0], found[1][0]) == (rest, ratio)


def test_a_value_does_not_depend_on_its_neighbours() -> None:
    """The same bits alone and in a column: no vector path of its own."""
    some = GRID[:300]
    together = found_for(some)
    alone = [found_for(some[i : i + 1]) for i in range(len(some))]
    for place in (0, 1):
        assert together[place].tolist() == [float(pair[place][0]) for pair in alone]
