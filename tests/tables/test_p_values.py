"""Tails of distributions, entropies, and levels that a perfect model shows."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.stats import norm

import steelyard as sy
from steelyard.metrics.entropy import entropy
from steelyard.stats.tails import chi2_tail, range_tail, two_sided


def evaluated(y: Any, q: Any, w: Any, metric: str, **how: Any) -> Any:
    (row,) = sy.evaluate(label=y, score=q, weight=w, metrics=metric, **how)
    return row


def test_certain_forecasts() -> None:
    """Nothing varies: no p-value, and a reason; a certain bin that came true adds nothing."""
    row = evaluated([0, 0, 1], [0.0, 1.0, 1.0], None, "ecce")
    assert row.value == 1 / 3
    assert row.details["p_value"] is None
    assert "every probability is 0 or 1" in row.details["why_no_p_value"]
    row = evaluated([0, 0, 1, 0], [0.0, 0.0, 0.5, 0.5], None, "hosmer_lemeshow(2)")
    assert (row.value, row.details) == (0.0, {"p_value": 1.0, "degrees_of_freedom": 1})
    row = evaluated([0, 0, 1, 1], [0.0, 0.0, 1.0, 1.0], None, "hosmer_lemeshow(2)")
    assert (row.value, row.details["p_value"], row.details["degrees_of_freedom"]) == (0.0, None, 0)
    assert "nothing is left to chance" in row.details["why_no_p_value"]


def test_the_null_level_is_what_a_perfect_model_shows() -> None:
    """Known from simulations: 0.025 and 0.083 for a thousand rows, 0.0084 and 0.025 for ten.

    They hold for probabilities whose √(q(1−q)) is 0.31 in the mean, as it is here.
    """
    random = np.random.default_rng(5)
    for rows, few, many in ((1000, 0.025, 0.083), (10_000, 0.0084, 0.025)):
        for bins, known in ((10, few), (100, many)):
            q = random.beta(1, 5.5, rows)
            found = [sy.ece(random.random(rows) < q, q, bins=bins) for _ in range(30)]
            level = evaluated(q < 0.5, q, None, f"ece({bins})").details["null_level"]
            assert level == pytest.approx(known, rel=0.08)
            assert level == pytest.approx(float(np.mean(found)), rel=0.1)


def test_p_values_of_a_perfect_model_are_even() -> None:
    """A fifth of them below 0.2, as far as 200 samples of 2,000 rows can tell."""
    random = np.random.default_rng(7)
    q = random.random(2000)
    low = {"ecce": 0, "hosmer_lemeshow": 0}
    for _ in range(200):
        y = random.random(2000) < q
        for row in sy.evaluate(label=y, score=q, metrics=list(low)):
            low[row.metric] += row.details["p_value"] < 0.2
    assert all(22 < count < 58 for count in low.values()), low


def test_sigma() -> None:
    row = evaluated([0, 1, 1], [0.25, 0.5, 0.5], [2, 1, 1], "ecce")
    assert row.details["sigma"] == pytest.approx(sqrt(2 * 0.1875 + 2 * 0.25) / 4, rel=1e-15)


def test_chi2_tail() -> None:
    for freedom in (1, 2, 3, 9, 10, 101, 1000):
        for statistic in (0.0, 1e-9, 0.5, 1.0, 10.0, 100.0, 700.0, 1300.0):
            known = stats.chi2.sf(statistic, freedom)
            found = chi2_tail(Fraction(statistic), freedom)
            assert found == pytest.approx(known, rel=3e-13, abs=1e-300), (freedom, statistic)


def test_range_tail() -> None:
    """The known distribution, and beyond its reach the first terms of the other series."""
    for x in (0.3, 0.7, 1.0, 1.4, 1.4999, 1.5, 1.51, 2.0, 3.0, 4.5):
        lower = 0.0
        for k in range(200):
            angle = ((k + 0.5) * np.pi) ** 2
            lower += (8 / x**2 + 2 / angle) * exp(-2 * angle / x**2)
        assert range_tail(Fraction(x) ** 2) == pytest.approx(1 - lower, abs=1e-13), x
    for x in (5.0, 8.0, 20.0):
        upper = 8 * stats.norm.sf(x) - 16 * stats.norm.sf(2 * x)
        assert range_tail(Fraction(x) ** 2) == pytest.approx(upper, rel=1e-12), x
    assert range_tail(Fraction(0)) == 1.0


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


@pytest.mark.parametrize("powers", [(0, 0), (-60, 0), (0, -60), (-1000, 900), (5, -1074)])
def test_the_entropy_of_uneven_classes(powers: tuple[int, int]) -> None:
    least = min(powers)  # weights are whole multiples of one unit
    up, down = 3 << (powers[0] - least), 5 << (powers[1] - least)
    base = Fraction(up, up + down)
    with localcontext(prec=900):
        true = -decimal(base) * decimal(base).ln()
        true -= decimal(1 - base) * decimal(1 - base).ln()
        found = entropy(up, down)
        assert abs(decimal(found) / true - 1) < Decimal("1e-40")


@pytest.mark.parametrize("z", [0.0, 1e-9, 0.5, -1.0, 1.96, 4.999, 5.0, 5.001, 9.0, 37.0])
def test_the_normal_tail(z: float) -> None:
    """SciPy's own relative error grows with z."""
    assert two_sided(z) == pytest.approx(2 * norm.sf(abs(z)), rel=1e-12)


@pytest.mark.parametrize(
    ("z", "wanted"),
    [
        (5.0, 5.733031437583878e-07),  # R: 2 * pnorm(-5)
        (1e300, 0.0),
        (-1e300, 0.0),
    ],
)
def test_the_ends_of_the_normal_tail(z: float, wanted: float) -> None:
    assert two_sided(z) == wanted


def test_spiegelhalter_by_hand() -> None:
    """One row with p = ¼ that happened: (¾·½)/√(¼·¼·¾), which is √3."""
    row = evaluated([1], [0.25], None, "spiegelhalter")
    assert row.value == math.sqrt(3)
    assert row.details["p_value"] == pytest.approx(2 * norm.sf(math.sqrt(3)), rel=1e-13)
