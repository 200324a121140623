"""Quotients of whole numbers of any size, against Python's own integers and fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steelyard.metrics.division import quotients

small = st.integers(0, 100)
near = st.integers(2**53 - 3, 2**53 + 3) | st.integers(2**62 - 3, 2**62 + 3)
long = st.integers(0, 2**63 - 1) | near | small
wide = st.integers(0, 2**200) | st.just(2**1100) | long


def nearest(above: int, below: int) -> float:
    """The float64 nearest to a quotient, halves to the even one; infinite beyond the largest."""
    try:
        return float(Fraction(above, below))  # Python rounds a fraction correctly
    except OverflowError:
        return float("inf")


def pairs(number: st.SearchStrategy[int]) -> st.SearchStrategy[list[tuple[int, int]]]:
    return st.lists(st.tuples(number, number.filter(bool)), max_size=9)


@given(pairs(long))
@example([(2**53 + 1, 3), (1, 2**53 + 1)])  # neither is a float64
@example([(2**62 + 1, 2**62 - 1)])
@example([(2**53 + 1, 1)])  # a numerator that float64 would round first
def test_quotients_of_long_integers(rows: list[tuple[int, int]]) -> None:
    above, below = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    expected = [nearest(*row) for row in rows]
    for dtype in (np.int64, object):
        found = quotients(above.astype(dtype), below.astype(dtype))
        assert found.dtype == np.float64
        assert found.tolist() == expected


@given(pairs(wide))
@example([(2**1100, 1), (1, 2**1100)])  # beyond the largest float, below the smallest
def test_quotients_of_integers_of_any_size(rows: list[tuple[int, int]]) -> None:
    above, below = (np.array([row[i] for row in rows], object) for i in (0, 1))
    assert quotients(above, below).tolist() == [nearest(*row) for row in rows]


@pytest.mark.parametrize("dtype", [np.int64, object])
def test_no_quotients(dtype: type) -> None:
    assert quotients(np.zeros(0, dtype), np.zeros(0, dtype)).tolist() == []
