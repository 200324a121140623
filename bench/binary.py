"""Binary metrics of ten million rows, and of a hundred."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.metrics import roc_auc_score

import steelyard as sy
from bench.measure import Line, faster, import_time, memory, within
from steelyard.model import Array

ROWS = 10_000_000
TWELVE = [
    "auc",
    "ap",
    "pr_auc",
    "gini",
    "ks",
    "pnr",
    "break_even",
    "best_f1",
    "best_threshold",
    "precision_at_recall(0.9)",
    "tpr_at_fpr(0.1)",
    "lift(0.1)",
]


def lines() -> Iterator[Line]:
    rng = np.random.default_rng(20260101)
    scores = rng.random(ROWS, dtype=np.float32)
    weights = rng.random(ROWS, dtype=np.float32)
    few, half = (rng.random(ROWS) < rate for rate in (0.05, 0.5))
    yield from _unweighted(scores, few, half)
    columns: dict[str, Array] = {
        "uniform float32": weights,
        "uniform float64": rng.random(ROWS),
        "lognormal float64": rng.lognormal(size=ROWS),
    }
    yield from _weighted(scores, columns, {"5 %": few, "50 %": half})
    yield from _memory(scores, weights, few)
    yield from _small(rng)
    ratio = import_time("steelyard") / import_time("numpy")
    yield Line("import steelyard, in import numpy", ratio, 1.3, at_least=False)


def _unweighted(scores: Array, few: Array, half: Array) -> Iterator[Line]:
    def sort() -> Array:
        return np.sort(scores)

    name = "roc_auc, 10 M float32"
    yield faster(
        f"{name}, 5 % positive, times faster than scikit-learn",
        lambda: sy.roc_auc(few, scores),
        lambda: roc_auc_score(few, scores),
        18,
    )
    yield within(f"{name}, 5 %, in np.sort", lambda: sy.roc_auc(few, scores), sort, 2.5)
    yield within(f"{name}, 50 %, in np.sort", lambda: sy.roc_auc(half, scores), sort, 7)

    def twelve() -> sy.Result:
        return sy.evaluate(label=few, score=scores, metrics=TWELVE)

    yield within("twelve curve metrics, evaluate, 5 %, in np.sort", twelve, sort, 3.5)


def _weighted(
    scores: Array, columns: dict[str, Array], classes: dict[str, Array]
) -> Iterator[Line]:
    for rate, labels in classes.items():
        for kind, weights in columns.items():
            ours = partial(sy.roc_auc, labels, scores, sample_weight=weights)
            theirs = partial(roc_auc_score, labels, scores, sample_weight=weights)
            what = f"weighted roc_auc, {rate}, {kind} weights, times faster than scikit-learn"
            yield faster(what, ours, theirs, 8, runs=2)


def _memory(scores: Array, weights: Array, few: Array) -> Iterator[Line]:
    size = scores.nbytes + few.nbytes
    name = "peak extra memory in input columns"
    yield memory(f"roc_auc, {name}", lambda: sy.roc_auc(few, scores), size, 4)
    yield memory(
        f"weighted roc_auc, {name}",
        lambda: sy.roc_auc(few, scores, sample_weight=weights),
        size + weights.nbytes,
        4,
    )


def _small(rng: np.random.Generator) -> Iterator[Line]:
    labels, scores = rng.random(100) < 0.5, rng.random(100)

    def many(function: object) -> object:
        assert callable(function)
        for _ in range(300):
            function(labels, scores)
        return None

    yield faster(
        "roc_auc, 100 rows, times faster than scikit-learn",
        lambda: many(sy.roc_auc),
        lambda: many(roc_auc_score),
        5,
    )
