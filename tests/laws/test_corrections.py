"""Corrections for many tests: a published example, the definitions, any order of the input."""

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.model import Floats
from steelyard.stats.corrections import benjamini_hochberg, holm

Correction = Callable[[Floats], Floats]

# The example of Benjamini and Hochberg (1995): fifteen tests of a trial of thrombolysis.
TRIAL = (
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
)

many = st.lists(st.sampled_from([0.0, 0.01, 0.02, 0.5, 1.0, math.nan]) | st.floats(0, 1))
both = pytest.mark.parametrize("correct", [benjamini_hochberg, holm])


def discovery_rate(p: list[float], one: float) -> Fraction:
    """The least bound m·x/#{p ≤ x} on the rate of false ones among all p ≤ x, x ≥ one."""
    bounds = (len(p) * Fraction(x) / sum(other <= x for other in p) for x in p if x >= one)
    return min(*bounds, Fraction(1))


def chance_of_any(p: list[float], one: float) -> Fraction:
    """The lowest level at which the steps down from the smallest p reach it: all must hold.

    The step of x is a Bonferroni test among those that are not below x.
    """
    levels = (Fraction(x) * sum(other >= x for other in p) for x in p if x <= one)
    return min(max(levels), Fraction(1))


def test_the_published_example() -> None:
    """At 0.05 four are discoveries; Bonferroni's bound, and Holm's with it, finds three."""
    q, adjusted = benjamini_hochberg(np.array(TRIAL)), holm(np.array(TRIAL))
    assert (q <= 0.05).tolist() == [True] * 4 + [False] * 11
    assert (adjusted <= 0.05).tolist() == [True] * 3 + [False] * 12
    # 0.0001·15, 0.0004·15/2, 0.0019·15/3, 0.0095·15/4
    assert q[:4] == pytest.approx([0.0015, 0.003, 0.0095, 0.035625], rel=1e-14)
    # 0.0278·15/6 is more than 0.0298·15/7: the sixth has the q of the seventh
    seventh = 0.0298 * 15 / 7
    assert q[4:8] == pytest.approx([0.0603, seventh, seventh, 0.0645], rel=1e-14)
    # 0.0001·15, 0.0004·14, 0.0019·13, 0.0095·12
    assert adjusted[:4] == pytest.approx([0.0015, 0.0056, 0.0247, 0.114], rel=1e-14)


@given(many)
def test_both_definitions(p: list[float]) -> None:
    tested = [one for one in p if not math.isnan(one)]
    for correct, definition in ((benjamini_hochberg, discovery_rate), (holm, chance_of_any)):
        for one, found in zip(p, correct(np.array(p)).tolist(), strict=True):
            if math.isnan(one):
                assert math.isnan(found)
            else:
                assert found == pytest.approx(float(definition(tested, one)), rel=1e-15)


@both
@given(many, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_no_bit(
    correct: Correction, p: list[float], random: Random
) -> None:
    order = list(range(len(p)))
    random.shuffle(order)
    given_, shuffled = np.array(p), np.array(p)[order]
    np.testing.assert_array_equal(correct(shuffled), correct(given_)[order])


@both
@given(many)
def test_tests_that_were_not_made_count_for_nothing(correct: Correction, p: list[float]) -> None:
    column = np.array(p)
    made = ~np.isnan(column)
    np.testing.assert_array_equal(correct(column)[made], correct(column[made]))


@both
@given(many)
def test_a_correction_keeps_the_order_and_lowers_nothing(
    correct: Correction, p: list[float]
) -> None:
    column = np.sort(np.array([one for one in p if not math.isnan(one)]))
    found = correct(column)
    assert (np.diff(found) >= 0).all()
    assert (found >= column).all()
    assert (found <= 1).all()


@both
def test_one_test_and_none(correct: Correction) -> None:
    assert correct(np.array([0.3])).tolist() == [0.3]
    assert correct(np.array([])).tolist() == []
    assert np.isnan(correct(np.array([np.nan, np.nan]))).all()
