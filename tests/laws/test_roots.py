"""Roots and sums of quotients of whole columns, against Python's integers and fractions."""

from fractions import Fraction
from math import isqrt

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.metrics.division import sums_of_quotients
from steelyard.metrics.roots import roots
from steelyard.views.digit_column import DigitColumn, lower
from tests.laws.kernel_numbers import digits_of

POWERS = [-31 * 70, -31 * 34, -31, 0, 31, 31 * 30]
near_squares = st.builds(
    lambda odd, shift, off: max(((2 * odd + 1) ** 2 << 2 * shift) + off, 0),
    st.integers(0, 2**54),  # a root of 54 bits is the middle between two floats
    st.integers(0, 70),
    st.integers(-1, 1),
)
numbers_ = st.lists(st.one_of(near_squares, st.integers(0, 2**300)), min_size=1, max_size=9)


def column(numbers: list[int], power: int) -> DigitColumn:
    digits = digits_of([abs(number) for number in numbers])
    signs = np.array([-1 if number < 0 else 1 for number in numbers])
    return DigitColumn({power + 31 * k: d * signs for k, d in enumerate(digits)}, len(numbers))


def nearest_root(square: Fraction) -> float:
    """√square rounded once: 200 more bits of it than the answer has, and one for the rest."""
    if square == 0:
        return 0.0
    shift = 2 * (1300 + max(square.denominator.bit_length() - square.numerator.bit_length(), 0))
    whole = square * 2**shift
    root = isqrt(whole.numerator // whole.denominator)
    above = root * root != whole
    return float(Fraction(2 * root + above, 2 ** (shift // 2 + 1)))


@given(numbers=numbers_, power=st.sampled_from(POWERS))
@example(numbers=[0, 1, (2**53 + 1) ** 2, 2**2000], power=0)
def test_roots(numbers: list[int], power: int) -> None:
    unit = Fraction(2) ** power
    assert roots(column(numbers, power)).tolist() == [nearest_root(n * unit) for n in numbers]


@given(
    lists=st.lists(
        st.lists(st.tuples(st.integers(-(2**70), 2**70), st.integers(1, 2**40)), max_size=5),
        max_size=4,
    )
)
def test_sums_of_quotients(lists: list[list[tuple[int, int]]]) -> None:
    flat = [pair for each in lists for pair in each]
    above, below = (np.array([pair[k] for pair in flat], object) for k in range(2))
    starts = np.cumsum([0, *map(len, lists)])
    found = zip(*(each.tolist() for each in sums_of_quotients(above, below, starts)), strict=True)
    assert [Fraction(*pair) for pair in found] == [
        sum((Fraction(*pair) for pair in each), Fraction(0)) for each in lists
    ]


signed = st.lists(
    st.tuples(st.integers(-(2**100), 2**100), st.integers(-(2**64), 2**64)), min_size=1, max_size=6
)


@given(pairs=signed, factor=st.integers(1, 2**62), power=st.integers(-90, 90))
def test_arithmetic_of_digits(pairs: list[tuple[int, int]], factor: int, power: int) -> None:
    left, right = ([pair[k] for pair in pairs] for k in range(2))
    one, other = column(left, 0), column(right, 31)
    assert list((one + other).integers(0)) == [a + (b << 31) for a, b in pairs]
    assert list((one - other).integers(0)) == [a - (b << 31) for a, b in pairs]
    assert list(abs(one).integers(0)) == [abs(a) for a in left]
    assert list(lower(one, other).integers(0)) == [min(a, b << 31) for a, b in pairs]
    assert list(one.canonical().integers(0)) == left
    assert one.is_zero.tolist() == [a == 0 for a in left]
    low = power // 31 * 31 - 31
    expected = [Fraction(a) * factor * Fraction(2) ** (power - low) for a in left]
    assert list(one.times(factor, power).integers(low)) == expected
    bounds = np.array([0, len(pairs) // 2, len(pairs)])
    assert list(one.by_list(bounds).integers(0)) == [
        sum(left[: len(left) // 2]),
        sum(left[len(left) // 2 :]),
    ]
