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
from steelyard.stats.differences import Change, Limits
from steelyard.stats.outcomes import OUTCOMES, Claims, outcomes
from steelyard.stats.targets import tested_distances as judged_distances
from steelyard.stats.variance import Spread
from tests.laws.clustered_log import make_log

sy: Any = steelyard

ROLES: dict[str, Any] = {"label": "click", "cluster": "user"}
LOG = make_log(300, seed=12)


def spread(error: Any, freedom: Any) -> Spread:
    error, freedom = (np.atleast_1d(np.asarray(each, float)) for each in (error, freedom))
    none = np.zeros(len(error))
    return Spread(error, freedom, (freedom + 1).astype(int), none, none > 0)


def combination(amount: Any, error: Any, freedom: Any) -> Change:
    """b − a or b + a; influences are not read."""
    return Change(np.atleast_1d(amount), None, spread(error, freedom))  # type: ignore[arg-type]


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
        minus, plus = (combination(*each) for each in zip((x, y), errors, df, strict=True))
        amount = np.array([abs(a) - abs(b)])
        found = judged_distances(amount, minus, plus, Limits(0.95, m))
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
    many = np.full(repeats, 1e9)
    minus, plus = (
        combination(amount, np.full(repeats, error), many)
        for amount, error in zip((x, y), errors, strict=True)
    )
    amount = np.abs(seen[:, 0]) - np.abs(seen[:, 1])
    found = judged_distances(amount, minus, plus, Limits(0.95, 0.0))
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


def judged(low: float, high: float, m: float | None, shown: bool = True, tried: bool = True) -> str:
    columns = ((low + high) / 2, low, high, np.nan, np.nan, np.nan, low == high)
    found = differences.TestedDifferences(*(np.array([each]) for each in columns))
    claims = Claims(*(np.array([each]) for each in (shown, shown, not tried)))
    return outcomes(found, m, claims)[0]


NUMBERS = st.integers(-6, 6).map(lambda k: k / 4)


@given(low=NUMBERS, length=st.integers(1, 12), m=st.none() | st.integers(0, 4))
def test_outcomes_are_the_first_rule_that_holds(low: float, length: int, m: int | None) -> None:
    margin = None if m is None else m / 4
    high = low + length / 4
    assert judged(low, high, margin) == first_match(low, high, margin)
    # A slice that q does not confirm reads as one whose interval contains 0.
    claims = low > 0 or high < -(margin or 0.0)
    wide = (min(low, 0.0), max(high, 0.0)) if claims else (low, high)
    wanted = first_match(*wide, margin)
    if margin == 0 and low > 0:  # it is not worse, though nothing shows that it is better
        wanted = "no worse than the margin"
    assert judged(low, high, margin, shown=False) == wanted
    # Without a test there is nothing to say of an interval that does not contain 0.
    if margin is None:
        wanted = "no difference seen" if low <= 0 <= high else "cannot tell"
    assert judged(low, high, margin, shown=False, tried=False) == wanted


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
    said = (
        "worse in total, though the difference is above 0 in every slice of k (Simpson's paradox)"
    )
    assert said in str(found)
    assert "Simpson" in found.to_html()
    same = sy.compare(log, **ROLES, score=["old", "old + 0"], metrics=["auc"], by="k")
    assert "Simpson" not in str(same)


def test_a_slice_that_got_worse_while_all_others_improved() -> None:
    """Its q is that of the table, not one that counts the others as certain not to be worse."""
    log = sliced(6, slices=12)
    rng = np.random.default_rng(16)
    noise = rng.normal(size=len(log["k"]))
    log["new"] = np.where(log["k"] == 3, log["old"] + 2.0 * noise, log["old"] + log["click"])
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"], by="k")
    row = found.row("auc", k=3)
    assert 0.01 < row.p < 0.05  # 12 times that is beyond 0.1
    assert row.q <= 0.1
    assert row.outcome == "worse"


def test_a_constant_factor_needs_q_too() -> None:
    """b − a is the same on every resample, b + a is not: the claim is not exact."""
    log = sliced(7)
    chance = 1 / (1 + np.exp(0.8 - log["old"]))
    fair = chance * (log["click"].mean() / chance.mean())
    log["old"], log["new"] = fair * 1.02, fair / 1.02
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["copc"], by="k")
    for row in found:
        if row.slice:
            assert row.q is not None
            assert row.q <= 0.1 or row.outcome == "no difference seen"


def test_small_slices_are_not_judged() -> None:
    """Of noise, slices of 4 rows go from an AUC of 1 to 0 and have no influences."""
    rng = np.random.default_rng(1)
    log = {
        "click": np.tile([0, 1, 0, 1], 60),
        "old": rng.random(240),
        "new": rng.random(240),
        "user": np.arange(240) // 2,
        "k": np.arange(240) // 4,
    }
    found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["auc"], by="k")
    rows = [row for row in found if row.slice]
    assert any(row.low == row.high != 0 for row in rows)
    assert not {"better", "worse"} & {row.outcome for row in rows}
    few = sliced(9)
    few["new"] = np.where(few["k"] == 2, -few["old"], few["old"])
    few["user"] = few["user"] // 60 * 20 + few["k"]  # 20 users a slice
    row = sy.compare(few, **ROLES, score=["old", "new"], metrics=["auc"], by="k").row("auc", k=2)
    assert row.high < 0
    assert row.outcome == "cannot tell"
    assert "fewer than 30 clusters" in row.why


def test_rounding_is_no_difference() -> None:
    log = double(LOG.columns)
    scores = {"old": "fair", "new": "fair * 0.1 * 10"}
    for row in sy.compare(log, **ROLES, score=scores, metrics=["copc", "logloss"]):
        assert (row.difference, row.low, row.high, row.p) == (0, 0, 0, 1)
        assert row.outcome == "no difference seen"


def test_no_p_where_there_is_no_difference_or_no_doubt() -> None:
    none = {**LOG.columns, "click": np.zeros_like(LOG.columns["click"])}
    row = sy.compare(none, none, **ROLES, score="score", metrics=["copc"]).row("copc")
    assert (row.difference, row.p) == (None, None)
    truth = np.arange(80.0)
    numbers = {"y": truth, "a": truth + 0.125, "b": truth + 0.5, "u": np.arange(80) // 2}
    found = sy.compare(numbers, label="y", prediction=["a", "b"], cluster="u", metrics=["bias"])
    row = found.row("bias")
    assert (row.difference, row.p, row.outcome) == (-0.375, None, "worse")
    assert "differs on every resample" in str(found)


def positive_tests(factors: tuple[float, float], logs: int) -> int:
    """How many of so many logs of 6 slices that changed alike have p < 0.05."""
    positive = 0
    for seed in range(logs):
        log = sliced(seed, slices=6)
        chance = 0.4 / (1 + np.exp(0.8 - log["old"]))
        rng = np.random.default_rng(seed)
        log["click"] = (rng.random(len(chance)) < chance).astype(int)
        noise = np.exp(0.2 * rng.normal(size=len(chance)) - 0.02)
        log["old"], log["new"] = factors[0] * chance, np.minimum(factors[1] * chance * noise, 1)
        found = sy.compare(log, **ROLES, score=["old", "new"], metrics=["copc"], by="k")
        positive += found.tests[0].p < 0.05
    return positive


def test_slices_that_changed_alike_do_not_differ() -> None:
    """Of 20 tests at 5 %, 5 or more are positive once in 390; it was 16 of 20."""
    assert positive_tests((1.05, 1 / 1.05), 20) <= 4


@pytest.mark.full
@pytest.mark.parametrize("factors", [(1.05, 1 / 1.05), (1.0, 1.15), (1.6, 1 / 1.6), (1.0, 1.0)])
def test_slices_that_changed_alike_do_not_differ_in_any_case(factors: tuple[float, float]) -> None:
    """Of 150 tests at 5 %, 17 or more are positive once in 1,000."""
    assert positive_tests(factors, 150) <= 16


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
