"""The oracles of regression against scikit-learn and SciPy."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from steelyard.model import Array
from tests.oracles import regression as oracle
from tests.oracles.answers import Answer, Near, Why
from tests.oracles.regression import Row, rows_of


def number(answer: Answer) -> float:
    assert not isinstance(answer, Why), answer
    return float(answer.value if isinstance(answer, Near) else answer)


def sample(seed: int, weighted: bool) -> tuple[Array, Array, Array]:
    """Positive numbers; half of the samples on a grid that makes ties."""
    dice = np.random.default_rng(seed)
    y = dice.gamma(2.0, 3.0, 70) + 0.1
    p = y * np.exp(dice.normal(0, 0.5, 70)) + 0.1
    if seed % 2:
        y, p = np.ceil(y / 2), np.ceil(p / 2)
    w = dice.integers(1, 6, 70).astype(float) if weighted else np.ones(70)
    return y, p, w


def rows(y: Array, p: Array, w: Array) -> list[Row]:
    return rows_of(y.tolist(), p.tolist(), w.tolist())


THEIRS: dict[str, tuple[Callable[..., float], dict[str, Any], dict[str, Any]]] = {
    "mae": (sk.mean_absolute_error, {}, {}),
    "mse": (sk.mean_squared_error, {}, {}),
    "rmse": (sk.root_mean_squared_error, {}, {}),
    "mape": (sk.mean_absolute_percentage_error, {}, {}),
    "r2": (sk.r2_score, {}, {}),
    "rmsle": (sk.root_mean_squared_log_error, {}, {}),
    "pinball": (sk.mean_pinball_loss, {"q": 0.3}, {"alpha": 0.3}),
    "poisson_deviance": (sk.mean_poisson_deviance, {}, {}),
}
each = pytest.mark.parametrize(("seed", "weighted"), [(s, w) for s in range(1, 5) for w in (0, 1)])


@each
@pytest.mark.parametrize("name", THEIRS)
def test_sums(name: str, seed: int, weighted: bool) -> None:
    y, p, w = sample(seed, weighted)
    theirs, mine, options = THEIRS[name]
    ours = getattr(oracle, name)(rows(y, p, w), **mine)
    assert number(ours) == pytest.approx(theirs(y, p, sample_weight=w, **options), rel=1e-11)


@each
def test_the_rest_of_the_sums(seed: int, weighted: bool) -> None:
    y, p, w = sample(seed, weighted)
    ours = rows(y, p, w)
    assert number(oracle.bias(ours)) == pytest.approx(np.average(p - y, weights=w), rel=1e-11)
    both = np.average(2 * abs(p - y) / (abs(y) + abs(p)), weights=w)
    assert number(oracle.smape(ours)) == pytest.approx(both, rel=1e-12)
    expected = (w * abs(p - y)).sum() / (w * abs(y)).sum()
    assert number(oracle.wape(ours)) == pytest.approx(expected, rel=1e-12)
    assert number(oracle.max_error(ours)) == sk.max_error(y, p)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_median(seed: int) -> None:
    """A weight is copies: the plain median of them."""
    y, p, w = sample(seed, weighted=True)
    copies = np.repeat(abs(y - p), w.astype(int))
    assert number(oracle.median_ae(rows(y, p, w))) == np.median(copies)
    ones = np.ones(len(y))
    assert number(oracle.median_ae(rows(y, p, ones))) == sk.median_absolute_error(y, p)


@each
def test_orders(seed: int, weighted: bool) -> None:
    y, p, w = sample(seed, weighted)
    ours = rows(y, p, w)
    copies = [np.repeat(column, w.astype(int)) for column in (y, p)]
    rho = stats.spearmanr(*copies).statistic
    assert number(oracle.spearman(ours)) == pytest.approx(rho, rel=1e-12)
    tau = stats.kendalltau(*copies).statistic
    assert number(oracle.kendall(ours)) == pytest.approx(tau, rel=1e-12)
    up, best = (oracle.gini_by_area(ours, key) for key in (lambda r: r.p, lambda r: r.y))
    assert oracle.normalized_gini(ours) == up / best


def test_gini_without_ties_is_the_usual_sum() -> None:
    """Σ cumulated truth / total − (n + 1)/2, the highest prediction first."""
    y, p, w = sample(2, weighted=False)

    def usual(order: Array) -> float:
        truth = y[np.argsort(-order)]
        return float(np.cumsum(truth).sum() / truth.sum() - (len(truth) + 1) / 2)

    ours = number(oracle.normalized_gini(rows(y, p, w)))
    assert ours == pytest.approx(usual(p) / usual(y), rel=1e-12)


def test_gini_of_two_classes_is_that_of_the_curve() -> None:
    """2·AUC − 1, where the truth is 0 or 1."""
    dice = np.random.default_rng(7)
    y, p = dice.integers(0, 2, 50).astype(float), dice.integers(0, 9, 50).astype(float)
    expected = 2 * sk.roc_auc_score(y, p) - 1
    ours = number(oracle.normalized_gini(rows(y, p, np.ones(50))))
    assert ours == pytest.approx(expected, rel=1e-12)


def test_zeros() -> None:
    given = rows_of([0, 2, 0, 4], [1, 1, 0, 5])
    assert oracle.mape(given) == Why(
        "2 rows have a truth of 0: leave such rows out with zeros=skip"
    )
    assert oracle.mape(given, zeros="skip") == Fraction(3, 8)
    assert oracle.smape(given) == (2 + Fraction(2, 3) + 0 + Fraction(2, 9)) / 4
    assert oracle.wape(given) == Fraction(1, 2)
    assert isinstance(oracle.wape(rows_of([0, 0], [1, 2])), Why)


def test_nothing_varies() -> None:
    assert oracle.r2(rows_of([1, 1], [1, 2])) == oracle.TRUTH_IS_CONSTANT
    for name in ("spearman", "kendall"):
        function = getattr(oracle, name)
        assert function(rows_of([1, 1], [1, 2])) == oracle.TRUTH_IS_CONSTANT
        assert function(rows_of([1, 2], [1, 1])) == oracle.PREDICTION_IS_CONSTANT
    assert oracle.normalized_gini(rows_of([1, 2], [1, 1])) == 0
    assert oracle.normalized_gini(rows_of([1, 1], [1, 2])) == oracle.TRUTH_IS_CONSTANT
    assert oracle.median_ae([]) == oracle.NO_ROWS


def test_median_by_hand() -> None:
    """Half of the weight is reached at 1: the mean of 1 and 4."""
    assert oracle.median_ae(rows_of([0, 0, 0], [1, 4, 9], [2, 1, 1])) == Fraction(5, 2)
    assert oracle.median_ae(rows_of([0, 0, 0], [1, 4, 9], [2, 1, 2])) == 4
    assert oracle.median_ae(rows_of([0, 0], [1, 4], [0.1, 0.2])) == 4
    assert isinstance(oracle.rmse(rows_of([0], [2])), Decimal)
