"""Aggregated rows give the numbers of the single rows that they aggregate."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from tests.tables.binary import NUMBERS

RANDOM = np.random.default_rng(11)
ROWS = 40
TRIALS = RANDOM.integers(0, 9, ROWS)
CLICKS = (TRIALS * RANDOM.random(ROWS)).astype(np.int64)
SCORE = np.round(RANDOM.random(ROWS), 1)
COUNTRY = RANDOM.choice(["DE", "US"], ROWS)
WEIGHTS: dict[str, Any] = {
    "none": None,
    "whole": RANDOM.integers(0, 4, ROWS),
    "float32": RANDOM.random(ROWS).astype(np.float32),
    "float64, whose products need more than 53 bits": RANDOM.random(ROWS) / 3,
    "subnormal": np.full(ROWS, 5e-324),
}


def single_rows(weight: Any) -> dict[str, Any]:
    """One row for every impression."""
    rows = np.repeat(np.arange(ROWS), TRIALS)
    nth = np.arange(len(rows)) - np.repeat(np.cumsum(TRIALS) - TRIALS, TRIALS)
    columns = {"y": (nth < CLICKS[rows]).astype(int), "s": SCORE[rows], "c": COUNTRY[rows]}
    return columns if weight is None else {**columns, "w": weight[rows]}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_aggregated_rows_give_the_numbers_of_single_rows(kind: str) -> None:
    weight = WEIGHTS[kind]
    columns = {"clicks": CLICKS, "shown": TRIALS, "s": SCORE, "c": COUNTRY}
    if weight is not None:
        columns["w"] = weight
    more: dict[str, Any] = {"weight": None if weight is None else "w", "by": "c"}
    found = sy.evaluate(columns, label="clicks", trials="shown", score="s", metrics=NUMBERS, **more)
    expected = sy.evaluate(single_rows(weight), label="y", score="s", metrics=NUMBERS, **more)
    assert found.rows == expected.rows


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"clicks": np.where(np.arange(ROWS) == 3, 99, CLICKS)}, "larger than shown in 1 row, "),
        ({"clicks": np.where(np.arange(ROWS) == 5, 0.5, CLICKS)}, "clicks has 1 value that is not"),
        ({"shown": np.where(np.arange(ROWS) > 37, -1, TRIALS)}, "shown has 2 values that are not"),
        ({"clicks": np.array(["a"] * ROWS)}, "clicks holds values of type str"),
    ],
)
def test_impossible_counts_are_refused(change: dict[str, Any], message: str) -> None:
    columns = {"clicks": CLICKS, "shown": TRIALS, "s": SCORE, **change}
    with pytest.raises(sy.InputError, match=message):
        sy.evaluate(columns, label="clicks", trials="shown", score="s")


def test_counts_beyond_64_bits() -> None:
    row = sy.evaluate(
        label=[2**62, 2**62], trials=[2**62, 2**62 + 5], score=[0.1, 0.2], metrics="auc"
    ).rows[0]
    assert (row.n, row.positives, row.negatives) == (2**63 + 5, 2**63, 5)


def test_a_product_beyond_the_largest_float() -> None:
    with pytest.raises(
        sy.InputError, match=r"is beyond the largest float, but at most 1\.8e308 is possible"
    ):
        sy.evaluate(label=[10], trials=[1000], score=[0.1], weight=[1e308], metrics="recall")
