"""ln(1+z)/z and 1 − ln(1+z)/z against Decimal's logarithm, which is correctly rounded.

Bounds in units of the last place of the true value, and where they come from:

z ≤ 1: y = 1/(1 + 2/z) takes two roundings, the tail is at most 0.06 of the result and its error
    with it, the last subtraction takes one: 2 units for 1 − ln(1+z)/z. Its complement lies above
    0.69, where the unit is at least as large, and 1 − small adds half a unit: 1.
z > 1: z and 1 + z are rounded, then (m−1)/(m+1), the product and the two sums of the logarithm,
    then the product with 1/z: half a unit each, scaled down by what they enter: 2.5 units. Just
    above z = 1 the complement lies in [0.30, 0.5), where a unit is half as large: 5.
"""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from steelyard.metrics.curves.logarithm import one_minus_log1p_ratio
from steelyard.model import Array

SMALL_BOUNDS = (2.0, 1.0)
LARGE_BOUNDS = (5.0, 2.5)

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


def truth(inverse: float) -> tuple[Decimal, Decimal]:
    """1 − ln(1+z)/z and ln(1+z)/z for z = 1/inverse, to 50 digits and more."""
    with localcontext() as context:
        context.prec = 60 + 2 * max(0, math.ceil(math.log10(inverse)))  # 1 + z and 1 − ℓ cancel
        z = 1 / Decimal(inverse)
        ratio = (1 + z).ln() / z
        return 1 - ratio, ratio


def units(found: float, true: Decimal) -> float:
    with localcontext() as context:
        context.prec = 60
        return float(abs(Decimal(found) - true) / Decimal(math.ulp(float(true))))


def test_the_measured_error_stays_below_the_bound() -> None:
    inverse: Array = 1.0 / GRID
    found = one_minus_log1p_ratio(inverse)
    for i, value in enumerate(inverse.tolist()):
        bounds = SMALL_BOUNDS if 1.0 / value <= 1 else LARGE_BOUNDS
        for column, true, bound in zip(found, truth(value), bounds, strict=True):
            assert units(float(column[i]), true) <= bound, (value, bound)


def test_the_two_add_up_to_one() -> None:
    rest, ratio = one_minus_log1p_ratio(1.0 / GRID)
    assert ((rest >= 0) & (rest <= 1) & (ratio >= 0) & (ratio <= 1)).all()
    assert (np.abs((rest + ratio) - 1.0) <= 2.0**-53).all()


@pytest.mark.parametrize(
    ("inverse", "rest", "ratio"),
    [
        (0.0, 1.0, 0.0),  # z is infinite: ln(1+z)/z tends to 0
        (5e-324, 1.0, 0.0),  # 1/5e-324 overflows: as good as infinite
        (float("inf"), 0.0, 1.0),  # z is 0: ln(1+z)/z tends to 1
        (1e308, 5e-309, 1.0),  # z/2
    ],
)
def test_the_ends(inverse: float, rest: float, ratio: float) -> None:
    """Without a warning."""
    found = one_minus_log1p_ratio(np.array([inverse]))
    assert (found[0][0], found[1][0]) == (rest, ratio)


def test_a_value_does_not_depend_on_its_neighbours() -> None:
    """The same bits alone and in a column: no vector path of its own."""
    inverse = 1.0 / GRID[:300]
    together = one_minus_log1p_ratio(inverse)
    alone = [one_minus_log1p_ratio(inverse[i : i + 1]) for i in range(len(inverse))]
    for place in (0, 1):
        assert together[place].tolist() == [float(pair[place][0]) for pair in alone]
