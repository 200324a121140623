"""p values and quantiles of Student's t: against 320 decimals, and what holds for any of them."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model import Floats
from steelyard.stats.student import BLOCK, NORMAL, t_quantile, t_two_sided
from tests.effort import random_cases
from tests.oracles.student import t_tail

CASES = random_cases(250, 3000)
TAIL_BOUND = 5e-13  # relative, for p down to 1e-280; most of it is the rounding of an exponent
QUANTILE_BOUND = 1e-14
FREEDOM = (0.5, 0.7, 1.0, 2.0, 3.4, 6.0, 12.0, 24.0, 57.2, 1e3, 1e5, 1e9, math.inf)
PROBABILITIES = (0.5 + 1e-9, 0.55, 0.7499, 0.75, 0.80, 0.9, 0.975, 0.999, 1 - 1e-9, 1 - 2.0**-53)
# How far two computed numbers may be apart that are equal or in order in truth.
SLACK = 1e-12

freedoms = st.floats(-0.3, 9).map(lambda power: 10.0**power) | st.sampled_from(FREEDOM)
probabilities = st.floats(0.5, 1 - 2.0**-53)
statistics = st.floats(-6, 3).map(lambda power: 10.0**power)
element = st.tuples(st.floats(-1e6, 1e6), freedoms)


def tail(t: float, freedom: float) -> float:
    return float(t_two_sided(np.array([t]), np.array([freedom]))[0])


def quantile(probability: float, freedom: float) -> float:
    return float(t_quantile(probability, np.array([freedom]))[0])


def true_tail(t: float, freedom: float) -> Decimal:
    return t_tail(t, min(freedom, NORMAL))


def random_points() -> tuple[Floats, Floats]:
    """Statistics of all sizes, half of them where formulas meet: t²/ν at ¼ and 1, t at 2.45."""
    dice = np.random.default_rng(11)
    freedom = 10 ** dice.uniform(-0.3, dice.choice([1.5, 9], CASES))
    t = 10 ** dice.uniform(-3, 1.6, CASES)
    freedom[::4] = np.minimum(freedom[::4], 1e3)  # at r = 1 p is 0 for more
    near = 1 + dice.uniform(-1e-9, 1e-9, CASES)
    t[::4] = (dice.choice([0.5, 1.0], CASES) * np.sqrt(freedom) * near)[::4]
    t[1::4] = (2.45 * near)[1::4]
    return t, freedom


def test_tails_at_random_points() -> None:
    t, freedom = random_points()
    for found, *where in zip(t_two_sided(t, freedom).tolist(), t, freedom, strict=True):
        known = true_tail(*map(float, where))
        if known > Decimal("1e-280"):
            assert abs(Decimal(found) / known - 1) < TAIL_BOUND, where


@pytest.mark.parametrize(
    ("t", "freedom", "why"),
    [
        (1e-8, 3.4, "P is nearly 1"),
        (2.45, 6.0, "the most terms near 0"),
        (30.0, math.inf, "p is 1e-197 and normal"),
        (30.2, 1e9, "p is 1e-200 and nearly normal"),
        (35.0, 1e4, "the tail of t, 1e-250, is far from the normal one"),
        (1e3, 100.0, "1e-201, far out"),
        (1e10, 20.0, "1e-186, by one term"),
        (1e140, 0.7, "whose square is still a float64"),
    ],
)
def test_tails_by_reason(t: float, freedom: float, why: str) -> None:
    assert abs(Decimal(tail(t, freedom)) / true_tail(t, freedom) - 1) < TAIL_BOUND, why


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_the_true_quantile_is_within_the_bound(probability: float) -> None:
    """The true tail at a hair less and a hair more than the quantile encloses 2(1 − p)."""
    goal = 2 * (1 - Decimal(probability))
    for freedom, t in zip(FREEDOM, t_quantile(probability, np.array(FREEDOM)), strict=True):
        low, high = float(t) * (1 - QUANTILE_BOUND), float(t) * (1 + QUANTILE_BOUND)
        assert true_tail(low, freedom) > goal > true_tail(high, freedom), freedom


def test_distributions_in_closed_form() -> None:
    """ν = 1 is Cauchy's: 1 − (2/π)·atan t; ν = 2 has 1 − t/√(2+t²)."""
    for t in (0.1, 0.5, 0.99, 1.0, 3.0, 40.0):
        assert tail(t, 1.0) == pytest.approx(2 / math.pi * math.atan(1 / t), rel=1e-14)
        assert tail(t, 2.0) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-12)
    assert quantile(0.75, 1.0) == pytest.approx(1.0, rel=1e-14)
    assert quantile(0.9, 2.0) == pytest.approx(0.8 / math.sqrt(0.18), rel=1e-14)


def test_ends() -> None:
    t = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 1.0, 1.0, 0.0])
    freedom = np.array([0.5, np.inf, 3.0, np.inf, 3.0, np.nan, 0.0, -1.0, np.nan])
    found = t_two_sided(t, freedom)
    assert found[:4].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert np.isnan(found[4:]).all()
    assert t_quantile(0.5, np.array([0.5, 7.0, np.inf])).tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(t_quantile(0.975, np.array([np.nan, 0.0, -1.0]))).all()
    assert np.isnan(t_quantile(0.5, np.array([np.nan, 0.0, -1.0]))).all()
    assert t_quantile(0.975, np.array([])).tolist() == []
    assert t_two_sided(np.array([]), np.array([])).tolist() == []


def test_hardly_any_freedom() -> None:
    """The tail is x^(ν/2) there; below 0.0043 the quantile has no float64."""
    assert quantile(0.975, 0.001) == math.inf
    for freedom in (0.02, 0.05, 0.3):
        for probability in (0.6, 0.975, 0.9999):
            t = quantile(probability, freedom)
            assert tail(t, freedom) == pytest.approx(2 * (1 - probability), rel=SLACK)
    assert tail(1e308, 0.01) == pytest.approx(1e308**-0.01, rel=0.05)


def test_bits_do_not_depend_on_the_block() -> None:
    """The same bits alone, and on either side of the end of a block."""
    t, freedom = (np.tile(column, BLOCK // 100) for column in random_points())
    together = t_two_sided(t, freedom)
    quantiles = t_quantile(0.975, freedom)
    for i in (0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, len(t) - 1):
        assert together[i] == tail(float(t[i]), float(freedom[i]))
        assert quantiles[i] == quantile(0.975, float(freedom[i]))
        assert quantiles[i] == quantiles[i % CASES]


@given(st.lists(element, min_size=1, max_size=9), probabilities)
def test_bits_do_not_depend_on_the_neighbours(
    elements: list[tuple[float, float]], probability: float
) -> None:
    t, freedom = np.array(elements).T
    assert t_two_sided(t, freedom).tolist() == [tail(*one) for one in elements]
    alone = [quantile(probability, one) for one in freedom.tolist()]
    assert t_quantile(probability, freedom).tolist() == alone


@given(probabilities, freedoms)
def test_the_tail_at_a_quantile(probability: float, freedom: float) -> None:
    """The smaller mass is compared: the other one has lost digits."""
    found = tail(quantile(probability, freedom), freedom)
    if probability > 0.75:
        assert found == pytest.approx(2 * (1 - probability), rel=SLACK)
    else:
        assert 1 - found == pytest.approx(2 * probability - 1, rel=SLACK, abs=1e-15)


@given(probabilities, probabilities, freedoms)
def test_quantiles_rise_with_the_probability(one: float, other: float, freedom: float) -> None:
    low, high = sorted((one, other))
    assert quantile(low, freedom) <= quantile(high, freedom) * (1 + SLACK)


@given(probabilities, freedoms, freedoms)
def test_quantiles_fall_with_freedom(probability: float, one: float, other: float) -> None:
    few, many = sorted((one, other))
    assert quantile(probability, few) * (1 + SLACK) >= quantile(probability, many)


@given(statistics, statistics, freedoms, freedoms)
def test_tails_fall_with_both(one: float, other: float, few: float, many: float) -> None:
    low, high = sorted((one, other))
    few, many = sorted((few, many))
    assert tail(low, few) * (1 + SLACK) >= tail(high, few)
    assert tail(low, few) * (1 + SLACK) >= tail(low, many)
    assert tail(-low, few) == tail(low, few)
