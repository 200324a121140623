"""Intervals of curve metrics where a slice has rows of one class, or of one cluster."""

import numpy as np

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
