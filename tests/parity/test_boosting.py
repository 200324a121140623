"""Parity with LightGBM and XGBoost in metrics that are not of rankings.

XGBoost computes in float32: its numbers agree within 1e-6, LightGBM's within 1e-12.
"""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from tests.parity.peers import boosted

BOUND = {"lightgbm": 1e-12, "xgboost": 1e-6}
DICE = np.random.default_rng(24)
RAW = np.round(DICE.normal(size=80), 1) + 0.05  # tied, and none at a probability of 0.5
LABEL = (DICE.random(80) < 1 / (1 + np.exp(-RAW))).astype(int)
MATRIX = DICE.normal(size=(80, 3))
TRUTH = DICE.integers(0, 3, 80)
NUMBER = DICE.integers(64, 640, 80) / 64  # a float32; LightGBM's mape divides by at least 1
FORECAST = NUMBER * DICE.uniform(0.5, 2, 80)

# Our metric, the tool's, and its objective. Errors are 1 - accuracy.
BINARY = [
    ("lightgbm", "auc", "auc", "binary"),
    ("lightgbm", "ap", "average_precision", "binary"),
    ("lightgbm", "logloss", "binary_logloss", "binary"),
    ("lightgbm", "accuracy", "binary_error", "binary"),
    ("xgboost", "auc", "auc", "binary:logistic"),
    ("xgboost", "logloss", "logloss", "binary:logistic"),
    ("xgboost", "accuracy", "error", "binary:logistic"),
]
CLASSES = [
    ("lightgbm", "logloss", "multi_logloss", "multiclass"),
    ("lightgbm", "accuracy", "multi_error", "multiclass"),
    ("xgboost", "auc", "auc", "multi:softprob"),
    ("xgboost", "logloss", "mlogloss", "multi:softprob"),
    ("xgboost", "accuracy", "merror", "multi:softprob"),
]
REGRESSION = [
    ("lightgbm", "mae", "l1", "regression"),
    ("lightgbm", "mse", "l2", "regression"),
    ("lightgbm", "rmse", "rmse", "regression"),
    ("lightgbm", "mape", "mape", "regression"),
    ("xgboost", "mae", "mae", "reg:squarederror"),
    ("xgboost", "rmse", "rmse", "reg:squarederror"),
    ("xgboost", "mape", "mape", "reg:squarederror"),
]


def agree(tool: str, metric: str, theirs: float, **rows: Any) -> bool:
    ours = sy.evaluate(metrics=metric, preset=tool, **rows)[metric]
    theirs = 1 - theirs if metric == "accuracy" else theirs
    return ours == pytest.approx(theirs, rel=BOUND[tool])


@pytest.mark.parametrize(("tool", "metric", "named", "objective"), BINARY)
def test_two_classes(tool: str, metric: str, named: str, objective: str) -> None:
    theirs = boosted(tool, named, objective, LABEL, RAW)
    assert agree(tool, metric, theirs, label=LABEL, score=1 / (1 + np.exp(-RAW)))


@pytest.mark.parametrize(("tool", "metric", "named", "objective"), CLASSES)
def test_many_classes(tool: str, metric: str, named: str, objective: str) -> None:
    theirs = boosted(tool, named, objective, TRUTH, MATRIX, num_class=3)
    share = np.exp(MATRIX) / np.exp(MATRIX).sum(axis=1, keepdims=True)
    assert agree(tool, metric, theirs, label=TRUTH, score=share, classes=[0, 1, 2])


@pytest.mark.parametrize(("tool", "metric", "named", "objective"), REGRESSION)
def test_regression(tool: str, metric: str, named: str, objective: str) -> None:
    theirs = boosted(tool, named, objective, NUMBER, FORECAST)
    assert agree(tool, metric, theirs, label=NUMBER, prediction=FORECAST)


@pytest.mark.parametrize(("metric", "named"), [("auc", "auc"), ("ap", "average_precision")])
def test_lightgbm_shows_1_without_positives(metric: str, named: str) -> None:
    theirs = boosted("lightgbm", named, "binary", np.zeros(3), np.array([0.1, 0.2, 0.3]))
    assert theirs == 1
    assert agree("lightgbm", metric, theirs, label=[0, 0, 0], score=[0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("tool", "named", "objective", "clip"),
    [
        ("lightgbm", "multi_logloss", "multiclass", 1e-15),
        ("xgboost", "mlogloss", "multi:softprob", 1e-16),
    ],
)
def test_a_sure_mistake_is_clipped(tool: str, named: str, objective: str, clip: float) -> None:
    """The one difference of the loss of many classes: ours has no value."""
    raw = np.array([[0.0, -900.0, -900.0]])
    theirs = boosted(tool, named, objective, np.array([1]), raw, num_class=3)
    assert theirs == pytest.approx(-np.log(clip), rel=1e-6)
    ours = sy.evaluate(
        label=[1], score=[[1.0, 0.0, 0.0]], classes=[0, 1, 2], metrics="logloss", preset=tool
    )
    assert ours.rows[0].value is None


def test_auc_mu_of_lightgbm_is_another_number() -> None:
    theirs = boosted("lightgbm", "auc_mu", "multiclass", TRUTH, MATRIX, num_class=3)
    for metric in ("auc", "auc(ovo)"):
        rows: dict[str, Any] = {"label": TRUTH, "score": MATRIX, "classes": [0, 1, 2]}
        assert sy.evaluate(metrics=metric, **rows)[metric] != pytest.approx(theirs, rel=1e-3)
