"""Calibration against scikit-learn and SciPy on random rows, and the differences that are meant."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression

import steelyard as sy
from steelyard.model import Array
from tests.effort import random_cases
from tests.parity.random_rows import BOUND, agree, weights

CASES = random_cases(80, 150)
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Sample:
    """Labels of both classes, and probabilities."""

    y: Array
    p: Array
    w: Array | None

    @property
    def weight(self) -> Array:
        return np.ones(len(self.y)) if self.w is None else self.w


def probabilities(dice: np.random.Generator, count: int) -> Array:
    """Fine, tied, rare, float32."""
    kind = dice.integers(4)
    if kind == 0:
        return dice.random(count) * 0.98 + 0.01
    if kind == 1:
        return dice.integers(1, 8, count) / 8
    if kind == 2:
        return 10.0 ** -dice.uniform(1, 6, count)
    return (dice.random(count) * 0.98 + 0.01).astype(np.float32)


def samples(seed: int, cases: int = CASES) -> Iterator[Sample]:
    dice = np.random.default_rng(seed)
    while cases:
        count = int(dice.integers(4, 80))
        y = (dice.random(count) < dice.choice([0.2, 0.5])).astype(int)
        if 0 < y.sum() < count:
            cases -= 1
            yield Sample(y, probabilities(dice, count), weights(dice, count))


# --- sums ----------------------------------------------------------------------------------------


def test_logloss() -> None:
    for one in samples(1):
        theirs = sk.log_loss(one.y, one.p.astype(float), sample_weight=one.w)
        assert agree(sy.logloss(one.y, one.p, sample_weight=one.w), theirs), one


def test_y_proba_is_another_word() -> None:
    y, p = [1, 0, 1], [0.8, 0.3, 0.6]
    assert sy.brier(y, y_proba=p) == sy.brier(y, p)
    assert sy.logloss(y, y_proba=p) == sy.logloss(y, p)


def test_brier() -> None:
    for one in samples(2):
        theirs = sk.brier_score_loss(one.y, one.p.astype(float), sample_weight=one.w)
        assert agree(sy.brier(one.y, one.p, sample_weight=one.w), theirs), one


def test_ne_and_rig() -> None:
    """Their D² of the log loss is 1 − NE."""
    for one in samples(3):
        theirs = sk.d2_log_loss_score(one.y, one.p.astype(float), sample_weight=one.w)
        assert agree(sy.rig(one.y, one.p, sample_weight=one.w), theirs, scale=10), one
        assert agree(sy.ne(one.y, one.p, sample_weight=one.w), 1 - theirs, scale=10), one


def test_copc_and_pcoc() -> None:
    for one in samples(4):
        clicks, said = one.weight @ one.y, one.weight @ one.p.astype(float)
        assert agree(sy.copc(one.y, one.p, sample_weight=one.w), clicks / said), one
        assert agree(sy.pcoc(one.y, one.p, sample_weight=one.w), said / clicks), one


def test_parts_of_brier() -> None:
    """Their isotonic regression recalibrates; the parts are differences of three Brier scores."""
    for one in samples(5):
        p = one.p.astype(float)
        fitted = IsotonicRegression().fit_transform(p, one.y, sample_weight=one.w)
        best = np.average((fitted - one.y) ** 2, weights=one.w)
        base = np.full(len(p), np.average(one.y, weights=one.w))
        unc = sk.brier_score_loss(one.y, base, sample_weight=one.w)
        raw = sk.brier_score_loss(one.y, p, sample_weight=one.w)
        given: dict[str, Any] = {"sample_weight": one.w}
        assert agree(sy.mcb(one.y, one.p, **given), raw - best, scale=1), one
        assert agree(sy.dsc(one.y, one.p, **given), unc - best, scale=1), one
        assert agree(sy.unc(one.y, one.p, **given), unc), one


def test_spiegelhalter() -> None:
    for one in samples(6):
        y, p, w = one.y, one.p.astype(float), one.weight
        z = (w @ ((y - p) * (1 - 2 * p))) / math.sqrt(w @ ((1 - 2 * p) ** 2 * p * (1 - p)))
        row = sy.evaluate(label=y, score=one.p, weight=one.w, metrics="spiegelhalter").row(
            "spiegelhalter"
        )
        assert row.value is not None
        assert agree(row.value, z, scale=10), one
        expected = 2 * stats.norm.sf(abs(z))
        assert math.isclose(row.details["p_value"], expected, rel_tol=1e-9, abs_tol=1e-290), one


# --- bins ----------------------------------------------------------------------------------------


def test_curve_of_equal_width() -> None:
    """Without weights, which theirs has not; probabilities that lie on no edge."""
    dice = np.random.default_rng(7)
    for _ in range(CASES // 3):
        p = dice.random(60)
        y = (dice.random(60) < p).astype(int)
        true, said = calibration_curve(y, p, n_bins=7)
        ours = sy.calibration_curve(y, p, bins=7, kind="width")
        np.testing.assert_allclose(ours.predicted, said, rtol=BOUND)
        np.testing.assert_allclose(ours.observed, true, rtol=BOUND)


def test_curve_of_equal_mass() -> None:
    """Where the rows fill the bins evenly, quantiles cut at the same places."""
    dice = np.random.default_rng(8)
    for _ in range(CASES // 3):
        p = dice.random(60)
        y = (dice.random(60) < p).astype(int)
        true, said = calibration_curve(y, p, n_bins=10, strategy="quantile")
        ours = sy.calibration_curve(y, p, bins=10)
        np.testing.assert_allclose(ours.predicted, said, rtol=BOUND)
        np.testing.assert_allclose(ours.observed, true, rtol=BOUND)
        assert agree(sy.ece(y, p, bins=10), float(np.abs(true - said).mean()), scale=1)


def test_hosmer_lemeshow() -> None:
    dice = np.random.default_rng(9)
    for _ in range(CASES // 5):
        p = dice.random(60) * 0.8 + 0.1
        y = (dice.random(60) < p).astype(int)
        order = np.argsort(p).reshape(10, 6)
        seen, said = y[order].sum(axis=1), p[order].sum(axis=1)
        both = [np.concatenate([n, 6 - n]) for n in (seen, said)]
        theirs = stats.chisquare(*both, sum_check=False).statistic
        row = sy.evaluate(label=y, score=p, metrics="hosmer_lemeshow").row("hosmer_lemeshow")
        assert row.value is not None
        assert agree(row.value, theirs, bound=1e-10)
        assert agree(row.details["p_value"], stats.chi2.sf(theirs, 10), bound=1e-9)


# --- logistic recalibration ----------------------------------------------------------------------


def level(slope: float, x: Array, y: Array, w: Array) -> float:
    """The intercept that fits best at a slope."""
    return float(
        optimize.brentq(lambda a: w @ (y - special.expit(a + slope * x)), -400, 400, xtol=1e-14)
    )


@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_slope_and_intercept() -> None:
    """At our values the likelihood has no slope left: a check of the root, not of another fit."""
    checked = 0
    for one in samples(10, CASES // 2):
        x, w = special.logit(one.p.astype(float)), one.weight
        slope = sy.calibration_slope(one.y, one.p, sample_weight=one.w)
        a = sy.calibration_intercept(one.y, one.p, sample_weight=one.w)
        if math.isnan(a):
            continue
        assert abs(w @ (one.y - special.expit(a + x))) <= 1e-9 * w.sum(), one
        if math.isnan(slope):
            continue
        rest = one.y - special.expit(level(slope, x, one.y, w) + slope * x)
        assert abs(w @ (rest * x)) <= 1e-7 * (w @ np.abs(x)), one
        checked += 1
    assert checked > CASES // 5


# --- differences that are meant ------------------------------------------------------------------


def test_a_probability_of_zero_for_what_happened() -> None:
    """They cut it to 2.2e-16; the loss is infinite, and how often is said. `clip` is a choice."""
    y, p = [1, 0, 1], [0.0, 0.2, 0.9]
    theirs = sk.log_loss(y, p)
    assert 12 < theirs < 13
    with pytest.warns(sy.UndefinedWarning, match="1 row"):
        assert math.isnan(sy.logloss(y, p))
    assert agree(sy.logloss(y, p, clip=EPS), theirs)


def test_a_probability_on_an_edge_starts_a_bin() -> None:
    """Theirs ends one: 0.5 of two bins is in the lower."""
    y, p = [1, 0, 0], [0.5, 0.25, 0.75]
    _, theirs = calibration_curve(y, p, n_bins=2)
    assert theirs.tolist() == [0.375, 0.75]
    assert sy.calibration_curve(y, p, bins=2, kind="width").predicted.tolist() == [0.25, 0.625]


def test_rows_of_one_probability_share_a_bin() -> None:
    """Quantiles of tied rows collapse in theirs too; our bins are by the middle of the block."""
    y, p = [1, 0, 1, 0], [0.3, 0.3, 0.3, 0.9]
    assert sy.calibration_curve(y, p, bins=4).predicted.tolist() == [0.3, 0.9]


# --- the preset of scikit-learn ------------------------------------------------------------------


def test_the_preset_has_its_losses() -> None:
    """Its float32 is rounded at every step."""
    for one in samples(9, 40):
        bound = 1e-5 if one.p.dtype == np.float32 else BOUND
        result = sy.evaluate(
            label=one.y, score=one.p, weight=one.w, metrics=["logloss", "brier"], preset="sklearn"
        )
        loss = sk.log_loss(one.y, one.p, sample_weight=one.w)
        assert agree(result["logloss"], loss, bound=bound), one
        square = sk.brier_score_loss(one.y, one.p, sample_weight=one.w)
        assert agree(result["brier"], square, bound=bound), one


@pytest.mark.parametrize("type_", ["float64", "float32"])
def test_the_preset_clips_at_the_epsilon_of_the_type(type_: str) -> None:
    y, p = [1, 0, 1, 0], np.array([0.0, 1.0, 1.0, 0.25], type_)
    result = sy.evaluate(label=y, score=p, metrics="logloss", preset="sklearn")
    bound = BOUND if type_ == "float64" else 1e-5
    assert agree(result["logloss"], sk.log_loss(y, p), bound=bound)
    cut = sy.evaluate(label=y, score=p, metrics="logloss", preset="sklearn", clip=1e-3)
    assert cut["logloss"] == sy.logloss(y, p, clip=1e-3)  # an option that is given wins
