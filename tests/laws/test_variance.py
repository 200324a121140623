"""Standard errors of clusters that differ in size: the jackknife's, and a literal oracle."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.metrics.influence import ATANH, LOG, OF_ERRORS, Influences, of_lines
from steelyard.stats.differences import combined
from steelyard.stats.intervals import intervals
from steelyard.stats.student import t_quantile
from steelyard.stats.variance import Spread, spread_of
from steelyard.views.clusters import ClusterLines
from tests.laws.clustered_log import make_log

SCORED: dict[str, Any] = {"label": "click", "score": "score", "group": "user", "weight": "weight"}
NUMBERS: dict[str, Any] = {"label": "truth", "prediction": "guess", "weight": "weight"}
QUOTIENTS = {  # without a cluster these move by its influence over 1 − its share, and no less
    "scores": (
        SCORED,
        [
            *("recall", "precision", "f1", "specificity", "npv", "fbeta(2)", "accuracy", "copc"),
            *("pcoc", "logloss", "brier", "prevalence", "gauc", "uauc", "map", "hit_rate@2"),
        ],
    ),
    "numbers": (
        NUMBERS,
        ["mse", "mae", "mape", "smape", "wape", "bias", "pinball(0.3)", "poisson_deviance"],
    ),
}


def heavy_log(large: float) -> Any:
    """A log of 12 users of which one has a large share of the weight."""
    log = make_log(12, seed=8)
    own = log.columns["user"] == 3
    log.columns["weight"][own] *= large * own.sum()
    return log


@pytest.mark.parametrize("kind", QUOTIENTS)
@pytest.mark.parametrize("large", [1.0, 64.0, 4096.0])
def test_the_variance_of_a_quotient_is_that_of_the_jackknife(kind: str, large: float) -> None:
    """(I − 1)/I·Σ(θ without c − θ)², also where one user has nearly all of the weight."""
    log, (roles, metrics) = heavy_log(large), QUOTIENTS[kind]
    found = sy.evaluate(log.columns, cluster="user", metrics=metrics, **roles)
    left_out = [sy.evaluate(log.without(user), metrics=metrics, **roles) for user in range(12)]
    for row in found.rows:
        assert row.value is not None
        moves = [(each[row.metric] or 0.0) - row.value for each in left_out]
        clusters = row.details["clusters"]
        square = (clusters - 1) / clusters * math.fsum(move * move for move in moves)
        assert row.details["standard_error"] ** 2 == pytest.approx(square, rel=1e-8), row.metric


# --- a literal oracle -----------------------------------------------------------------------------
def lines_of(clusters: int) -> ClusterLines:
    return ClusterLines(np.zeros(clusters, np.int64), np.arange(clusters), np.array([0, clusters]))


sixteenths = st.integers(-64, 64).map(lambda n: Fraction(n, 16))
sizes = st.integers(0, 31).map(lambda n: Fraction(n, 32))
clusters_of_one = st.lists(st.tuples(sixteenths, sizes, st.booleans()), min_size=2, max_size=7)


def as_floats(column: Any) -> Any:
    return np.array([float(each) for each in column])


def checked(found: Spread, variance: Fraction, moves: list[Fraction], count: int) -> None:
    """The spread of one slice, against the variance and the moves of its clusters."""
    squares, fourths = (sum((move**power for move in moves), Fraction(0)) for power in (2, 4))
    assert found.clusters[0] == count
    if count < 2:
        assert math.isnan(found.error[0])
        return
    assert found.error[0] ** 2 == pytest.approx(float(max(variance, Fraction(0))), rel=1e-12)
    if squares:
        over = count * fourths / squares**2 - 1
        freedom = min(count - 1.0, float(2 * count / over)) if over > 0 else count - 1.0
        assert found.freedom[0] == pytest.approx(freedom, rel=1e-11)
        largest = max(abs(move) for move in moves) ** 2
        assert found.largest[0] == pytest.approx(float(largest / squares), rel=1e-12)


@given(clusters_of_one)
def test_one_column_by_hand(rows: Any) -> None:
    rows = [(u if here else Fraction(0), h, here) for u, h, here in rows]
    column, shares, present = zip(*rows, strict=True)
    found = spread_of(
        of_lines(lines_of(len(rows)), as_floats(column), as_floats(shares), np.array(present))
    )
    moves, count = [u / (1 - h) for u, h, _ in rows], sum(present)
    variance = Fraction(count - 1, max(count, 1)) * sum((m * m for m in moves), Fraction(0))
    checked(found, variance, moves, count)


@given(st.lists(st.tuples(sixteenths, sizes, sixteenths, sizes), min_size=2, max_size=7))
def test_two_columns_by_hand(rows: Any) -> None:
    """Obuchowski's three sums; here every cluster has rows of both classes."""
    up, h_up, down, h_down = zip(*rows, strict=True)
    count, every = len(rows), np.ones(len(rows), bool)
    columns, shares = (tuple(map(as_floats, pair)) for pair in ((up, down), (h_up, h_down)))
    found = spread_of(Influences(lines_of(count), columns, shares, (every, every)))
    a, b = (
        [u / (1 - h) for u, h in zip(*pair, strict=True)] for pair in ((up, h_up), (down, h_down))
    )
    both = [x + y for x, y in zip(a, b, strict=True)]
    variance = Fraction(count - 1, count) * sum((m * m for m in both), Fraction(0))
    checked(found, variance, both, count)


@given(st.lists(sixteenths, min_size=2, max_size=9))
def test_clusters_of_the_same_size_have_the_variance_of_the_delta_method(column: Any) -> None:
    count = len(column)
    share = np.full(count, 1 / count)
    found = spread_of(of_lines(lines_of(count), as_floats(column), share, share > 0))
    expected = Fraction(count, count - 1) * sum((u * u for u in column), Fraction(0))
    assert found.error[0] ** 2 == pytest.approx(float(expected), rel=1e-13)


@pytest.mark.parametrize("unit", [2.0**-1060, 1.0, 2.0**1000])
def test_no_unit_of_influences_is_too_small_or_too_large(unit: float) -> None:
    column, share = np.array([3.0, -1.0, -2.0]), np.array([0.5, 0.25, 0.25])
    found = [
        spread_of(of_lines(lines_of(3), factor * column, share, share > 0)) for factor in (1, unit)
    ]
    assert found[1].error[0] / unit == pytest.approx(found[0].error[0], rel=1e-3)
    assert found[1].freedom[0] == pytest.approx(found[0].freedom[0], rel=1e-3)


# --- two logs -------------------------------------------------------------------------------------
def test_independent_logs_add_their_variances() -> None:
    """Clusters 0 to 2 are of one log, 3 to 6 of the other."""
    u, h = np.array([2.0, -1.0, -1.0]), np.array([0.5, 0.125, 0.375])
    v, g = np.array([1.0, 2.0, -4.0, 1.0]), np.array([0.1, 0.2, 0.3, 0.4])
    both = []
    for column, share, first in ((u, h, 0), (v, g, 3)):
        size = len(column)
        own = np.arange(first, first + size)
        lines = ClusterLines(np.zeros(size, np.int64), own, np.array([0, size]))
        both.append(of_lines(lines, column, share, share > 0))
    found = spread_of(combined(both, [np.ones(1), -np.ones(1)]))
    alone = [spread_of(each).error[0] ** 2 for each in both]
    assert found.error[0] ** 2 == pytest.approx(sum(alone), rel=1e-13)


def test_a_cluster_of_both_logs_has_the_larger_of_its_shares() -> None:
    u, h = np.array([2.0, -1.0, -1.0]), np.array([0.5, 0.125, 0.375])
    v, g = np.array([1.0, -3.0, 2.0]), np.array([0.25, 0.5, 0.25])
    both = [of_lines(lines_of(3), *each, np.ones(3, bool)) for each in ((u, h), (v, g))]
    moves = (u - v) / (1 - np.array([0.5, 0.5, 0.375]))
    found = spread_of(combined(both, [np.ones(1), -np.ones(1)]))
    assert found.error[0] ** 2 == pytest.approx(2 / 3 * (moves @ moves), rel=1e-13)


# --- scales ---------------------------------------------------------------------------------------
def of_error(error: float, freedom: float) -> Spread:
    return Spread(
        np.array([error]), np.array([freedom]), np.array([9]), np.zeros(1), np.zeros(1, bool)
    )


@pytest.mark.parametrize("value", [-0.999, -0.25, 0.0, 1e-9, 0.5, 0.99])
def test_the_scale_of_a_correlation(value: float) -> None:
    """tanh(artanh v ∓ t·error/(1 − v²)), inside −1 to 1."""
    half = float(t_quantile(0.975, np.array([8.0]))[0]) * 0.125 / (1 - value * value)
    found = intervals(np.array([value]), of_error(0.125, 8.0), ATANH, 0.95)
    low, high = (math.tanh(math.atanh(value) + sign * half) for sign in (-1, 1))
    assert found.low[0] == pytest.approx(low, abs=1e-14)
    assert found.high[0] == pytest.approx(high, abs=1e-14)
    assert -1 <= found.low[0] <= found.high[0] <= 1


def test_a_correlation_of_one_has_no_interval() -> None:
    for value in (1.0, -1.0):
        found = intervals(np.array([value]), of_error(0.0, 8.0), ATANH, 0.95)
        assert math.isnan(found.low[0])
        assert found.whys == {0: "it is at the end of its range"}


def test_errors_without_a_bound_have_half_of_the_degrees_of_freedom() -> None:
    log = make_log(20, seed=2).columns
    specs = ["mse", "rmse", "mae", "mape", "wape", "rmsle", "pinball(0.3)", "poisson_deviance"]
    roles: dict[str, Any] = {**NUMBERS, "cluster": "user"}
    errors = sy.evaluate(log, metrics=[*specs, "bias", "smape", "r2"], **roles)
    for row in errors.rows:
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        details = row.details
        assert (details["scale"] == LOG) == (row.metric in specs)
        if row.metric in specs:
            assert details["freedom"] <= 19 * OF_ERRORS.freedom == 9.5
            t = float(t_quantile(0.975, np.array([details["freedom"]]))[0])
            factor = math.exp(t * details["standard_error"] / row.value)
            assert row.low == pytest.approx(row.value / factor, rel=1e-12)
            assert row.high == pytest.approx(row.value * factor, rel=1e-12)
    assert errors.row("bias").details["freedom"] > 9.5


def test_no_error_at_all_has_no_interval() -> None:
    rows = {"y": [1.0, 2.0, 3.0], "p": [1.0, 2.0, 3.0], "u": [1, 2, 3]}
    (row,) = sy.evaluate(rows, label="y", prediction="p", cluster="u", metrics="mse").rows
    assert (row.value, row.low) == (0.0, None)
    assert row.details["no_interval"] == "it is at the end of its range"
