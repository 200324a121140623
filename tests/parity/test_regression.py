"""Regression against scikit-learn and SciPy on random rows, and the differences that are meant.

Theirs are float sums: a value agrees within 1e-12 of itself, and of the scale where terms of both
signs cancel (R², deviance).
"""

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

import steelyard as sy
from steelyard.model import Array
from tests.effort import random_cases
from tests.parity.random_rows import agree, weights

CASES = random_cases(80, 150)


@dataclass(frozen=True)
class Sample:
    """Truth and prediction as numbers."""

    y: Array
    p: Array
    w: Array | None

    @property
    def copies(self) -> tuple[Array, Array]:
        """A whole weight is so many copies."""
        times = np.ones(len(self.y), int) if self.w is None else self.w
        return np.repeat(self.y, times), np.repeat(self.p, times)


def numbers(dice: np.random.Generator, count: int) -> tuple[Array, Array]:
    """Above zero: fine, tied, whole, float32, or of ten orders of magnitude."""
    kind = dice.integers(5)
    if kind == 0:
        return dice.random(count) + 0.1, dice.random(count) + 0.1
    if kind == 1:
        return dice.integers(1, 7, count) / 4, dice.integers(1, 7, count) / 4
    if kind == 2:
        return dice.integers(1, 30, count), dice.integers(1, 30, count)
    if kind == 3:
        y = (dice.random(count) + 0.5).astype(np.float32)
        return y, (y * (dice.random(count) + 0.5)).astype(np.float32)
    y = 10.0 ** dice.integers(-5, 6, count)
    return y, y * (dice.random(count) + 0.5)


def samples(seed: int, cases: int = CASES, whole: bool = False) -> Iterator[Sample]:
    dice = np.random.default_rng(seed)
    for _ in range(cases):
        count = int(dice.integers(3, 60))
        yield Sample(*numbers(dice, count), weights(dice, count, whole=whole))


# Theirs, our parameters, their parameters, the scale of what cancels.
THEIRS: dict[str, tuple[Callable[..., float], dict[str, Any], dict[str, Any], float]] = {
    "mae": (sk.mean_absolute_error, {}, {}, 0),
    "mse": (sk.mean_squared_error, {}, {}, 0),
    "rmse": (sk.root_mean_squared_error, {}, {}, 0),
    "mape": (sk.mean_absolute_percentage_error, {}, {}, 0),
    "r2": (sk.r2_score, {}, {}, 1),
    "rmsle": (sk.root_mean_squared_log_error, {}, {}, 0),
    "pinball": (sk.mean_pinball_loss, {"q": 0.3}, {"alpha": 0.3}, 0),
    "poisson_deviance": (sk.mean_poisson_deviance, {}, {}, 1),
}


def wide(column: Array) -> Array:
    """float64: scikit-learn would add up float32 as float32."""
    return column.astype(float)


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_sums(name: str) -> None:
    theirs, mine, options, scale = THEIRS[name]
    for one in samples(1):
        ours = getattr(sy, name)(one.y, one.p, sample_weight=one.w, **mine)
        value = theirs(wide(one.y), wide(one.p), sample_weight=one.w, **options)
        if math.isnan(ours):  # R² of a truth that does not vary: see below
            assert name == "r2"
            assert len(set(one.y.tolist())) == 1, one
        else:
            size = scale * max(1.0, float(np.abs(one.y).max()), abs(value))
            assert agree(ours, value, scale=size), one


def test_pinball_of_a_half_is_half_of_mae() -> None:
    for one in samples(2, CASES // 5):
        half = sy.pinball(one.y, one.p, q=0.5, sample_weight=one.w)
        assert agree(2 * half, sy.mae(one.y, one.p, sample_weight=one.w)), one


def test_largest_error() -> None:
    for one in samples(3):
        assert sy.max_error(one.y, one.p) == sk.max_error(wide(one.y), wide(one.p)), one


def test_median() -> None:
    """Of whole weights: the median of the copies. Not every release of theirs averages weights."""
    for one in samples(4, whole=True):
        y, p = one.copies
        theirs = sk.median_absolute_error(wide(y), wide(p))
        assert agree(sy.median_ae(one.y, one.p, sample_weight=one.w), theirs), one


@pytest.mark.parametrize("name", ["spearman", "kendall"])
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_ranks(name: str) -> None:
    theirs = {"spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
    for one in samples(5, whole=True):
        ours = getattr(sy, name)(one.y, one.p, sample_weight=one.w)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = theirs(*one.copies).statistic
        assert (math.isnan(ours) and math.isnan(value)) or agree(ours, value, scale=1), one


@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_gini_of_two_classes() -> None:
    """A truth of zeros and ones: 2·AUC − 1."""
    for one in samples(6):
        y = (one.y > np.median(one.y)).astype(float)
        if 0 < y.sum() < len(y):
            theirs = 2 * sk.roc_auc_score(y, one.p, sample_weight=one.w) - 1
            ours = sy.normalized_gini(y, one.p, sample_weight=one.w)
            assert agree(ours, theirs, scale=1), one


# --- differences that are meant ------------------------------------------------------------------


def test_a_truth_of_zero_has_no_relative_error() -> None:
    """They divide by 2.2e-16 instead: 1.1e15 for one zero among four truths."""
    y, p = [0.0, 2.0, 4.0, 5.0], [1.0, 1.0, 5.0, 5.0]
    assert sk.mean_absolute_percentage_error(y, p) > 1e15
    with pytest.warns(sy.UndefinedWarning, match="1 "):
        assert math.isnan(sy.mape(y, p))
    assert sy.mape(y, p, zeros="skip") == 0.25


def test_a_truth_that_does_not_vary_has_no_r2() -> None:
    """They say 1 for a perfect prediction and 0 for any other."""
    assert sk.r2_score([2, 2], [2, 2]) == 1
    assert sk.r2_score([2, 2], [1, 2]) == 0
    for p in ([2, 2], [1, 2]):
        with pytest.warns(sy.UndefinedWarning):
            assert math.isnan(sy.r2([2, 2], p))


def test_the_median_of_weights_that_meet_in_the_middle() -> None:
    """Weights 1 and 1 are two rows, whose median lies halfway, with weights or without."""
    assert sk.median_absolute_error([0, 0], [1, 3]) == 2
    assert sy.median_ae([0, 0], [1, 3]) == 2
    assert sy.median_ae([0, 0], [1, 3], sample_weight=[1, 1]) == 2
    assert sy.median_ae([0, 0], [1, 3], sample_weight=[0.5, 0.5]) == 2
