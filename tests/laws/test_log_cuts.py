"""The change point of logs in time order: its formula, its bits, and how often it is wrong."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.trends import called
from steelyard.diagnosis.trends.log_cuts import best_cut, noise, noise_of_cut, unusual
from tests.oracles.student import t_tail

VALUES = st.lists(
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 3)),
    min_size=6,
    max_size=12,
)


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def squared_t(values: Sequence[float], place: int) -> Fraction | None:
    """The definition, in fractions: None where nothing differs within both sides."""
    exact = [Fraction(value) for value in values]
    sides = exact[:place], exact[place:]
    within = sum(((x - mean(side)) ** 2 for side in sides for x in side), Fraction(0))
    pooled = within / (len(exact) - 2)
    if not pooled:
        return None
    of_means = pooled * (Fraction(1, len(sides[0])) + Fraction(1, len(sides[1])))
    return (mean(sides[1]) - mean(sides[0])) ** 2 / of_means


def squared_t_of_line(values: Sequence[float]) -> Fraction | None:
    """The square of slope over its standard error, by the normal equations."""
    exact = [Fraction(value) for value in values]
    middle = Fraction(len(exact) - 1, 2)
    squares = sum(((n - middle) ** 2 for n in range(len(exact))), Fraction(0))
    slope = sum(((n - middle) * x for n, x in enumerate(exact)), Fraction(0)) / squares
    left = sum((x - mean(exact) - slope * (n - middle)) ** 2 for n, x in enumerate(exact))
    return slope**2 * squares * (len(exact) - 2) / left if left else None


@given(VALUES)
def test_the_cut_or_the_line_is_the_one_with_the_largest_t(values: list[float]) -> None:
    found = best_cut(values)
    assert found is not None
    steps = [squared_t(values, place) for place in range(1, len(values))]
    line = squared_t_of_line(values)
    if line is None or None in steps:  # nothing is left of the spread
        assert found.t in (0.0, math.inf, -math.inf)
        return
    largest = max(square for square in steps if square is not None)
    assert found.place - 1 == steps.index(largest)
    assert found.is_line == (line > largest)
    assert found.t**2 == pytest.approx(float(max(line, largest)), rel=1e-15)
    exact = [Fraction(value) for value in values]
    assert found.before == float(mean(exact[: found.place]))
    assert found.after == float(mean(exact[found.place :]))
    moved = found.drift if found.is_line else found.change
    assert (found.t > 0) == (moved > 0)
    assert found.freedom == len(values) - 2
    assert found.p == pytest.approx(float(t_tail(abs(found.t), found.freedom)), rel=1e-12)
    assert found.adjusted == min(1.0, found.p * len(values))


@given(VALUES)
def test_one_log_after_the_cut_is_the_test_of_a_new_value(values: list[float]) -> None:
    """(x − mean)/(s·√(1 + 1/n)) squared, in fractions."""
    *earlier, value = map(Fraction, values)
    found = unusual(values[:-1], values[-1])
    spread = sum((x - mean(earlier)) ** 2 for x in earlier) / (len(earlier) - 1)
    assert (found.earlier, found.freedom) == (len(earlier), len(earlier) - 1)
    assert (found.low, found.high) == (min(values[:-1]), max(values[:-1]))
    if spread:
        square = (value - mean(earlier)) ** 2 / (spread * (1 + Fraction(1, len(earlier))))
        assert found.t**2 == pytest.approx(float(square), rel=1e-15)
        assert found.t == 0 or (found.t > 0) == (value > mean(earlier))
    assert squared_t(values, len(earlier)) in (None, pytest.approx(found.t**2, rel=1e-15))


def test_sampling_noise_at_a_cut() -> None:
    cut = best_cut([0.0, 1.0, 0.0, 1.0, 9.0, 9.5])
    assert cut is not None
    assert not cut.is_line
    found = noise_of_cut(
        cut, [(3.0, 9.0), (4.0, 9.0), (0.0, 9.0), (0.0, 9.0), (6.0, 9.0), (0.0, 9.0)]
    )
    assert found is not None
    assert found.error == math.sqrt((9 + 16) / 16 + 36 / 4)
    assert noise_of_cut(cut, [(3.0, 9.0)] * 5 + [(None, 1.0)]) is None


def test_sampling_noise_of_a_slope() -> None:
    """Equal standard errors e: e/√Σ(n − mean)², here 2/√17.5."""
    cut = best_cut([0.0, 1.1, 2.0, 3.1, 4.0, 5.1])
    assert cut is not None
    assert cut.is_line
    found = noise_of_cut(cut, [(2.0, 9.0)] * 6)
    assert found is not None
    assert found.error == pytest.approx(2 / math.sqrt(17.5), rel=1e-15)


def test_without_any_spread() -> None:
    same = [0.1] * 6  # their mean, added up in float64, is not 0.1
    found = best_cut(same)
    assert found is not None
    assert (found.t, found.p, found.change, found.is_line) == (0.0, 1.0, 0.0, False)
    assert unusual(same, 0.1).p == 1.0
    assert (unusual(same, 0.2).t, unusual(same, 0.2).p) == (math.inf, 0.0)
    assert unusual(same, 0.0).t == -math.inf
    equal, other = (noise(change, (-1.0, 1.0), [(0.0, 3.0)] * 2) for change in (0.0, 0.1))
    assert equal is not None
    assert other is not None
    assert (equal.p, other.p) == (1.0, 0.0)


def test_values_as_large_and_as_small_as_float64_has_them() -> None:
    largest = 1.7976931348623157e308
    found = best_cut([-largest] * 3 + [largest] * 3)
    assert found is not None
    assert (found.place, found.change, found.p) == (3, math.inf, 0.0)
    tiny = best_cut([5e-324, 0.0, 5e-324, 0.0, 0.0, 1.0])
    assert tiny is not None
    assert (tiny.t, tiny.p) == (math.inf, 0.0)


@pytest.mark.parametrize("count", range(6))
def test_few_logs_have_no_cut(count: int) -> None:
    assert best_cut([0.5, 0.6, 0.7, 0.8, 0.9][:count]) is None


@pytest.mark.parametrize("count", range(5))
def test_few_earlier_logs_call_nothing_unusual(count: int) -> None:
    found = unusual([0.5, 0.6, 0.7, 0.8][:count], 99.0)
    assert not found.is_tested
    assert math.isnan(found.p)


@pytest.mark.parametrize("count", [6, 10, 30])
def test_a_change_without_a_cause_is_called_in_at_most_one_case_of_twenty(count: int) -> None:
    """1,000 trends of normal values: at 5 %, up to 64 are called in 98 % of such tests.

    Of 40,000: 4.8 % of 6 logs, 4.3 % of 10, 2.6 % of 30.
    """
    random = np.random.default_rng(count)
    cuts = [best_cut(random.standard_normal(count).tolist()) for _ in range(1000)]
    called = sum(cut is not None and cut.adjusted <= 0.05 for cut in cuts)
    assert 10 <= called <= 64


def test_a_new_value_without_a_cause_is_called_in_one_case_of_twenty() -> None:
    random = np.random.default_rng(1)
    draws = random.standard_normal((1000, 6)).tolist()
    called = sum(unusual(earlier, value).p <= 0.05 for *earlier, value in draws)
    assert 36 <= called <= 64


def test_equal_cuts_take_the_first() -> None:
    found = best_cut([0.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    assert found is not None
    assert found.place == 1


def test_the_order_of_logs_on_one_side_changes_no_bit() -> None:
    values = [0.71, 0.7123, 0.7088, 0.7099]
    cuts = {best_cut([*order, 0.61, 0.62]) for order in itertools.permutations(values)}
    assert len({(each.t, each.p, each.before) for each in cuts if each is not None}) == 1


def test_the_benchmark_makes_the_same_test() -> None:
    values = np.random.default_rng(3).standard_normal((200, 7)) + 3 * (np.arange(7) >= 4)
    cuts = [best_cut(row.tolist()) for row in values]
    own = [cut is not None and cut.adjusted <= 0.05 for cut in cuts]
    assert 20 < sum(own) < 180
    assert called(values).tolist() == own
