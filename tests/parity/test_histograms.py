"""Histograms of residuals, predictions and groups against those of NumPy."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from steelyard.metrics.group_metrics import GroupMetric
from steelyard.metrics.parameter import REQUIRED
from steelyard.model import GroupValues

DICE = np.random.default_rng(8)
TRUTH = DICE.lognormal(0, 1, 500).round(2)
GUESS = (TRUTH * DICE.lognormal(0, 0.3, 500)).round(2)
WEIGHT = DICE.integers(0, 5, 500) / 4
GROUP = DICE.integers(0, 60, 400)
GRADE = DICE.integers(0, 4, 400)
SCORE = DICE.integers(0, 30, 400) / 8
PART = DICE.choice(["x", "y"], 400)


@pytest.mark.parametrize("weight", [None, WEIGHT, WEIGHT * 4])
@pytest.mark.parametrize("bins", [1, 4, 40])
def test_residuals(bins: int, weight: Any) -> None:
    found = sy.residuals(TRUTH, GUESS, bins=bins, sample_weight=weight)
    kept = slice(None) if weight is None else weight > 0
    values = (GUESS - TRUTH)[kept]
    mass = None if weight is None else weight[kept]
    expected, edges = np.histogram(values, bins=bins, weights=mass)
    np.testing.assert_allclose(found.edges, edges, rtol=1e-13, atol=1e-13)
    # NumPy's own edges differ in the last digits: with ours, every row is in the same bin.
    expected, _ = np.histogram(values, bins=found.edges, weights=mass)
    assert found.weight.tolist() == expected.tolist()


@pytest.mark.parametrize("weight", [None, WEIGHT])
@pytest.mark.parametrize("bins", [1, 7])
def test_predicted_vs_true(bins: int, weight: Any) -> None:
    found = sy.predicted_vs_true(TRUTH, GUESS, bins=bins, sample_weight=weight)
    kept = slice(None) if weight is None else weight > 0
    ends = np.concatenate([TRUTH[kept], GUESS[kept]])
    edges = np.histogram_bin_edges(ends, bins=bins)
    np.testing.assert_allclose(found.edges, edges, rtol=1e-13)
    mass = None if weight is None else weight[kept]
    axes = [found.edges, found.edges]
    expected, *_ = np.histogram2d(TRUTH[kept], GUESS[kept], bins=axes, weights=mass)
    assert found.matrix.tolist() == expected.tolist()


def test_one_value_has_the_edges_of_numpy() -> None:
    found = sy.residuals([1.0, 2.0, 3.0], [3.0, 4.0, 5.0], bins=4)
    counts, edges = np.histogram([2.0, 2.0, 2.0], bins=4)
    assert (found.edges.tolist(), found.weight.tolist()) == (edges.tolist(), counts.tolist())


def every_mean() -> list[str]:
    """Every mean over groups, with a cut where it needs one."""
    found = [metric for metric in catalogue.every() if isinstance(metric, GroupMetric)]
    return [f"{m.name}@3" if m.cut and m.cut.default is REQUIRED else m.name for m in found]


@pytest.mark.parametrize("metric", every_mean())
def test_groups_of_every_mean(metric: str) -> None:
    """The values of the table of groups, in the total and in a slice."""
    label = GRADE if catalogue.resolve(metric).required_columns.graded else GRADE > 2
    columns = {"y": label, "s": SCORE, "g": GROUP, "p": PART}
    spec = f'group_values("{metric}")'
    result = sy.evaluate(columns, label="y", score="s", group="g", by="p", metrics=[metric, spec])
    for place in ({}, {"p": "x"}, {"p": "y"}):
        shape = result.shape(spec, slice=place)
        row, lines = result.row(metric, slice=place), list(result.groups(metric, slice=place))
        values = [line[metric] for line in lines if line[metric] is not None]
        ends = None if max(values) > 1 else (0.0, 1.0)
        expected, edges = np.histogram(values, bins=20, range=ends)
        np.testing.assert_allclose(shape.edges, edges, rtol=1e-13, atol=1e-15)
        expected, _ = np.histogram(values, bins=shape.edges)
        assert shape.groups.tolist() == expected.tolist()
        assert (shape.groups_used, shape.groups_total) == (len(values), len(lines))
        assert (shape.rows_used, shape.rows_total) == (row.details["rows_used"], row.n)


def test_the_conventions_of_a_preset_hold_for_the_groups() -> None:
    """LightGBM gives a list without a relevant row 1, and gains are powers of two."""
    rows: dict[str, Any] = {
        "label": [3, 0, 0, 0],
        "score": [0.1, 0.9, 0.5, 0.4],
        "group": [1, 1, 2, 2],
    }
    metrics = ['group_values("ndcg@1")', 'group_values("ndcg(empty=0)@1")']
    first, second = (
        sy.evaluate(**rows, metrics=metrics, preset="lightgbm").shape(name) for name in metrics
    )
    assert (first.groups[[0, -1]].tolist(), first.groups_used) == ([1, 1], 2)
    assert (second.groups[[0, -1]].tolist(), second.groups_used) == ([2, 0], 2)
    plain = sy.evaluate(**rows, metrics=metrics[:1]).shape(metrics[0])
    assert (plain.groups[[0, -1]].tolist(), plain.groups_used) == ([1, 0], 1)


def test_written_forms() -> None:
    """Text, CSV and JSON say the same; the note says how many groups have a value."""
    rows: dict[str, Any] = {
        "label": [1, 0, 1, 0, 1, 1],
        "score": [2, 1, 1, 2, 1, 2],
        "group": [1, 1, 2, 2, 3, 3],
    }
    result = sy.evaluate(**rows, metrics=["group_values(bins=2)"])
    assert result.to_csv().splitlines()[1:] == [
        'group_values(bins=2),score,"",0.0,0.5,1',
        'group_values(bins=2),score,"",0.5,1.0,1',
    ]
    assert "group_values(bins=2): 2 of 3 groups have a value" in str(result)
    loaded = sy.Result.from_json(result.to_json()).shape("group_values(bins=2)")
    assert isinstance(loaded, GroupValues)
    assert (loaded.groups.tolist(), *loaded[2:]) == ([1, 1], 2, 3, 4, 6)
    numbers = sy.evaluate(
        label=[1.0, 2.0], prediction=[1.5, 1.0], metrics=["residuals(2)", "predicted_vs_true(2)"]
    )
    assert sy.Result.from_json(numbers.to_json()) == numbers
    assert numbers.shape_table("residuals(2)").to_csv().splitlines() == [
        "metric,score,by,low,high,weight",
        'residuals(2),prediction,"",-1.0,-0.25,1',
        'residuals(2),prediction,"",-0.25,0.5,1',
    ]
    lines = numbers.shape_table("predicted_vs_true(2)").to_csv().splitlines()
    assert lines[1:] == [
        'predicted_vs_true(2),prediction,"",1.0,1.5,1.5,2.0,1',
        'predicted_vs_true(2),prediction,"",1.5,2.0,1.0,1.5,1',
    ]
