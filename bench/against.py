"""This checkout beside another one: the same operations, in turn, in two processes.

    python -m bench.against ../older/src          a line for each operation, and their mean
    python -m bench.against ../older/src gauc     operations with this in their name

A time is the least processor time of some runs. A busy machine slows both sides alike.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from math import exp, log
from os import environ
from pathlib import Path

import numpy as np

import steelyard as sy
from bench.operations.curves import TWELVE
from steelyard.model import Array

ROWS = 2_000_000
RUNS = 7
LARGEST, MEAN = 1.15, 1.05  # ratios that are still as fast
HERE = Path(__file__).parent.parent


def operations() -> dict[str, Callable[[], object]]:
    """What is measured, by name; its data are made once, before the first run."""
    return {**_scores(), **_probabilities(), **_groups(), **_other_tasks(), **_small()}


def _scores() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(1)
    score, double = rng.random(ROWS, dtype=np.float32), rng.random(ROWS)
    few, half = rng.random(ROWS) < 0.05, rng.random(ROWS) < 0.5
    light, heavy = rng.random(ROWS, dtype=np.float32), rng.lognormal(size=ROWS)
    digits = np.round(double, 3)
    slices = rng.integers(0, 50, ROWS)
    users = rng.integers(0, ROWS // 20, ROWS)
    log_ = {"y": half, "s": double, "by": slices, "u": users, "w": light}
    sliced = partial(sy.evaluate, log_, label="y", score="s", by="by")
    return {
        "auc float32 5 %": partial(sy.auc, few, score),
        "auc float32 50 %": partial(sy.auc, half, score),
        "auc float64 5 %": partial(sy.auc, few, double),
        "auc float64 50 %": partial(sy.auc, half, double),
        "auc of three digits": partial(sy.auc, half, digits),
        "auc float32 weights": partial(sy.auc, half, score, sample_weight=light),
        "auc float64 weights": partial(sy.auc, half, score, sample_weight=heavy),
        "twelve curve metrics 5 %": partial(sy.evaluate, label=few, score=score, metrics=TWELVE),
        "twelve curve metrics 50 %": partial(sy.evaluate, label=half, score=score, metrics=TWELVE),
        "twelve weighted": partial(
            sy.evaluate, label=half, score=score, weight=light, metrics=TWELVE
        ),
        "auc and ks by 50": partial(sliced, metrics=["auc", "ks"]),
        "auc, copc, logloss by 50, weights": partial(
            sliced, weight="w", metrics=["auc", "copc", "logloss"]
        ),
        "intervals by user": partial(
            sy.evaluate, log_, label="y", score="s", cluster="u", metrics=["auc", "copc", "logloss"]
        ),
        "roc and pr": partial(sy.evaluate, label=half, score=double, metrics=["roc", "pr"]),
    }


def _probabilities() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(2)
    score = rng.beta(1, 19, ROWS)
    label = (rng.random(ROWS) < score).astype(np.int64)
    weight = rng.random(ROWS)
    table = partial(sy.evaluate, label=label, score=score)
    found: dict[str, Callable[[], object]] = {
        "logloss, brier, copc, ne": partial(table, metrics=["logloss", "brier", "copc", "ne"]),
        "the same with weights": partial(
            table, weight=weight, metrics=["logloss", "brier", "copc", "ne"]
        ),
        "f1, precision, mcc": partial(table, metrics=["f1", "precision", "mcc"]),
    }
    for name in ("ece", "dsc", "ecce", "calibration_slope"):
        found[name] = partial(table, metrics=name)
        found[f"{name}, weights"] = partial(table, weight=weight, metrics=name)
    return found


def _groups() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(3)
    label, score = rng.random(ROWS) < 0.05, rng.random(ROWS, dtype=np.float32)
    dense = rng.integers(0, ROWS // 50, ROWS)
    sparse = rng.integers(0, 2**63 - 1, ROWS // 50)[dense]
    text = np.array([f"user-{key:08d}" for key in range(ROWS // 50)])[dense[: ROWS // 4]]
    log_ = {"y": label, "s": score, "u": dense, "by": rng.integers(0, 20, ROWS)}
    lists, length = ROWS // 100, 100
    grade = (rng.random((lists, length)) < 0.1) * rng.integers(1, 5, (lists, length))
    ranks = rng.random((lists, length), dtype=np.float32)
    columns: list[Array] = [grade.ravel(), ranks.ravel(), np.repeat(np.arange(lists), length)]
    order = rng.permutation(lists * length)
    return {
        "gauc, dense keys": partial(sy.gauc, label, score, group=dense),
        "gauc, random keys": partial(sy.gauc, label, score, group=sparse),
        "gauc, keys in order": partial(sy.gauc, label, score, group=np.sort(dense)),
        "gauc, text keys": partial(sy.gauc, label[: len(text)], score[: len(text)], group=text),
        "gauc, weights": partial(sy.gauc, label, score, group=dense, sample_weight=score),
        "gauc by 20": partial(
            sy.evaluate, log_, label="y", score="s", group="u", by="by", metrics="gauc"
        ),
        "rankings in order": partial(_rankings, *columns),
        "rankings shuffled": partial(_rankings, *(column[order] for column in columns)),
    }


def _rankings(grade: Array, score: Array, group: Array) -> object:
    four = ["ndcg@10", "map", "mrr", "recall@10"]
    return sy.evaluate(label=grade, score=score, group=group, metrics=four)


def _other_tasks() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(4)
    truth = rng.lognormal(size=ROWS)
    predicted = truth * rng.lognormal(sigma=0.3, size=ROWS)
    classes = rng.integers(0, 10, ROWS)
    called = np.where(rng.random(ROWS) < 0.7, classes, rng.integers(0, 10, ROWS))
    errors = ["mse", "mae", "r2", "mape", "rmsle", "poisson_deviance"]
    some = slice(0, ROWS // 4)
    averages = ["f1(average=macro)", "mcc", "kappa"]
    matrix = rng.random((ROWS // 20, 5))
    matrix /= matrix.sum(axis=1, keepdims=True)
    return {
        "regression": partial(sy.evaluate, label=truth, prediction=predicted, metrics=errors),
        "spearman, median_ae": partial(
            sy.evaluate,
            label=truth[some],
            prediction=predicted[some],
            metrics=["spearman", "median_ae"],
        ),
        "ten classes": partial(sy.evaluate, label=classes, prediction=called, metrics=averages),
        "auc of five classes": partial(
            sy.roc_auc, classes[: len(matrix)] % 5, matrix, multi_class="ovr"
        ),
    }


def _small() -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(5)
    label, score, group = rng.random(100) < 0.5, rng.random(100), rng.integers(0, 10, 100)
    eight = ["auc", "ap", "ks", "logloss", "copc", "ece", "f1", "brier"]
    calls: dict[str, Callable[[], object]] = {
        "auc": partial(sy.auc, label, score),
        "logloss": partial(sy.logloss, label, score),
        "ece": partial(sy.ece, label, score),
        "gauc": partial(sy.gauc, label, score, group=group),
        "ndcg": partial(sy.ndcg, label, score, group=group, k=10),
        "eight metrics": partial(sy.evaluate, label=label, score=score, metrics=eight),
    }
    return {f"{name} of 100 rows": partial(_often, call) for name, call in calls.items()}


def _often(call: Callable[[], object]) -> None:
    for _ in range(50):
        call()


def measure_on_request() -> None:
    """Run the operation named on each line of stdin; print its processor time."""
    known = operations()
    print("\n".join(known), end="\n\n", flush=True)
    for line in sys.stdin:
        start = time.process_time()
        known[line.strip()]()
        print(time.process_time() - start, flush=True)


def _started(source: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bench.against"],
        cwd=HERE,
        env={**environ, "PYTHONPATH": source},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _names(process: "subprocess.Popen[str]") -> list[str]:
    assert process.stdout is not None
    return [line.strip() for line in iter(process.stdout.readline, "\n")]


def _seconds(process: "subprocess.Popen[str]", name: str) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    print(name, file=process.stdin, flush=True)
    return float(process.stdout.readline())


def ratios(other: str, part: str) -> Iterator[tuple[str, float]]:
    """Of each operation with `part` in its name, our time over that of the other checkout."""
    sides = [_started(source) for source in (str(HERE / "src"), str(Path(other).resolve()))]
    try:
        names, _ = (_names(side) for side in sides)
        for name in names:
            if part in name:
                runs = [[_seconds(side, name) for side in sides] for _ in range(RUNS)]
                ours, theirs = (min(side) for side in zip(*runs, strict=True))
                yield name, ours / theirs
    finally:
        for side in sides:
            side.kill()
            side.wait()


def main(other: str, part: str = "") -> int:
    found = []
    for name, ratio in ratios(other, part):
        found.append(ratio)
        print(f"{'ok  ' if ratio <= LARGEST else 'MISS'}  {ratio:6.3f}  {name}", flush=True)
    mean = exp(sum(map(log, found)) / len(found))
    print(f"{'ok  ' if mean <= MEAN else 'MISS'}  {mean:6.3f}  geometric mean")
    return 1 if mean > MEAN or max(found) > LARGEST else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(*sys.argv[1:3]))
    measure_on_request()
