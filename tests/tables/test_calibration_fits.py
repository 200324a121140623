"""Slopes and intercepts of calibration: fits that no row-by-row oracle reaches."""

from decimal import Decimal
from fractions import Fraction
from math import exp, isnan, log
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

import steelyard as sy
from tests.effort import random_cases
from tests.oracles import calibration_levels as oracle
from tests.oracles.calibration import Row
from tests.tables.random_probabilities import sample


def evaluated(y: Any, q: Any, w: Any, metric: str, **how: Any) -> Any:
    (row,) = sy.evaluate(label=y, score=q, weight=w, metrics=metric, **how)
    return row


def logistic(y: Any, q: Any, w: Any, *, slope: bool) -> tuple[float, float]:
    """Maximum likelihood by another's optimiser, in float64 and row by row."""
    x = special.logit(q)
    w = np.ones(len(y)) if w is None else w / w.max()

    def residuals(at: Any) -> Any:
        a, b = at if slope else (at[0], 1.0)
        off = w * (special.expit(a + b * x) - y)
        return [off.sum(), (off * x).sum()] if slope else [off.sum()]

    start = [0.0, 1.0] if slope else [0.0]
    found = optimize.root(residuals, start, tol=1e-14)
    assert found.success or np.abs(residuals(found.x)).max() < 1e-9
    return (found.x[0], found.x[1] if slope else 1.0)


@pytest.mark.parametrize(
    ("seed", "rows", "rate", "digits", "weights"),
    [
        (1, 40, 0.5, 1, "none"),
        (2, 300, 0.3, 2, "whole"),
        (3, 3000, 0.1, 9, "none"),
        (4, 3000, 0.5, 9, "floats"),
        (5, 3000, 0.5, 3, "none"),
        pytest.param(6, 2000, 0.5, 9, "wide", marks=pytest.mark.full),
        (7, 5000, 0.02, 9, "whole"),
    ],
)
def test_a_fit_is_the_maximum_of_the_likelihood(
    seed: int, rows: int, rate: float, digits: int, weights: str
) -> None:
    y, q, w = sample(seed, rows, rate, digits, weights)
    a, b = logistic(y, q, w, slope=True)
    row = evaluated(y, q, w, "calibration_slope")
    assert row.value == pytest.approx(b, rel=1e-9)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-9, abs=1e-11)
    found = sy.calibration_intercept(y, q, sample_weight=w)
    assert found == pytest.approx(logistic(y, q, w, slope=False)[0], rel=1e-9, abs=1e-11)


def test_a_fit_that_can_be_worked_out() -> None:
    """Two scores: the line goes through the two observed log odds."""
    y, q = [1] + [0] * 3 + [1] * 5 + [0], [0.2] * 4 + [0.5] * 6
    row = evaluated(y, q, None, "calibration_slope")
    slope = (log(5) - log(1 / 3)) / (log(1) - log(0.2 / 0.8))
    assert row.value == pytest.approx(slope, rel=1e-14)
    assert row.details["intercept"] == pytest.approx(log(5), rel=1e-14)
    # One score: the intercept makes up for the odds.
    found = sy.calibration_intercept([1, 0, 0, 0], [0.5] * 4)
    assert found == pytest.approx(log(1 / 3), rel=1e-14)


def test_a_steep_slope_far_from_the_start() -> None:
    """The start overshoots: logits of ±1e-4, where the fit is at thousands."""
    y = [0] * 90 + [1] * 10 + [0] * 10 + [1] * 90
    q = [0.5 - 2.5e-5] * 100 + [0.5 + 2.5e-5] * 100
    row = evaluated(y, q, None, "calibration_slope")
    x = special.logit(0.5 + 2.5e-5)
    assert row.value == pytest.approx(log(9) / x, rel=1e-9)


def newton(y: Any, q: Any, w: Any, a: float, b: float) -> tuple[float, float]:
    """Maximum likelihood in long double, from a place that must be near it."""
    wide = np.longdouble
    q = np.asarray(q, wide)
    w = np.ones(len(q), wide) if w is None else np.asarray(w, wide)
    x = np.log(q) - np.log1p(-q)
    centre = (w * x).sum() / w.sum()
    x, level, slope = x - centre, wide(a) + wide(b) * centre, wide(b)
    for _ in range(20):
        # Far out exp would overflow: beyond 11,000 the chance is 0 or 1 in long double too.
        chance = 1 / (1 + np.exp(-np.clip(level + slope * x, -11_000, 11_000)))
        off, bend = w * (chance - np.asarray(y)), w * chance * (1 - chance)
        mean = (bend * x).sum() / bend.sum()
        steeper = -(off * (x - mean)).sum() / (bend * (x - mean) ** 2).sum()
        level, slope = level - off.sum() / bend.sum() - mean * steeper, slope + steeper
    # No other point than the best one has no gradient.
    assert abs(off.sum()) + abs((off * x).sum()) < 1e-12 * w.sum()
    return float(level - slope * centre), float(slope)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize(
    ("rows", "crossed", "about"),
    [
        (2000, 40, 8.0),
        (20_000, 1, 1637.581),
        pytest.param(200_000, 5, 3209.03, marks=pytest.mark.full),
        pytest.param(200_000, 1, 16376.5, marks=pytest.mark.full),
    ],
)
def test_steep_slopes(rows: int, crossed: int, about: float) -> None:
    """Rows that a score almost separates, at any fineness of cells."""
    x = np.linspace(-8, 8, rows) + 0.3
    q, y = special.expit(x), (x > 0.3).astype(int)
    half = rows // 2
    y[half - crossed : half], y[half : half + crossed] = 1, 0
    row = evaluated(y, q, None, "calibration_slope")
    a, b = newton(y, q, None, row.details["intercept"], row.value)
    assert row.value == pytest.approx(b, rel=1e-12)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-12)
    if rows > 2000:
        assert row.value == pytest.approx(about, rel=1e-5)
    order = np.random.default_rng(1).permutation(rows)
    assert sy.calibration_slope(y[order], q[order]) == row.value


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize(
    "steep",
    [
        *(-50.0, 0.01, 2.0, 3.9, 4.1, 218.0, 20_000.0),
        *(pytest.param(steep, marks=pytest.mark.full) for steep in (0.3, 60.0, 5000.0)),
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_slopes_of_every_size(steep: float, weighted: bool) -> None:
    random = np.random.default_rng(9)
    x = np.concatenate(
        [random.normal(-2, 2, 4000), random.normal(-1, 3 / max(abs(steep), 1), 4000)]
    )
    y = (random.random(8000) < special.expit(steep * (x + 1))).astype(int)
    q, w = special.expit(x), np.exp(random.normal(0, 2, 8000)) if weighted else None
    row = evaluated(y, q, w, "calibration_slope")
    a, b = newton(y, q, w, row.details["intercept"], row.value)
    assert row.value == pytest.approx(b, rel=1e-12, abs=1e-14)
    assert row.details["intercept"] == pytest.approx(a, rel=1e-12, abs=1e-14)


def test_intercepts_far_from_the_start() -> None:
    """One score, so that the answer is known; the loss is flat on the far side."""
    for y, q in (([1] * 99 + [0], 0.01), ([0] * 999 + [1], 0.99), ([1] * 9 + [0], 1e-300)):
        seen = sum(y) / len(y)
        known = special.logit(seen) - special.logit(q)
        found = sy.calibration_intercept(y, [q] * len(y))
        assert found == pytest.approx(known, rel=1e-13)
    # Weights that differ by more than float64 has digits: the loss has small parts.
    found = sy.calibration_intercept([0, 1], [0.5, 0.5], sample_weight=[1.0, 1e-30])
    assert found == pytest.approx(log(1e-30), rel=1e-13)
    assert sy.calibration_intercept([0, 1], [5e-324] * 2) == pytest.approx(1074 * log(2), rel=1e-14)
    random = np.random.default_rng(3)
    x = random.normal(0, 1, 20_000)
    y = (random.random(20_000) < special.expit(x)).astype(int)
    q = special.expit(x + 10)
    found = sy.calibration_intercept(y, q)
    off = special.expit(found + special.logit(q)) - y
    assert abs(off.sum()) < 1e-9 * len(x)
    assert found == pytest.approx(-10, abs=0.1)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="no long double here")
@pytest.mark.parametrize(("ones", "low", "high"), [(99, 1e-3, 1.1e-3), (20, 1e-7, 1.01e-7)])
def test_slopes_far_from_the_start(ones: int, low: float, high: float) -> None:
    """Logits in float64 leave a slope of that little spread some nine digits."""
    y, q = [1] * ones + [0] + [1] * ones, np.linspace(low, high, 2 * ones + 1)
    row = evaluated(y, q, None, "calibration_slope")
    assert row.value == pytest.approx(
        newton(y, q, None, row.details["intercept"], row.value)[1], rel=1e-8
    )


@pytest.mark.parametrize("scale", [1e-6, 1e-12, pytest.param(1e-15, marks=pytest.mark.full), 0.0])
def test_scores_too_close_for_a_slope(scale: float) -> None:
    """A number or a reason, never an exception."""
    q = np.concatenate([[0.25, 0.75], 0.5 + scale * np.arange(8)])
    y = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 1])
    for some in (slice(None), slice(2, None)):
        row = evaluated(y[some], q[some], None, "calibration_slope")
        assert (row.value is None) != (row.why is None)


def test_downsampled_shifts_the_intercept() -> None:
    y, q, _ = sample(11, 2000, 0.3, 9, "none")
    plain = sy.calibration_intercept(y, q)
    shifted = sy.calibration_intercept(y, q, downsampled=0.1)
    assert shifted == pytest.approx(plain - log(0.1), rel=1e-12)
    assert sy.calibration_slope(y, q, downsampled=0.1) == pytest.approx(
        sy.calibration_slope(y, q), rel=1e-10
    )
    assert sy.dsc(y, q, downsampled=0.1) == sy.dsc(y, q)  # it goes by the order


# --- flat likelihoods ----------------------------------------------------------------------------

EXTREME = [1e-300, 1e-100, 1e-40, 1e-16, 1e-3, 0.25, 0.5, 0.75, 1 - 1e-3, 1 - 1e-9, 1 - 1e-16]
WEIGHTS = [1.0, 2.0, 3.0, 0.1, 1e-30, 1e30]


def extreme(seed: int) -> tuple[list[int], list[float], list[float]]:
    """Both classes, scores hundreds of logits apart, weights alike or far apart."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 7))
    y = [0, 1, *random.integers(0, 2, rows - 2).tolist()]
    weights = [WEIGHTS[:1], WEIGHTS[:4], WEIGHTS][seed % 3]
    q, w = (random.choice(values, rows).tolist() for values in (EXTREME, weights))
    return y, q, w


def oracle_rows(y: list[int], q: list[float], w: list[float]) -> list[Row]:
    return [
        Row(Fraction(up), Fraction(p), Fraction(weight), p)
        for up, p, weight in zip(y, q, w, strict=True)
    ]


def test_the_intercept_of_flat_likelihoods() -> None:
    """Tails as small as 1e-150 decide: in 900 digits the residual changes its sign here."""
    for seed in range(random_cases(60, 3000)):
        y, q, w = extreme(seed)
        found = Decimal(sy.calibration_intercept(y, q, sample_weight=w))
        near = max(Decimal(1), abs(found)) * Decimal("1e-13")
        rows = oracle_rows(y, q, w)
        assert oracle.has_intercept(rows, found - near, found + near), (seed, y, q, w, found)


def test_the_slope_of_flat_likelihoods() -> None:
    """What a step of Newton's method in 900 digits would still change: of weights of one size."""
    fits = 0
    for seed in (seed for seed in range(random_cases(90, 2000)) if seed % 3 < 2):
        y, q, w = extreme(seed)
        row = evaluated(y, q, w, "calibration_slope")
        if row.value is not None:
            a, b = row.details["intercept"], row.value
            steps = oracle.distance(oracle_rows(y, q, w), a, b)
            for step, fit in zip(steps, (a, b), strict=True):
                assert abs(step) <= 1e-9 * max(1.0, abs(fit)), (seed, y, q, w, a, b)
            fits += 1
        else:
            assert "separable" in row.why or "same score" in row.why, (seed, row.why)
    assert fits > 9


@pytest.mark.parametrize("power", [3, 40, 300])
def test_the_intercept_is_where_tails_balance(power: int) -> None:
    """The negative and the last positive balance at e^-a each, the other positive lacks e^a·q:
    2/(1 + e^a) = 1/(1 + e^-a/odds), and for a small q 2e^-a = e^a·q, so a = ln(2/q)/2."""
    found = sy.calibration_intercept([0, 1, 1], [0.5, 10.0**-power, 0.5])
    odds = 1 / (10.0**power - 1)
    if power == 3:
        assert 2 / (1 + exp(found)) == pytest.approx(1 / (1 + exp(-found) / odds), rel=1e-12)
    else:
        assert found == pytest.approx((log(2) + power * log(10)) / 2, rel=1e-14)


@pytest.mark.parametrize("name", ["calibration_intercept", "calibration_slope"])
def test_weights_that_float64_cannot_compare_give_no_value(name: str) -> None:
    """The intercept would be ln(1e-400) = -921: a share of 1e-400 is 0 in float64."""
    weights = [1e-200, 1e200, 1e200, 1e200]
    with pytest.warns(sy.UndefinedWarning, match="more than 300 powers of ten apart"):
        value = getattr(sy, name)([1, 0, 0, 0], [0.5, 0.3, 0.6, 0.7], sample_weight=weights)
    assert isnan(value)


def test_weights_as_far_apart_as_float64_compares() -> None:
    """One score for all: the intercept is the logarithm of the weights' quotient."""
    value = sy.calibration_intercept([0, 1], [0.5, 0.5], sample_weight=[1e150, 1e-150])
    assert value == pytest.approx(-300 * log(10), rel=1e-12)
