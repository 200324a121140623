"""Charts of groups, residuals, predictions, confusion and slices: what they show is the data."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

import steelyard as sy
from steelyard.model import (
    ClassConfusion,
    Confusion,
    GroupValues,
    PredictedVsTrue,
    Residuals,
    Row,
    Undefined,
)
from steelyard.report.charts import confusion, groups, predicted_vs_true, residuals, slices
from steelyard.report.charts.chart import Bars, Cells, Chart, Line, Rule
from steelyard.report.charts.chart_table import table_of
from steelyard.report.charts.draw_svg import draw
from steelyard.report.charts.series import Series

DICE = np.random.default_rng(8)
TRUTH = DICE.lognormal(0, 1, 2000)
GUESS = TRUTH * DICE.lognormal(0, 0.4, 2000)
GUESS[0] = 60.0
COVERED = GroupValues(np.linspace(0, 1, 5), np.array([1, 0, 2, 5]), 8, 10, 81, 87)


def marks(chart: Chart, kind: type[Any]) -> list[Any]:
    return [mark for mark in chart.marks if isinstance(mark, kind)]


def entries(chart: Chart) -> list[str]:
    return [mark.name for mark in chart.marks if mark.name]


# --- groups ---------------------------------------------------------------------------------------
def test_groups_are_bars_with_the_mean_and_what_it_covers() -> None:
    chart = groups.chart([Series(shape=COVERED, numbers={"gauc": 0.7123})])
    [bars], [rule] = marks(chart, Bars), marks(chart, Rule)
    assert bars.low.tolist() == [0, 0.25, 0.5, 0.75]
    assert bars.high.tolist() == [0.25, 0.5, 0.75, 1]
    assert bars.lengths.tolist() == [1 / 8, 0, 2 / 8, 5 / 8]
    assert (rule.x, rule.name) == (0.7123, "gauc 0.712")
    assert bars.name == "8 of 10 groups"
    covered = "8 of 10 groups have a value (80.0 %), 93.1 % of rows"
    assert chart.notes == (covered,)
    assert chart.summary == f"Distribution of the values of groups: gauc 0.712, {covered}."
    assert (chart.x.label, chart.x.low, chart.x.high) == ("gauc of a group", 0, 1)


def test_groups_of_two_scores_are_outlines() -> None:
    whole = COVERED._replace(groups_total=8, rows_total=81)
    none = Series(shape=Undefined("no group has both classes"), name="c", colour=2)
    chart = groups.chart([
        Series(shape=COVERED, name="a", numbers={"gauc": 0.5}),
        Series(shape=whole, name="b", colour=1, numbers={"gauc": 0.6}),
        none,
    ])  # fmt: skip
    first, second, _ = marks(chart, Line)
    assert first.x.tolist() == [0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1]
    assert first.y.tolist() == [0, 1 / 8, 1 / 8, 0, 0, 2 / 8, 2 / 8, 5 / 8, 5 / 8, 0]
    assert (second.name, second.colour) == ("b (all 8 groups)", 1)
    assert [(rule.x, rule.name, rule.colour) for rule in marks(chart, Rule)] == [
        (0.5, "a: gauc 0.500", 0),
        (0.6, "b: gauc 0.600", 1),
    ]
    assert entries(chart)[-1] == "c: no group has both classes"
    assert "all 8 groups have a value" in chart.summary


# --- regression -----------------------------------------------------------------------------------
def test_residuals_are_those_of_numpy() -> None:
    truth = np.arange(8.0)
    shape = sy.residuals(truth, truth + np.tile([-1.0, 0.0, 0.5, 1.0], 2), bins=4)
    chart = residuals.chart([Series(shape=shape, numbers={"r2": 0.5, "mae": 0.625, "bias": 0.125})])
    [bars], [rule] = marks(chart, Bars), marks(chart, Rule)
    assert bars.lengths.tolist() == (np.histogram([-1, 0, 0.5, 1], 4)[0] / 4).tolist()
    assert bars.low.tolist() == shape.edges[:-1].tolist()
    assert (rule.x, bars.name) == (0, "bias 0.125, mae 0.625")
    assert chart.y.high == pytest.approx(0.525)


def test_long_tails_are_cut_and_the_rest_is_exact() -> None:
    shape = sy.residuals(TRUTH, GUESS, bins=400)
    chart = residuals.chart([Series(shape=shape)])
    [bars] = marks(chart, Bars)
    assert len(bars.lengths) <= 50
    error = GUESS - TRUTH
    ends = [*bars.low, bars.high[-1]]
    counts, _ = np.histogram(error, bins=ends)
    counts[-1] -= (error == ends[-1]).sum()
    assert bars.lengths == pytest.approx(counts / 2000, abs=1e-12)
    assert 0.99 <= bars.lengths.sum() < 1
    [note] = [name for name in entries(chart) if "not shown" in name]
    outside = 1 - bars.lengths.sum()
    assert note == f"{100 * outside:.1f} % of rows not shown"
    assert note in chart.summary
    low, high = error.min(), error.max()
    assert chart.notes == (f"residuals go from {low:.3f} to {high:.3f}",)


def test_predictions_are_the_squares_of_numpy_with_the_highest_above() -> None:
    truth, guess = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.5, 3.0, 2.5, 3.0])
    shape = sy.predicted_vs_true(truth, guess, bins=3)
    chart = predicted_vs_true.chart([Series(shape=shape)])
    [cells], [diagonal] = marks(chart, Cells), marks(chart, Line)
    expected, *_ = np.histogram2d(guess, truth, bins=[shape.edges, shape.edges])
    assert np.expm1(cells.values).round(12).tolist() == expected[::-1].tolist()
    assert (diagonal.x.tolist(), diagonal.y.tolist()) == ([0, 3], [0, 3])
    assert (chart.x.label, chart.y.label) == ("Truth", "Prediction")
    assert "75.0 % of rows in squares on the diagonal, 25.0 % predicted higher, 0 % lower" in (
        chart.summary
    )
    assert chart.square


def test_squares_of_long_tails_are_the_middle() -> None:
    shape = sy.predicted_vs_true(TRUTH, GUESS, bins=100)
    chart = predicted_vs_true.chart([Series(shape=shape)])
    [cells] = marks(chart, Cells)
    edges = np.linspace(chart.x.low, chart.x.high, len(cells.values) + 1)
    expected, *_ = np.histogram2d(GUESS, TRUTH, bins=[edges, edges])
    weights = np.expm1(cells.values).round(9)
    assert (weights == expected[::-1]).mean() > 0.99  # edges by linspace
    assert (chart.x.low, chart.x.high) == (chart.y.low, chart.y.high)
    inside = weights.sum() / 2000
    assert 0.98 <= inside < 1
    assert f"{100 * (1 - inside):.1f} % of rows are outside" in entries(chart)


@pytest.mark.parametrize("weight", [np.array([3, 0]), np.array([0.5, 1e-3])])
def test_values_too_far_apart_are_said(weight: Any) -> None:
    vast = np.array([-1.7e308, 0.0, 1.7e308])
    chart = residuals.chart([Series(shape=Residuals(vast, weight), name="a")])
    assert entries(chart)[0] == "a: values too far apart to be drawn"
    square = PredictedVsTrue(vast, np.diag(weight))
    chart = predicted_vs_true.chart([Series(shape=square)])
    assert entries(chart)[0] == "values too far apart to be drawn"
    assert draw(chart)


# --- confusion ------------------------------------------------------------------------------------
def test_two_classes_have_counts_and_per_cent() -> None:
    chart = confusion.chart([Series(shape=Confusion(tp=3, fp=10, fn=1, tn=1990))])
    [cells] = marks(chart, Cells)
    assert cells.values.tolist() == [[0.75, 0.25], [10 / 2000, 1990 / 2000]]
    assert cells.texts == (
        ("TP 3 (75.0 %)", "FN 1 (25.0 %)"),
        ("FP 10 (0.5 %)", "TN 1,990 (99.5 %)"),
    )
    assert chart.summary == (
        "Rows by true and predicted class: 99.5 % is right; most often wrong: negative called "
        "positive, 0.5 % of the true class."
    )
    first = [cell.text for cell in table_of(chart).lines[0]]
    assert first == ["positive", "TP 3 (75.0 %)", "FN 1 (25.0 %)"]


@pytest.mark.parametrize("count", [2, 4, 9, 30])
def test_many_classes_are_the_matrix_of_scikit_learn(count: int) -> None:
    true = DICE.integers(0, count, 900)
    called = np.where(DICE.random(900) < 0.5, true, DICE.integers(0, count, 900))
    chart = confusion.chart([Series(shape=sy.confusion(true, y_pred=called), name="new")])
    [cells] = marks(chart, Cells)
    expected = confusion_matrix(true, called, normalize="true")
    np.testing.assert_allclose(cells.values, expected, rtol=1e-15)
    assert chart.x.names == chart.y.names == tuple(map(str, range(count)))
    counts = confusion_matrix(true, called)
    if count <= 4:
        assert cells.texts[0][0] == f"{counts[0, 0]} ({100 * expected[0, 0]:.1f} %)"
    elif count <= 12:
        assert cells.texts[0][0] == f"{100 * expected[0, 0]:.0f}%"
    else:
        assert cells.texts == ()
    assert cells.whole[0][0].startswith(f"{counts[0, 0]}")
    assert [cell.text for cell in table_of(chart).lines[0]] == ["0", *cells.whole[0]]
    wrong = counts - np.diag(np.diag(counts))
    true_, called_ = np.unravel_index(wrong.argmax(), wrong.shape)
    assert f"most often wrong: {true_} called {called_}" in chart.summary


def test_of_hundreds_of_classes_the_largest_are_shown_and_nothing_is_lost() -> None:
    matrix = DICE.integers(0, 5, (300, 300))
    matrix[7], matrix[:, 7] = 100, 100
    shape = ClassConfusion(tuple(range(300)), matrix)
    chart = confusion.chart([Series(shape=shape)])
    [cells] = marks(chart, Cells)
    assert cells.values.shape == (41, 41)
    assert chart.x.names[-1] == "260 others"
    assert "7" in chart.x.names
    kept = [int(name) for name in chart.x.names[:-1]]
    assert kept == sorted(kept)
    others = np.setdiff1d(np.arange(300), kept)
    expected = matrix[kept[0], others].sum() / matrix[kept[0]].sum()
    assert cells.values[0, -1] == pytest.approx(expected)
    assert cells.values.sum(axis=1) == pytest.approx(np.ones(41))
    assert chart.square


def test_empty_rows_and_shares_without_rows_are_drawn() -> None:
    shape = ClassConfusion(("a", None), np.array([[np.nan, np.nan], [0.25, 0.75]]))
    [cells] = marks(confusion.chart([Series(shape=shape)]), Cells)
    assert cells.values.tolist() == [[0, 0], [0.25, 0.75]]
    assert cells.texts[0] == ("–", "–")
    none = confusion.chart([Series(shape=Undefined("there are no rows"))])
    assert entries(none) == ["there are no rows"]
    assert draw(none)


# --- slices ---------------------------------------------------------------------------------------
def row(key: Any, value: float | None, n: int = 1000, score: str = "new") -> Row:
    slice_ = {} if key is None else {"country": key}
    return Row("auc", score, value, None, n, positives=n // 2, negatives=n // 2, slice=slice_)


def test_slices_are_worst_first_and_small_ones_marked() -> None:
    rows = [row(None, 0.75), row("DE", 0.8), row("FR", 0.5), row("US", None), row("CN", 0.1, n=19)]
    chart = slices.chart(rows, scores=["new"])
    [bars], [rule] = marks(chart, Bars), marks(chart, Rule)
    assert chart.y.names == ("FR", "DE", "* CN", "US")
    assert chart.ends[2:] == (3.5, -0.5)
    assert bars.lengths[:3].tolist() == [0.5, 0.8, 0.1]
    assert np.isnan(bars.lengths[3])
    assert bars.sideways
    assert (rule.x, rule.name) == (0.75, "total 0.750")
    assert entries(chart)[-1] == "* fewer than 100 rows, or 10 positives or negatives"
    assert chart.summary == "auc of 4 slices: total 0.750; worst FR 0.500; best DE 0.800."
    assert chart.title == "auc by country"
    assert draw(chart)


def test_where_lower_is_better_the_highest_is_worst() -> None:
    rows = [row(None, 0.75), row("DE", 0.8), row("FR", 0.5)]
    assert slices.chart(rows, scores=["new"], better="lower").y.names == ("DE", "FR")
    rows = [row("DE", 1.1), row("FR", 0.5), row("US", 1.6)]
    assert slices.chart(rows, scores=["new"], better="nearer 1").y.names == ("FR", "US", "DE")
    rows = [row("DE", -3.0), row("FR", 0.5), row("US", 1.6)]
    chart = slices.chart(rows, scores=["new"], better="nearer 0")
    assert chart.y.names == ("DE", "US", "FR")
    assert chart.x.low < -3 < 1.6 < chart.x.high


def test_two_scores_are_pairs_of_bars() -> None:
    keys: list[Any] = [None, 1, "1", True]
    rows = [row(key, 0.5 + place / 8) for place, key in enumerate(keys)]
    rows += [row(key, 0.25, score="old") for key in keys[:3]]
    chart = slices.chart(rows, scores=["new", "old"])
    new, old = marks(chart, Bars)
    assert chart.y.names == ("1", "1", "true")
    assert new.lengths.tolist() == [0.625, 0.75, 0.875]
    assert old.lengths[:2].tolist() == [0.25, 0.25]
    assert np.isnan(old.lengths[2])
    assert new.low == pytest.approx([-0.4, 0.6, 1.6])
    assert new.high == pytest.approx(old.low)
    assert old.high == pytest.approx([0.4, 1.4, 2.4])
    assert [(rule.x, rule.name) for rule in marks(chart, Rule)] == [
        (0.5, "new: total 0.500"),
        (0.25, "old: total 0.250"),
    ]


def test_of_many_slices_the_worst_are_shown() -> None:
    rows = [row(None, 0.5), *(row(f"c{place:03}", place / 100) for place in range(100))]
    chart = slices.chart(rows, scores=["new"])
    assert chart.y.names == tuple(f"c{place:03}" for place in range(30))
    assert entries(chart)[-1] == "the 30 worst of 100 slices"


def test_slices_of_a_result() -> None:
    y, s = DICE.random(600) < 0.4, DICE.random(600)
    columns = {"y": y, "s": s, "a": DICE.choice(["x", "y"], 600), "b": DICE.integers(0, 2, 600)}
    result = sy.evaluate(columns, label="y", score="s", by=[("a", "b")], metrics=["auc", "ks"])
    chart = slices.chart([r for r in result.rows if r.metric == "auc"], scores=["s"])
    [bars] = marks(chart, Bars)
    found = dict(zip(chart.y.names, bars.lengths.tolist(), strict=True))
    assert found["a=x b=0"] == result.value("auc", a="x", b=0)
    assert len(found) == 4
    assert chart.title == "auc by a, b"
