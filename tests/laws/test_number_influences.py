"""Influence values of regression metrics, where truths are far from 0 and sums nearly cancel."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import steelyard
from tests.laws.clustered_log import Columns

sy: Any = steelyard
Influence = dict[int, Fraction]  # by user
ROLES: dict[str, Any] = {"label": "y", "prediction": "p", "cluster": "u", "weight": "w"}


def rows_around(mean: float) -> Columns:
    """200 rows of 20 users; truths vary by about 1 around the mean."""
    random = np.random.default_rng(1)
    truth = mean + random.normal(size=200)
    return {
        "y": truth,
        "p": truth + random.normal(size=200) / 2,
        "u": random.integers(0, 20, 200),
        "w": random.integers(1, 5, 200) / 4,
    }


def of_r2(rows: Columns) -> Influence:
    """−w·[e² − (1 − R²)·(y − ȳ)²]/SST by definition; e² is the rounded term of a row."""
    y, w = ([Fraction(each) for each in rows[name].tolist()] for name in "yw")
    errors = [Fraction(each) for each in ((rows["p"] - rows["y"]) ** 2).tolist()]
    mean = sum(map(Fraction.__mul__, w, y), Fraction(0)) / sum(w)
    squares = [(each - mean) ** 2 for each in y]
    around, off = (
        sum(map(Fraction.__mul__, w, column), Fraction(0)) for column in (squares, errors)
    )
    found: Influence = {}
    for user, weight, square, error in zip(rows["u"].tolist(), w, squares, errors, strict=True):
        more = -weight * (error - off / around * square) / around
        found[user] = found.get(user, Fraction(0)) + more
    return found


def of_bias(rows: Columns) -> Influence:
    y, p, w = ([Fraction(each) for each in rows[name].tolist()] for name in "ypw")
    errors = list(map(Fraction.__sub__, p, y))
    bias = sum(map(Fraction.__mul__, w, errors), Fraction(0)) / sum(w)
    found: Influence = {}
    for user, weight, error in zip(rows["u"].tolist(), w, errors, strict=True):
        found[user] = found.get(user, Fraction(0)) + weight * (error - bias) / sum(w)
    return found


def influences(rows: Columns, metric: str) -> dict[int, float]:
    """As an evaluation has them."""
    state = sy.state(rows, metrics=[metric], **ROLES)
    evaluation = state.evaluation()
    (table,) = evaluation.tables
    (bound,) = evaluation.plan.metrics
    numbers = evaluation.column(table, bound, evaluation.sample(table)).numbers
    found = table.influences(bound, numbers)
    users = [state.clusters.key(number) for number in found.lines.clusters.tolist()]
    return dict(zip(users, found.all.tolist(), strict=True))


@pytest.mark.parametrize("mean", [0.0, 1e4, 1e8, 1e12, -1e15])
@pytest.mark.parametrize(("metric", "oracle"), [("r2", of_r2), ("bias", of_bias)])
def test_no_digit_is_lost_where_truths_are_far_from_0(
    metric: str, oracle: Any, mean: float
) -> None:
    """With rounded sums, R² was off by 3 times the largest influence at 1e8; bias 4e-4 at 1e12."""
    rows = rows_around(mean)
    expected, found = oracle(rows), influences(rows, metric)
    assert found.keys() == expected.keys()
    largest = max(map(abs, expected.values()))
    for user, influence in expected.items():
        assert abs(Fraction(found[user]) - influence) <= largest * Fraction(1, 2**51)


def test_the_interval_of_r2_does_not_move_with_the_truths() -> None:
    """Truths and predictions on a grid, so that those around 2**30 are the same differences."""
    rows = {name: np.round(column * 1024) / 1024 for name, column in rows_around(0.0).items()}
    far = {**rows, "y": rows["y"] + 2.0**30, "p": rows["p"] + 2.0**30}
    near, moved = (sy.evaluate(each, metrics=["r2"], **ROLES).rows[0] for each in (rows, far))
    assert (moved.value, moved.low, moved.high) == (near.value, near.low, near.high)
