"""Intervals contain the truth about as often as they say: a quick part of `bench.coverage`."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

import steelyard as sy
from bench import coverage
from bench.simulated_errors import ErrorProcess, drawn_errors, error_truth
from bench.simulated_logs import (
    NODES,
    WEIGHTS,
    Process,
    drawn,
    drawn_with_both,
    fixed,
    truth,
)
from steelyard.stats.intervals import MAY_LEAVE

FIVE_ROWS = coverage.CELLS[1]
LIMITS = ("one user 1,416", "bias SD 0.5")  # what docs/intervals.md says intervals cannot do
FEW_USERS = [
    cell
    for cell in coverage.CELLS
    if cell.users < 100 and not any(limit in cell.name for limit in LIMITS)
]
REPETITIONS = 200


@pytest.mark.parametrize("cell", [FIVE_ROWS, *FEW_USERS], ids=lambda cell: cell.name)
def test_intervals_and_comparisons_keep_their_promise(cell: coverage.Cell) -> None:
    """Bounds are four standard errors from the promise: only a bug is outside."""
    slack = 4 * math.sqrt(0.95 * 0.05 / REPETITIONS)
    for metric, count in coverage.measured(cell, REPETITIONS).items():
        assert count.lost == 0
        assert count.covered / REPETITIONS >= 0.95 - slack, metric
        assert count.different / REPETITIONS <= 0.05 + slack, metric


@pytest.mark.parametrize("rows", [1, 6])
def test_the_truth_is_that_of_a_large_log(rows: int) -> None:
    process = Process(fixed(rows), 0.25)
    log = drawn(np.random.default_rng(7), process, 20_000)
    known = truth(process)
    assert ("gauc" in known) == (rows > 1)
    for metric, value in known.items():
        found = sy.evaluate(
            label=log.label,
            score=log.one,
            group=log.users if metric == "gauc" else None,
            cluster=log.users,
            confidence=0.999,
            metrics=metric,
        ).row(metric)
        assert found.low is not None
        assert found.high is not None
        assert found.low <= value <= found.high, metric


def test_the_truth_of_errors_is_that_of_a_large_log() -> None:
    process = ErrorProcess(fixed(3), 0.15)
    log = drawn_errors(np.random.default_rng(7), process, 40_000)
    known = error_truth(process)
    found = sy.evaluate(
        label=log.label,
        prediction=log.one,
        cluster=log.users,
        confidence=0.999,
        metrics=list(known),
    )
    for row in found.rows:
        assert row.low is not None
        assert row.high is not None
        assert row.low <= known[row.metric] <= row.high, row.metric


def test_users_with_both_classes() -> None:
    rng = np.random.default_rng(3)
    process = Process(fixed(5), 0.25)
    first = drawn(rng, process, 50)
    log = drawn_with_both(rng, process, 50, first)
    assert log.users.tolist() == np.repeat(np.arange(50), 5).tolist()
    assert log.with_both.tolist() == list(range(50))


def rare_class_logs(logs: int, users: int) -> dict[str, Any]:
    """Logs whose users have about 20 rows of two classes, and a tenth of them a row called "c"."""
    rng = np.random.default_rng(11)
    count = logs * users
    own = {"a": 1.0, "b": 1.5, "c": 0.0}
    parts = []
    for name, level in own.items():
        rows = rng.poisson(10 if name != "c" else 0.1, count)
        owner = np.repeat(np.arange(count), rows)
        right = expit(level + 0.7 * rng.standard_normal(count))[owner] > rng.random(len(owner))
        other = {"a": "b", "b": "c", "c": "a"}[name]
        parts.append((owner, np.full(len(owner), name), np.where(right, name, other)))
    owner, called, true = (np.concatenate(column) for column in zip(*parts, strict=True))
    return {"user": owner, "p": called, "y": true, "log": owner // users}


def test_a_macro_mean_has_an_interval_only_where_it_can_keep_its_promise() -> None:
    """With the truth of infinitely many users, the mean over classes of E[expit(level + 0.7·z)]."""
    rows = rare_class_logs(400, 60)
    known = float(np.mean([expit(level + 0.7 * NODES) @ WEIGHTS for level in (1.0, 1.5, 0.0)]))
    found = sy.evaluate(
        rows, label="y", prediction="p", cluster="user", by="log", metrics="precision(macro)"
    )
    logs = [row for row in found.rows if row.slice]
    whys = [row.details.get("no_interval") for row in logs]
    assert whys.count(MAY_LEAVE) == len(whys) - whys.count(None) > 100
    ends = [(row.low, row.high) for row in logs if row.low is not None and row.high is not None]
    assert len(ends) > 150
    covered = sum(low <= known <= high for low, high in ends) / len(ends)
    assert covered >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / len(ends))
