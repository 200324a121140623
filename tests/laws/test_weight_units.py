"""Intervals do not depend on the unit of weights, down to the smallest float64 and up."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.model import Array
from steelyard.states import exact_sums
from tests.laws.clustered_log import Columns, make_log

RANDOM = np.random.default_rng(9)
SMALLEST = 5e-324


def log() -> Columns:
    made = make_log(30, seed=2).columns
    rows = len(made["user"])
    made["class"] = np.array(["a", "b", "c"])[RANDOM.integers(0, 3, rows)]
    made["called"] = np.where(RANDOM.random(rows) < 0.5, made["class"], "a")
    for name in "abc":
        made[name] = RANDOM.integers(1, 9, rows) / 16 + (made["class"] == name) / 4
    return made


LOG = log()
ROWS = len(LOG["user"])
READ: dict[str, tuple[list[str], dict[str, Any]]] = {
    "scores": (
        [
            *("auc", "ap", "calibration_slope", "calibration_intercept", "copc", "ne", "unc"),
            *("logloss", "brier", "f1", "mcc", "balanced_accuracy", "precision", 'ecpm("bid")'),
        ],
        {"label": "click", "score": "score"},
    ),
    "lists": (
        ["gauc(weight)", "ndcg(group_weight=weight)@3"],
        {"label": "click", "score": "score", "group": "list"},
    ),
    "numbers": (
        ["mae", "mse", "rmse", "bias", "mape", "wape", "r2", "rmsle", "poisson_deviance"],
        {"label": "truth", "prediction": "guess"},
    ),
    "classes": (
        ["recall(macro)", "f1(weighted)", "kappa", "mcc", "accuracy"],
        {"label": "class", "prediction": "called"},
    ),
    "class scores": (
        ["auc(ovr)", "auc(ovo)", "auc(ovr, average=weighted)", "auc(ovo, average=weighted)"],
        {"label": "class", "score": ["a", "b", "c"], "classes": ["a", "b", "c"]},
    ),
}
OF_LISTS = RANDOM.integers(1, 5, int(LOG["list"].max()) + 1)[LOG["list"]]
# Weights as whole numbers, and the power of two that makes them as small as float64 allows.
UNITS: dict[str, tuple[Array, int]] = {
    "smallest alone": (np.ones(ROWS), -1074),
    "few bits": (RANDOM.integers(1, 40, ROWS).astype(np.float64), -1074),
    "subnormal, mixed": (np.where(RANDOM.random(ROWS) < 0.5, 1.0, 1e-310 / SMALLEST), -1074),
    "subnormal alone": (np.full(ROWS, 1e-310 / SMALLEST), -1074),
    "largest": (RANDOM.integers(1, 40, ROWS).astype(np.float64), 1018),
}


def intervals(kind: str, weights: Array, **more: Any) -> list[Any]:
    metrics, roles = READ[kind]
    # A column that weights groups is constant within each.
    given = OF_LISTS * weights.min() if kind == "lists" else weights
    rows = {**LOG, "weight": given}
    weight = None if kind == "lists" else "weight"
    found = sy.evaluate(rows, cluster="user", weight=weight, metrics=metrics, **roles, **more).rows
    return [
        (row.slice, row.metric, row.value, row.low, row.high, row.details.get("standard_error"))
        for row in found
    ]


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize("unit", UNITS)
def test_weights_times_a_power_of_two_change_no_bit(kind: str, unit: str) -> None:
    whole, power = UNITS[unit]
    with np.errstate(all="raise"):
        scaled = np.ldexp(whole, power)
        assert (np.ldexp(scaled, -power) == whole).all()
        expected = intervals(kind, whole)
    assert all(low is not None for _, _, _, low, *_ in expected)
    assert intervals(kind, scaled) == expected
    assert intervals(kind, whole * 2.0**-7) == expected


@pytest.mark.parametrize("kind", [kind for kind in READ if kind != "lists"])
def test_a_slice_of_the_smallest_weights_is_not_lost_beside_one_of_the_largest(kind: str) -> None:
    whole, slices = UNITS["few bits"][0], LOG["country"]
    powers = np.select([slices == "DE", slices == "FR"], [-1074, 900], 0)
    expected, found = (
        [each for each in intervals(kind, weights, by="country") if each[0]]
        for weights in (whole, np.ldexp(whole, powers))
    )
    assert found == expected


def test_exact_sums_are_rounded_to_the_nearest() -> None:
    """Digits that end just above, below or at the middle between two floats."""
    ends = np.array([0, 0, 0, 1, 2**30, 2**31 - 1, -1, -(2**30), 2**9, 2**40])
    for places in range(1, 8):
        column = {
            31 * (place - 3): RANDOM.choice([*ends, RANDOM.integers(2**31)], 300)
            for place in range(places)
        }
        exact = [
            sum(
                Fraction(int(digit[line])) * Fraction(2) ** power for power, digit in column.items()
            )
            for line in range(300)
        ]
        found = exact_sums.floats(column, np.arange(300))
        assert found.tolist() == [each.numerator / each.denominator for each in exact]
        scaled = exact_sums.floats(column, np.arange(300), np.arange(300))
        assert scaled.tolist() == [float(each * 2**line) for line, each in enumerate(exact)]
