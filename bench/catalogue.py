"""Probabilities, classes and numbers: ten million rows, and the whole binary catalogue at once."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.metrics import confusion_matrix, log_loss, mean_squared_error

import steelyard as sy
from bench.measure import Line, faster, within
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.metrics.record import Metric

ROWS = 10_000_000
CLASSES = 10
FOUR = ["logloss", "brier", "copc", "ne"]
AVERAGED = ("precision", "recall", "f1", "accuracy")
AVERAGES = ("macro", "micro", "weighted")
OF_CLASSES = [f"{name}(average={how})" for name in AVERAGED for how in AVERAGES]
FAMILIES = ("binary", "curves", "calibration")


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(20260501)
    yield from _calibration(rng)
    yield from _classes(rng)
    yield from _numbers(rng)


def _calibration(rng: np.random.Generator) -> Iterator[Line]:
    for rate, odds in (("5 %", 19), ("50 %", 1)):
        score = rng.beta(1, odds, ROWS)
        label = (rng.random(ROWS) < score).astype(np.int64)
        table = partial(sy.evaluate, label=label, score=score)
        yield faster(
            f"{', '.join(FOUR)}, 10 M float64, {rate}, times faster than scikit-learn's log_loss",
            partial(table, metrics=FOUR),
            partial(log_loss, label, score),
            3,
        )
        whole = binary_catalogue()
        yield within(
            f"all {len(whole)} binary metrics, {rate}, in auc and logloss",
            partial(table, metrics=whole),
            partial(table, metrics=["auc", "logloss"]),
            2,
            runs=3,
        )


def binary_catalogue() -> list[str]:
    """Every metric of counts, curves and calibration that is a number and needs no other column."""
    found = [m for m in catalogue.every() if m.family in FAMILIES and m.shape is None]
    return [_spec(m) for m in found if not any(p.column for p in m.parameters)]


def _spec(metric: Metric) -> str:
    needed = [p.name for p in metric.parameters if p.default is REQUIRED]
    return f"{metric.name}({', '.join(f'{name}=0.5' for name in needed)})"


def _classes(rng: np.random.Generator) -> Iterator[Line]:
    truth = rng.integers(0, CLASSES, ROWS)
    called = np.where(rng.random(ROWS) < 0.7, truth, rng.integers(0, CLASSES, ROWS))
    yield faster(
        f"{CLASSES} classes, 10 M rows, {len(OF_CLASSES)} averages, mcc and kappa, times faster "
        "than scikit-learn's confusion_matrix",
        partial(sy.evaluate, label=truth, prediction=called, metrics=[*OF_CLASSES, "mcc", "kappa"]),
        partial(confusion_matrix, truth, called),
        5,
    )


def _numbers(rng: np.random.Generator) -> Iterator[Line]:
    truth = rng.lognormal(size=ROWS)
    predicted = truth * rng.lognormal(sigma=0.3, size=ROWS)
    yield within(
        "mse, 10 M rows, in scikit-learn's",
        partial(sy.mse, truth, predicted),
        partial(mean_squared_error, truth, predicted),
        6,
        runs=3,
    )
