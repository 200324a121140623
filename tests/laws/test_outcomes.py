"""Outcomes of comparisons: metrics with a target, margins, slices, gates."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import steelyard
from steelyard.stats import differences
from steelyard.stats.differences import Limits
from steelyard.stats.outcomes import OUTCOMES, outcomes
from steelyard.stats.targets import Combination
from steelyard.stats.targets import tested_distances as judged_distances
from steelyard.stats.variance import Spread
from tests.laws.clustered_log import make_log

sy: Any = steelyard

ROLES: dict[str, Any] = {"label": "click", "cluster": "user"}
LOG = make_log(300, seed=12)


def spread(error: Any, freedom: Any) -> Spread:
    error, freedom = (np.atleast_1d(np.asarray(each, float)) for each in (error, freedom))
    return Spread(error, freedom, (freedom + 1).astype(int), np.zeros(len(error)))


# --- metrics with a target -----------------------------------------------------------------------
def rule(x: float, y: float, sx: float, sy_: float, df: tuple[float, float], m: float) -> Any:
    """The rule for D = |b| − |a|, from x = b − a and y = b + a: D, its interval, p, p of m."""
    t = [stats.t.ppf(0.975, each) for each in df]
    xl, xu = x - t[0] * sx, x + t[0] * sx
    yl, yu = y - t[1] * sy_, y + t[1] * sy_
    most = min(max(-xl, xu), max(-yl, yu))
    low = max(min(xl, yl), min(-xu, -yu), -most)
    high = min(max(xu, -yl), max(-xl, yu), most)
    p = max(2 * stats.t.sf(abs(x) / sx, df[0]), 2 * stats.t.sf(abs(y) / sy_, df[1]))
    above = max(stats.t.sf((x - m) / sx, df[0]), stats.t.sf((y - m) / sy_, df[1]))
    below = max(stats.t.cdf((x + m) / sx, df[0]), stats.t.cdf((y + m) / sy_, df[1]))
    b, a = (x + y) / 2, (y - x) / 2
    return abs(b) - abs(a), low, high, p, min(1.0, 2 * min(above, below))


def test_distances_are_judged_by_the_rule() -> None:
    places = (-0.9, -0.2, -0.01, 0.003, 0.15, 0.7)
    for a, b, m in product(places, places, (0.0, 0.05)):
        x, y, errors, df = b - a, b + a, (0.05, 0.11), (12.0, 40.5)
        wanted = rule(x, y, *errors, df, m)
        made = [
            Combination(np.array([amount]), spread(error, freedom))
            for amount, error, freedom in zip((x, y), errors, df, strict=True)
        ]
        found = judged_distances(
            np.array([abs(a) - abs(b)]), made[0].spread, (made[0], made[1]), Limits(0.95, m)
        )
        values = (-found.amount[0], -found.high[0], -found.low[0], found.p[0], found.p_worse[0])
        assert values == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert (found.p[0] < 0.05) == (not found.low[0] <= 0 <= found.high[0])
        assert (found.p_worse[0] < 0.05) == (found.high[0] < -m)


def double(log: dict[str, Any]) -> dict[str, Any]:
    """A log whose score is calibrated, and another that predicts twice as much."""
    factor = log["click"].mean() / log["score"].mean()
    right = log["score"] * factor
    return {**log, "fair": right, "doubled": np.minimum(2 * right, 0.99)}


@pytest.mark.parametrize("metric", ["copc", "pcoc"])
def test_a_candidate_that_predicts_double_is_worse_and_its_repair_better(metric: str) -> None:
    log = double(LOG.columns)
    for old, new, outcome in (("fair", "doubled", "worse"), ("doubled", "fair", "better")):
        found = sy.compare(
            log, **ROLES, score={"old": old, "new": new}, metrics=[metric], margins={metric: 0.05}
        )
        row = found.row(metric)
        assert row.outcome == outcome
        assert row.p < 1e-6
        assert row.low < row.difference < row.high
        values = sy.evaluate(log, **ROLES, score={"old": old, "new": new}, metrics=[metric])
        ends = [(row.low, row.high) for row in values.rows]
        assert any(low < 1 < high for low, high in ends)  # where nothing could be told before
        how = "farther from 1 by" if outcome == "worse" else "nearer to 1 by"
        assert how in str(found)


def test_calibration_slope_intercept_and_bias_have_intervals_near_their_target() -> None:
    log = double(LOG.columns)
    scores = {"old": "fair", "new": "doubled"}
    metrics = ["calibration_slope", "calibration_intercept"]
    for row in sy.compare(log, **ROLES, score=scores, metrics=metrics):
        assert row.low is not None
        assert row.p is not None
    rng = np.random.default_rng(4)
    truth = rng.normal(size=600)
    near = truth + rng.normal(size=600)
    numbers = {"y": truth, "a": near, "b": near + 1.0, "u": np.arange(600) % 60}
    found = sy.compare(numbers, label="y", prediction=["a", "b"], cluster="u", metrics=["bias"])
    assert found.row("bias").outcome == "worse"


def test_equal_values_at_the_target_have_no_difference() -> None:
    log = double(LOG.columns)
    found = sy.compare(log, **ROLES, score={"old": "fair", "new": "fair * 1.0"}, metrics=["copc"])
    row = found.row("copc")
    assert (row.difference, row.low, row.high, row.p) == (0, 0, 0, 1)
    assert row.outcome == "no difference seen"


def false_claims(a: float, b: float, correlation: float, repeats: int) -> float:
    """How often the interval of |b| − |a| misses it; both values have standard errors of 1."""
    rng = np.random.default_rng(1)
    covariance = [[1.0, correlation], [correlation, 1.0]]
    seen = rng.multivariate_normal([a, b], covariance, size=repeats)
    x, y = seen[:, 1] - seen[:, 0], seen[:, 1] + seen[:, 0]
    errors = np.sqrt(2 - 2 * correlation), np.sqrt(2 + 2 * correlation)
    made = [
        Combination(amount, spread(np.full(repeats, error), np.full(repeats, 1e9)))
        for amount, error in zip((x, y), errors, strict=True)
    ]
    amount = np.abs(seen[:, 0]) - np.abs(seen[:, 1])
    found = judged_distances(amount, made[0].spread, (made[0], made[1]), Limits(0.95, 0.0))
    truth = abs(a) - abs(b)
    return float(np.mean((found.low > truth) | (found.high < truth)))


CASES = [(a, b, c) for a in (0, 0.5, 2, 8) for b in (-8, -1, 0, 1, 4) for c in (-0.5, 0, 0.9, 0.99)]


@pytest.mark.parametrize(("a", "b", "correlation"), [CASES[0], CASES[18], CASES[47], CASES[63]])
def test_intervals_of_distances_contain_them(a: float, b: float, correlation: float) -> None:
    """5,000 repeats: 5 % plus three standard errors is 5.9 %."""
    assert false_claims(a, b, correlation, 5_000) <= 0.059


@pytest.mark.full
@pytest.mark.parametrize(("a", "b", "correlation"), CASES)
def test_intervals_of_distances_contain_them_in_all_cases(
    a: float, b: float, correlation: float
) -> None:
    """40,000 repeats: 5 % plus three standard errors is 5.33 %."""
    assert false_claims(a, b, correlation, 40_000) <= 0.0533


# --- outcomes ------------------------------------------------------------------------------------
def first_match(low: float, high: float, m: float | None) -> str:
    """The outcome of an interval that is not a point: the rules in their order."""
    if m is None:
        return "worse" if high < 0 else "better" if low > 0 else "no difference seen"
    rules = (
        (high < -m, "worse"),
        (low > 0, "better"),
        (-m < low and high < 0, "no worse than the margin"),
        (-m < low and high < m, "no difference seen"),
        (-m < low, "no worse than the margin"),
    )
    return next((name for holds, name in rules if holds), "cannot tell")


def judged(low: float, high: float, m: float | None, shown: bool = True) -> str:
    columns = ((low + high) / 2, low, high, np.nan, np.nan, np.nan)
    found = differences.TestedDifferences(*(np.array([each]) for each in columns))
    mask = np.array([shown])
    return outcomes(found, m, mask, mask)[0]


NUMBERS = st.integers(-6, 6).map(lambda k: k / 4)


@given(low=NUMBERS, length=st.integers(1, 12), m=st.none() | st.integers(0, 4))
def test_outcomes_are_the_first_rule_that_holds(low: float, length: int, m: int | None) -> None:
    margin = None if m is None else m / 4
    high = low + length / 4
    assert judged(low, high, margin) == first_match(low, high, margin)
    # A slice that q does not confirm reads as one whose interval contains 0.
    claims = low > 0 or high < -(margin or 0.0)
    wide = (min(low, 0.0), max(high, 0.0)) if claims else (low, high)
    assert judged(low, high, margin, shown=False) == first_match(*wide, margin)


def test_outcomes_of_points_and_of_nothing() -> None:
    nan = float("nan")
    assert [judged(nan, nan, m) for m in (None, 0.0, 1.0)] == ["cannot tell"] * 3
    assert [judged(0.0, 0.0, m) for m in (None, 0.0, 1.0)] == ["no difference seen"] * 3
    assert judged(-1.0, -1.0, 1.0) == "no worse than the margin"
    assert judged(-1.0, -1.0, None) == judged(-1.0, -1.0, 0.5) == "worse"


@given(
    amount=st.floats(-5, 5), error=st.floats(0.01, 5), freedom=st.floats(2, 1e6), m=st.floats(0, 3)
)
def test_p_of_a_margin_agrees_with_the_interval(
    amount: float, error: float, freedom: float, m: float
) -> None:
    found = differences.tested(np.array([amount]), spread(error, freedom), Limits(0.95, m))
    p = float(2 * stats.t.sf((-amount - m) / error, freedom))
    assert found.p_worse[0] == pytest.approx(min(p, 1.0), rel=1e-8)
    if abs(p - 0.05) > 1e-9:
        assert (found.p_worse[0] < 0.05) == (found.high[0] < -m)


# --- slices --------------------------------------------------------------------------------------
def sliced(seed: int, slices: int = 20) -> dict[str, Any]:
    """1,200 users, each of one slice; two scores that are equally good."""
    rng = np.random.default_rng(seed)
    users = np.repeat(np.arange(1200), 4)
    good = rng.normal(size=len(users))
    click = (good + rng.normal(size=len(users)) > 0.8).astype(int)
    return {
        "click": click,
        "user": users,
        "k": users % slices,
        "old": good + rng.normal(size=len(users)),
        "new": good + rng.normal(size=len(users)),
    }


def test_the_outcome_of_a_slice_follows_q() -> None:
    """In 12 logs without an effect p alone claims one of 20 slices in most of them."""
    by_p = claims = 0
    for seed in range(12):
        log = sliced(seed)
        found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"], by="k")
        rows = [row for row in found if row.slice]
        by_p += any(row.p < 0.05 for row in rows)
        claims += any(row.outcome in ("better", "worse") for row in rows)
        for row in rows:
            if row.q > 0.1:
                assert row.outcome == "no difference seen"
            elif row.p < 0.05:
                assert row.outcome in ("better", "worse")
    assert by_p >= 5
    assert claims <= 3


def test_a_slice_that_broke_is_worse() -> None:
    log = sliced(3)
    rng = np.random.default_rng(8)
    broken = log["k"] == 7
    log["new"] = np.where(broken, rng.normal(size=len(broken)), log["old"])
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"], by="k")
    outcome = {row.slice["k"]: row.outcome for row in found if row.slice}
    assert outcome.pop(7) == "worse"
    assert set(outcome.values()) == {"no difference seen"}
    # 19 slices are exactly 0 and one is not: χ² is that of the one.
    (test,) = found.tests
    row = found.row("auc", k=7)
    assert (test.slices, test.freedom) == (20, 1)
    assert test.p < 1e-3
    assert test.statistic == pytest.approx(
        (row.difference / row.details["standard_error"]) ** 2, rel=0.05
    )


def test_a_total_that_moves_against_all_its_slices_is_remarked() -> None:
    """Each country is ordered better, but countries are put in the wrong order."""
    log = sliced(5, slices=4)
    rare = log["k"] >= 2
    rng = np.random.default_rng(2)
    keep = rare | (log["click"] == 1) | (rng.random(len(rare)) < 0.2)
    log = {name: column[keep] for name, column in log.items()}
    better = log["old"] + 2.0 * (log["click"] - 0.5)
    log["new"] = better + np.where(log["k"] >= 2, 9.0, 0.0)
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"], by="k")
    assert found.row("auc").outcome == "worse"
    assert all(row.difference > 0 for row in found if row.slice)
    assert "better in every slice of k, worse in total (Simpson's paradox)" in str(found)
    assert "Simpson" in found.to_html()
    same = sy.compare(log, **ROLES, score=["old", "old + 0"], metrics=["auc"], by="k")
    assert "Simpson" not in str(same)


# --- words ---------------------------------------------------------------------------------------
def test_a_win_is_called_better_and_the_margin_is_shown() -> None:
    log = sliced(1)
    log["new"] = log["old"] + log["click"]
    found = sy.compare(
        log, **ROLES, score=["old", "new"], metrics=["auc"], by="k", margins={"auc": 0.001}
    )
    row = found.row("auc")
    assert row.p < 1e-20
    assert (row.outcome, row.margin) == ("better", 0.001)
    text = str(found)
    assert "margin 0.001" in text
    assert "margin" in text.splitlines()[0]
    assert {row.outcome for row in found} <= set(OUTCOMES)
    assert found.to_dict()["rows"][0]["margin"] == 0.001


def test_what_is_not_excluded_is_said() -> None:
    log = sliced(2)
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"])
    row = found.row("auc")
    assert row.outcome == "no difference seen"
    assert "auc: no difference seen: it may be worse by" in str(found)
    assert "would be seen with a probability of 80 %" in str(found)
