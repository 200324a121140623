"""Influence values and intervals of the slope and the intercept of calibration."""

from typing import Any

import numpy as np
import pytest

from steelyard.model import Array
from tests.laws import influences as laws
from tests.laws.influences import Case, Columns

RANDOM = np.random.default_rng(8)
SPECS = ["calibration_slope", "calibration_intercept"]


def columns(clusters: int, rows: int) -> Columns:
    """Clicks of users who click more or less than the model says; a slice has clicks alone."""
    cluster = np.concatenate([np.arange(clusters), RANDOM.integers(0, clusters, rows - clusters)])
    logit = RANDOM.normal(-0.5, 1.0, rows)
    real = 0.2 + 0.8 * logit + RANDOM.normal(0.0, 0.6, clusters)[cluster]
    label = (RANDOM.random(rows) < 1.0 / (1.0 + np.exp(-real))).astype(np.int64)
    slice_ = np.array(["clicks", "x", "y"])[RANDOM.integers(0, 3, rows)]
    label[slice_ == "clicks"] = 1
    score = np.round(1.0 / (1.0 + np.exp(-logit)), 3)  # some are tied
    weight = RANDOM.integers(1, 9, rows) / 4.0
    return {"y": label, "s": score, "c": cluster, "g": slice_, "w": weight}


def with_certain(made: Columns) -> Columns:
    """The same rows, of which some of one slice have a probability of 0 or 1."""
    some = (made["g"] == "x") & (RANDOM.random(len(made["s"])) < 0.1)
    return {**made, "s": np.where(some, np.round(made["s"]), made["s"])}


ROWS = columns(10, 300)
OPTIONS: dict[str, Any] = {"label": "y", "score": "s"}
CASES = {
    "probabilities": Case(ROWS, SPECS, **OPTIONS),
    "float32": Case({**ROWS, "s": ROWS["s"].astype(np.float32)}, SPECS, **OPTIONS),
    "downsampled": Case(ROWS, SPECS, downsampled=0.1, **OPTIONS),
    "clipped": Case(with_certain(ROWS), SPECS, clip=0.01, **OPTIONS),
    "close to each other": Case({**ROWS, "s": 0.3 + ROWS["s"] * 2.0**-20}, SPECS, **OPTIONS),
}


@pytest.mark.parametrize("name", CASES)
def test_influences_are_derivatives_by_the_weight_of_a_cluster(name: str) -> None:
    assert laws.farthest(CASES[name]) < 1e-5


@pytest.mark.parametrize("name", CASES)
def test_no_bit_depends_on_the_order_of_rows_or_on_other_slices(name: str) -> None:
    laws.check_order(CASES[name], seed=4)


def test_rows_of_one_cluster_have_no_interval() -> None:
    laws.check_one_cluster(CASES["probabilities"])


def test_standard_errors_are_near_those_of_the_jackknife() -> None:
    case = Case(columns(50, 2000), SPECS, **{**OPTIONS, "by": None})
    found = laws.errors(case.evaluate())
    for place, error in laws.jackknife(case).items():
        assert found[place] == pytest.approx(error, rel=0.04), place


def test_a_slice_without_a_logit_leaves_the_others_as_they_are() -> None:
    """The slope of slice x has no value, as logits are infinite there."""
    case = Case(with_certain(ROWS), SPECS, **OPTIONS)
    expected = laws.intervals(CASES["probabilities"].evaluate())
    found = laws.intervals(case.evaluate())
    for metric in SPECS:
        assert found[metric, "x"] == (None, None, None, None)
        assert found[metric, "y"] == expected[metric, "y"]
        assert found[metric, "y"][1] is not None


def test_rows_as_clusters_give_the_sandwich_of_the_formula() -> None:
    """The matrices of the textbook; each row divided by 1 − its share of the divisor."""
    rows = {**ROWS, "c": np.arange(len(ROWS["c"]))}
    case = Case(rows, SPECS, **{**OPTIONS, "by": None})
    result = case.evaluate()
    found, details = laws.errors(result), laws.by_place(result, "details")
    slope, level = (laws.by_place(result, "value")[metric, None] for metric in SPECS)
    intercept = details["calibration_slope", None]["intercept"]
    logit = np.log(rows["s"] / (1.0 - rows["s"]))
    ones = np.ones(len(logit))
    both = _sandwich(rows, np.stack([ones, logit], axis=1), intercept + slope * logit)
    assert found["calibration_slope", None] == pytest.approx(both[1], rel=1e-9)
    alone = _sandwich(rows, ones[:, None], level + logit)
    assert found["calibration_intercept", None] == pytest.approx(alone[0], rel=1e-9)


def _sandwich(rows: Columns, x: Array, at: Array) -> Array:
    """The standard errors of the parameters of a logistic model with the columns x."""
    chance = 1.0 / (1.0 + np.exp(-at))
    bends = rows["w"] * chance * (1.0 - chance)
    bread = np.linalg.inv((x * bends[:, None]).T @ x)
    parts = x @ bread
    shares = bends[:, None] * parts**2 / np.diag(bread)  # of Σ w·μ(1 − μ)·(x − m)²
    moves = parts * (rows["w"] * (rows["y"] - chance))[:, None] / (1.0 - shares)
    count = len(at)
    errors: Array = np.sqrt((count - 1) / count * (moves**2).sum(axis=0))
    return errors
