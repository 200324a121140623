"""Where a ranking metric could lose digits: differences of numbers that are nearly equal."""

from fractions import Fraction
from math import isnan

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


@pytest.mark.parametrize("p", [0.04, 0.06, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("size", [50, 5000])
def test_a_list_of_relevant_rows_has_at_most_1(p: float, size: int) -> None:
    """1 − p^n is below 1; the product of a rounded sum would be a unit above it."""
    value = sy.rbp([1] * size, range(size, 0, -1), p=p)
    assert value <= 1
    assert value == pytest.approx(float(1 - Fraction(str(p)) ** size), rel=size * UNIT)


@pytest.mark.parametrize("size", [2, 50, 1000])
@pytest.mark.parametrize("k", [1, 2])
def test_a_small_chance_to_stop_keeps_its_digits(size: int, k: int) -> None:
    """One row of grade 1 among n tied ones: Σ 1/i over the first k, over n and 2^max_grade."""
    label, score = [1] + [0] * (size - 1), [0.5] * size
    expected = sum(Fraction(1, rank) for rank in range(1, k + 1)) / size / 2**10
    value = sy.err(label, score, k=k, max_grade=10)
    assert value == pytest.approx(float(expected), rel=(size + 8) * UNIT, abs=0)


def test_lists_do_not_change_each_other() -> None:
    """A block's chances are cut where its own readers stop, however wide another block is."""
    label, score = [4] * 90 + [0] * 10, [0.5] * 100
    alone = sy.err(label, score)
    rare = [1] + [0] * 99
    both = sy.err(label + rare, score * 2, group=[1] * 100 + [2] * 100, group_weight=WEIGHTS)
    assert both == alone


WEIGHTS = [1] * 100 + [0] * 100


def test_the_best_order_is_1_to_the_bit() -> None:
    """Equal grades that tie take their own gain: 1.1 + 1.1 + 1.1 is not three times 1.1."""
    for grade in (1.1, 1.7, 2.3, 3.8000000000000025):
        for size in range(2, 9):
            label = [grade] * size + [grade - 0.05]
            score = [0.5] * size + [0.1]
            assert sy.ndcg(label, score) == sy.ndcg(label, score, k=size) == 1.0


def test_ndcg_is_no_more_than_1() -> None:
    """A mean gain that rounds up to the largest: 1 + 2⁻⁵² twice, and 1."""
    for size in range(1, 12):
        label = [1 + 2**-52] * 2 * size + [1] * size
        assert sy.ndcg(label, [0.5] * 3 * size) <= 1.0


def test_ties_below_the_cut_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tie that would take too many steps is below rank 1, so it is not computed."""
    monkeypatch.setattr("steelyard.kernels.numpy.lists.stops.MOST_STEPS", 10)
    label, score = [1] * 101, [1.0] + [0.5] * 100
    assert sy.err(label, score, k=1) == 1 / 16
    with pytest.warns(sy.UndefinedWarning, match="too many tied rows"):
        assert isnan(sy.err(label, score, k=2))
