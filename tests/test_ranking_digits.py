"""Where a ranking metric could lose digits: differences of numbers that are nearly equal."""

from fractions import Fraction

import pytest

import steelyard as sy

UNIT = 2.0**-53


@pytest.mark.parametrize("size", [50, 1000, 100_000])
def test_a_small_chance_of_a_hit_keeps_its_digits(size: int) -> None:
    """One relevant row among many that tie: 1 − (1 − 1/n) would be off by n units."""
    label, score = [1] + [0] * (size - 1), [0.5] * size
    for k in (1, 2, 7):
        assert sy.hit_rate(label, score, k=k) == pytest.approx(k / size, rel=4 * UNIT, abs=0)


def test_a_certain_hit_is_1() -> None:
    """Three relevant rows of 100: 98 rows cannot miss them all, 97 can."""
    label, score = [1] * 3 + [0] * 97, [0.5] * 100
    assert sy.hit_rate(label, score, k=98) == 1.0
    exact = float(1 - Fraction(1, 161_700))  # of C(100, 3) places, one
    assert sy.hit_rate(label, score, k=97) == pytest.approx(exact, rel=4 * UNIT)


def test_the_chance_to_stop_reading_is_the_decimal_one() -> None:
    """p is what the user wrote: 1 − 0.95 is 0.05, where floats make 0.050000000000000044."""
    assert sy.rbp([1], [0.5], p=0.95) == 0.05
    assert sy.rbp([1], [0.5]) == 0.2
