"""The Wald test of equality: by hand, by fractions, and what holds for any numbers."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model import Array, Floats
from steelyard.stats.tails import two_sided
from steelyard.stats.wald import wald

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 9)


class Slices(NamedTuple):
    """Numbers of slices and their covariance, in which slices share clusters."""

    numbers: Floats
    covariance: Floats

    def taken(self, order: Array) -> "Slices":
        return Slices(self.numbers[order], self.covariance[np.ix_(order, order)])


def random_slices(seed: int, count: int, clusters: int | None = None) -> Slices:
    """Whole numbers, so that the covariance of the given number of clusters has no rounding."""
    dice = np.random.default_rng(seed)
    shares = dice.integers(-50, 51, (clusters or 3 * count, count)).astype(float)
    shares *= 2.0 ** dice.integers(-12, 6, count)  # slices of very different size
    covariance = np.array([[float((a * b).sum()) for a in shares.T] for b in shares.T])
    return Slices(dice.normal(size=count) * np.sqrt(np.diagonal(covariance)), covariance)


def by_fractions(slices: Slices) -> Fraction:
    """cᵀV⁻¹c for the contrasts to the first number, by Gauss and Jordan, exactly."""
    numbers = [Fraction(one) for one in slices.numbers.tolist()]
    sigma = [[Fraction(one) for one in row] for row in slices.covariance.tolist()]
    k = range(1, len(numbers))
    c = [numbers[i] - numbers[0] for i in k]
    rows = [[sigma[i][j] - sigma[i][0] - sigma[0][j] + sigma[0][0] for j in k] for i in k]
    rows = [[*row, one] for row, one in zip(rows, c, strict=True)]
    for i in range(len(rows)):
        rows[i] = [one / rows[i][i] for one in rows[i]]
        for other in range(len(rows)):
            if other != i:
                factor = rows[other][i]
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[i], strict=True)]
    return sum((a * row[-1] for a, row in zip(c, rows, strict=True)), Fraction(0))


def test_two_numbers_are_a_z_test() -> None:
    """(3 − 1)²/(4 + 2 − 2·1) = 1, and p is the normal one."""
    statistic, freedom, p = wald(np.array([3.0, 1.0]), np.array([[4.0, 1.0], [1.0, 2.0]]))
    assert freedom == 1
    assert statistic == pytest.approx(1.0, rel=1e-15)
    assert p == pytest.approx(two_sided(1.0), rel=1e-14)


def test_independent_numbers_have_cochrans_q() -> None:
    """Σ (d − d̄)²/variance, d̄ weighted by 1/variance: 2, 4, 8 with 1, 2, 4 have d̄ = 24/7."""
    statistic, freedom, p = wald(np.array([2.0, 4.0, 8.0]), np.diag([1.0, 2.0, 4.0]))
    mean = Fraction(24, 7)
    q = (2 - mean) ** 2 + (4 - mean) ** 2 / 2 + (8 - mean) ** 2 / 4
    assert freedom == 2
    assert statistic == pytest.approx(float(q), rel=1e-15)
    assert p == pytest.approx(math.exp(-q / 2), rel=1e-14)


@given(seeds, sizes)
def test_correlated_numbers_by_fractions(seed: int, count: int) -> None:
    slices = random_slices(seed, count)
    statistic, freedom, _ = wald(*slices)
    assert freedom == count - 1
    assert statistic == pytest.approx(float(by_fractions(slices)), rel=1e-11)


@given(seeds, sizes)
def test_the_order_of_slices_changes_no_bit(seed: int, count: int) -> None:
    slices = random_slices(seed, count)
    order = np.random.default_rng(seed).permutation(count)
    assert wald(*slices.taken(order)) == wald(*slices)


@given(seeds, sizes, st.integers(-1000, 1000))
def test_a_constant_changes_nothing(seed: int, count: int, constant: int) -> None:
    """Neither one added to all numbers nor a variance that all of them share."""
    numbers, covariance = random_slices(seed, count)
    numbers = np.round(numbers * 2**20) / 2**20  # so that the sum is exact
    found = wald(numbers, covariance)
    assert wald(numbers + constant, covariance) == found
    assert wald(numbers, covariance + 2.0**10)[0] == pytest.approx(found[0], rel=1e-6)


@given(seeds, sizes, st.integers(-300, 300))
def test_the_unit_changes_no_bit(seed: int, count: int, power: int) -> None:
    numbers, covariance = random_slices(seed, count)
    found = wald(numbers, covariance)
    assert wald(numbers * 2.0**power, covariance * 4.0**power) == found


@given(seeds, sizes)
def test_a_slice_twice_adds_no_freedom(seed: int, count: int) -> None:
    slices = random_slices(seed, count)
    statistic, freedom, p = wald(*slices)
    found = wald(*slices.taken(np.array([*range(count), count - 1])))
    assert found[1] == freedom
    assert found[0] == pytest.approx(statistic, rel=1e-10)
    assert found[2] == pytest.approx(p, rel=1e-9)


@given(seeds, st.integers(2, 6))
def test_no_more_freedom_than_clusters(seed: int, clusters: int) -> None:
    assert wald(*random_slices(seed, 12, clusters))[1] == clusters


def test_the_input_is_not_changed() -> None:
    slices = random_slices(3, 5)
    before = Slices(slices.numbers.copy(), slices.covariance.copy())
    wald(*slices)
    assert (slices.numbers == before.numbers).all()
    assert (slices.covariance == before.covariance).all()


@pytest.mark.parametrize(
    ("numbers", "covariance", "why"),
    [
        ([], np.zeros((0, 0)), "there is no number"),
        ([2.0], np.ones((1, 1)), "one number is equal to itself"),
        ([2.0, 2.0], np.zeros((2, 2)), "nothing varies"),
        ([2.0, 3.0], np.ones((2, 2)), "the contrast does not vary, since both vary as one"),
    ],
)
def test_no_test(numbers: list[float], covariance: Floats, why: str) -> None:
    statistic, freedom, p = wald(np.array(numbers), covariance)
    assert (statistic, freedom, math.isnan(p)) == (0.0, 0, True), why
