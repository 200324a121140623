"""Intervals contain the truth about as often as they say: a quick part of `bench.coverage`."""

import math

import numpy as np
import pytest

import steelyard as sy
from bench import coverage
from bench.simulated_errors import ErrorProcess, drawn_errors, error_truth
from bench.simulated_logs import Process, drawn, drawn_with_both, fixed, truth

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
