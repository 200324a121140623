"""Thinned curves: the same points for any ranges, and what they promise."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steelyard
from tests.tables.harness import ranges_of

sy: Any = steelyard  # roles as a mapping, which the stubs do not follow

CURVES = {
    "roc": ("fpr", "tpr"),
    "pr": ("recall", "precision"),
    "gains": ("depth", "capture"),
    "thresholds": ("fpr", "recall"),
}
WEIGHTS: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "none": lambda dice, count: None,
    "whole": lambda dice, count: dice.integers(1, 9, count),
    "tenths": lambda dice, count: dice.integers(1, 9, count) / 10,
    "far apart": lambda dice, count: 10.0 ** dice.integers(-30, 30, count),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("levels", [20, 300, 1 << 40])
def test_a_thinned_curve_does_not_depend_on_ranges(kind: str, levels: int) -> None:
    """Many more entries than points: ranges keep few of them, and always the same."""
    dice = np.random.default_rng(levels)
    y = dice.random(3000) < 0.4
    s = np.where(y, dice.beta(3, 2, 3000), dice.beta(2, 3, 3000))
    s = np.where(dice.random(3000) < 0.05, s.round(1), (s * levels).round() / levels)
    s[np.argsort(s)[-400:-200]] += 1  # a long run at the top, much of it positives
    rows = {"y": y, "s": s, "w": WEIGHTS[kind](dice, 3000)}
    roles = {"label": "y", "score": "s"} | ({} if rows["w"] is None else {"weight": "w"})
    rows = {name: column for name, column in rows.items() if column is not None}
    specs = [f"{name}({points})" for name in CURVES for points in (3, 7, 30)]
    whole = sy.evaluate(rows, **roles, metrics=specs)
    for size in (1, 10, 100, 1000):
        with ranges_of(size):
            found = sy.evaluate(rows, **roles, metrics=specs)
        for one, other in zip(whole.shapes, found.shapes, strict=True):
            assert one == other, (one.metric, size)
    for points in (3, 7, 30):
        _keeps_its_promise(whole, rows, points)


def _keeps_its_promise(result: Any, rows: dict[str, Any], points: int) -> None:
    y, s, w = rows["y"], rows["s"], rows.get("w")
    for name, (over, under) in CURVES.items():
        thin = result.shape(f"{name}({points})")
        every = getattr(sy, name)(y, s, sample_weight=w, points=100_000)
        assert len(thin.thresholds) <= points
        assert set(zip(*map(repr_each, thin), strict=False)) <= set(
            zip(*map(repr_each, every), strict=False)
        )
        if name != "thresholds":
            areas = [np.trapezoid(getattr(c, under), getattr(c, over)) for c in (every, thin)]
            assert abs(areas[0] - areas[1]) <= thin.area_error + 1e-12
    table = result.shape(f"thresholds({points})").thresholds
    for criterion in ("f1", "youden"):
        best = sy.best_threshold(y, s, sample_weight=w, criterion=criterion)
        assert best in table


def test_a_gain_curve_loses_nothing_within_a_run_of_positives() -> None:
    dice = np.random.default_rng(1)
    y = dice.random(3000) < 0.4
    found = sy.gains(y, y + dice.random(3000), points=5)  # every positive is above the negatives
    assert (len(found.depth), found.area_error) == (3, 0.0)
    alone = sy.gains(np.ones(3000, int), dice.random(3000), points=5)
    assert (alone.depth.tolist(), alone.area_error) == ([0.0, 1.0], 0.0)


def repr_each(column: Any) -> list[str]:
    return list(map(repr, column.tolist()))
