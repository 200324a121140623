"""Intervals of curve metrics where a slice has rows of one class, or of one cluster."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.model import Floats
from steelyard.stats.intervals import AT_END
from tests.laws import influences as laws
from tests.laws.influences import Case

RANDOM = np.random.default_rng(2)
COUNT = 200
SLICES = RANDOM.choice(["clicks", "skips", "x"], COUNT)
ROWS = {
    "y": np.where(SLICES == "x", RANDOM.integers(0, 2, COUNT), SLICES == "clicks"),
    "s": RANDOM.integers(0, 30, COUNT) / 30.0,
    "c": np.concatenate([np.arange(12), RANDOM.integers(0, 12, COUNT - 12)]),
    "g": SLICES,
    "w": np.ones(COUNT),
}
CASE = Case(ROWS, ["auc", "gini", "ap"], label="y", score="s")


def test_slices_of_one_class_leave_the_others_as_they_are() -> None:
    """Placements are 0/0 there, and exact sums of NaN do not end."""
    laws.check_order(CASE, seed=6)
    result = CASE.evaluate()
    found, details = laws.intervals(result), laws.by_place(result, "details")
    assert found["auc", "clicks"] == found["ap", "skips"] == (None, None, None, None)
    assert found["ap", "clicks"][:3] == (1.0, None, None)
    assert details["ap", "clicks"]["no_interval"] == AT_END
    assert found["auc", "x"][1] is not None


def test_rows_of_one_cluster_have_no_interval() -> None:
    laws.check_one_cluster(CASE)


PRICES = np.round(RANDOM.lognormal(2, 2, COUNT), 2)
NO_CLASS: dict[str, dict[str, Any]] = {
    "binary": {"label": "one", "score": "s", "positive": 1, "metrics": ["auc", "gini"]},
    "classes": {"label": "one", "score": ["t", "u", "v"], "classes": [0, 1, 2], "metrics": "auc"},
}


@pytest.mark.parametrize("roles", NO_CLASS.values(), ids=NO_CLASS)
@pytest.mark.parametrize("weights", [PRICES, PRICES * 10.0 ** RANDOM.integers(-6, 6, COUNT)])
@pytest.mark.parametrize("one", [0, 1])
def test_a_class_without_rows_and_weights_of_many_digits(
    roles: dict[str, Any], weights: Floats, one: int
) -> None:
    """No value and the reason: weights that are no whole numbers are Python integers inside."""
    rows = ROWS | {"one": np.full(COUNT, one), "w": weights}
    rows |= {"t": ROWS["s"], "u": (1 - ROWS["s"]) / 2, "v": (1 - ROWS["s"]) / 2}
    named = {**roles, "weight": "w", "cluster": "c"}
    result = sy.evaluate(rows, **named, by="g")
    assert {row.value for row in result} == {None}
    whys = {row.why for row in result}
    assert None not in whys
    assert all(str(why) in result.to_html() for why in whys)
    if "positive" in roles:
        compared = sy.compare(rows, **{**named, "score": ["s", "t"]})
        assert {row.difference for row in compared} == {None}
