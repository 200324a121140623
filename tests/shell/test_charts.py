"""Charts: what a picture shows is the data of its shapes, and says the right numbers."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_score,
    roc_auc_score,
    roc_curve,
)

import steelyard as sy
from steelyard.model import Undefined
from steelyard.report.charts import (
    calibration,
    gain,
    lift,
    pr,
    predicted_vs_true,
    roc,
    scores,
    threshold,
)
from steelyard.report.charts.chart import PALETTE, Bars, Cells, Chart, Line, Points, Rule
from steelyard.report.charts.series import Series
from steelyard.report.charts.threshold_points import with_edges
from steelyard.result.shapes import Gains, RocOfClasses, ScoreHistogram

Y = np.array([1, 0, 1, 1, 0, 0, 1, 0])
S = np.array([0.9, 0.8, 0.7, 0.7, 0.7, 0.4, 0.3, 0.1])
RANDOM = np.random.default_rng(8)
MANY_Y = RANDOM.random(3000) < 0.3
MANY_S = np.round(RANDOM.random(3000) + 0.3 * MANY_Y, 3)


def lines(chart: Chart) -> list[Line]:
    return [mark for mark in chart.marks if isinstance(mark, Line)]


def entries(chart: Chart) -> list[str]:
    return [mark.name for mark in chart.marks if mark.name]


# --- ROC ------------------------------------------------------------------------------------------
def test_roc_is_that_of_scikit_learn() -> None:
    chart = roc.chart([Series(shape=sy.roc(Y, S))])
    curve, chance = lines(chart)
    fpr, tpr, _ = roc_curve(Y, S)
    assert curve.x.tolist() == fpr.tolist()
    assert curve.y.tolist() == tpr.tolist()
    assert (chance.x.tolist(), chance.y.tolist()) == ([0, 1], [0, 1])
    assert entries(chart) == [f"AUC {roc_auc_score(Y, S):.3f}", "chance"]
    assert curve.filled
    assert chart.square


def test_several_curves_have_names_and_colours_and_are_not_shaded() -> None:
    shape = sy.roc(Y, S)
    chart = roc.chart(
        [Series(shape=shape, name="new"), Series(shape=shape, name="old, country=DE", colour=7)]
    )
    new, old, _ = lines(chart)
    assert [new.name, old.name] == ["new (AUC 0.625)", "old, country=DE (AUC 0.625)"]
    assert (new.colour, old.colour) == (0, 7)
    assert not new.filled
    assert not old.filled


def test_the_number_of_a_result_is_shown_and_a_thinned_area_is_marked() -> None:
    thin = sy.roc(MANY_Y, MANY_S, points=20)
    assert thin.area_error > 0.001
    [entry, _] = entries(roc.chart([Series(shape=thin)]))
    assert entry.startswith("AUC ≈ 0.")
    [entry, _] = entries(roc.chart([Series(shape=thin, numbers={"auc": 0.7})]))
    assert entry == "AUC 0.700"
    assert f"{len(thin.fpr)} exact points" in roc.chart([Series(shape=thin)]).notes[0]


def test_a_series_without_a_curve_says_why() -> None:
    none = Series(shape=Undefined("there are no negatives"), name="new", colour=1)
    chart = roc.chart([none])
    assert entries(chart) == ["new: there are no negatives", "chance"]
    assert chart.summary == "ROC curve: new: there are no negatives."


def test_one_curve_a_class_and_of_many_classes_the_lowest() -> None:
    few = RocOfClasses({"cat": sy.roc(Y, S), None: sy.roc(Y, -S)})
    assert entries(roc.chart([Series(shape=few)])) == [
        "class cat (AUC 0.625)",
        "class null (AUC 0.375)",
        "chance",
    ]
    many = RocOfClasses({name: sy.roc(Y, S * (-1 if name == 17 else 1)) for name in range(30)})
    chart = roc.chart([Series(shape=many, name="new")])
    assert entries(chart)[-2] == "the 12 lowest of 30 classes"
    assert "new, class 17 (AUC 0.375)" in entries(chart)
    assert [line.colour for line in lines(chart)[:12]] == list(range(12))


# --- precision and recall -------------------------------------------------------------------------
def test_the_steps_of_pr_have_the_area_ap() -> None:
    for y, s in ((Y, S), (MANY_Y, MANY_S)):
        [curve] = lines(pr.chart([Series(shape=sy.pr(y, s))]))
        assert np.trapezoid(curve.y, curve.x) == pytest.approx(average_precision_score(y, s))
        assert curve.x[0] == 0
        assert curve.x[-1] == 1


def test_pr_by_hand() -> None:
    """0.9: 1 of 1. The block at 0.7: 3 of 5. At 0.3: 4 of 7; all rows: 4 of 8."""
    chart = pr.chart([Series(shape=sy.pr(Y, S))])
    [curve] = lines(chart)
    # After 0.9 a false positive at 0.8: precision 1/2 at the same recall.
    assert curve.x.tolist() == [0, 0.25, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75, 0.75, 1, 1, 1]
    assert curve.y.tolist() == [
        1,
        1,
        1 / 2,
        1 / 2,
        3 / 5,
        3 / 5,
        1 / 2,
        1 / 2,
        4 / 7,
        4 / 7,
        0.5,
        0.5,
    ]
    [base] = [mark for mark in chart.marks if isinstance(mark, Rule)]
    assert (base.y, base.name) == (0.5, "prevalence 0.5")
    # Four rows are called inside the block at 0.7: 0.9, 0.8 and two of three, with 4/3 positives.
    [point] = [mark for mark in chart.marks if isinstance(mark, Points)]
    assert point.x == pytest.approx([(1 + 4 / 3) / 4])
    assert point.x == pytest.approx([sy.break_even(Y, S)])


def test_break_even_is_that_of_the_metric_or_unknown() -> None:
    assert pr.break_even(sy.pr(MANY_Y, MANY_S)) == pytest.approx(sy.break_even(MANY_Y, MANY_S))
    # Two negatives are above the only positive: how many is not in the curve.
    assert np.isnan(pr.break_even(sy.pr([0, 0, 1], [0.9, 0.8, 0.1])))
    chart = pr.chart([Series(shape=sy.pr([0, 0, 1], [0.9, 0.8, 0.1]), numbers={"break_even": 0.0})])
    assert [mark.x for mark in chart.marks if isinstance(mark, Points)] == [[0.0]]


def test_numbers_of_a_thinned_gain_curve_are_not_shown_as_exact() -> None:
    dice = np.random.default_rng(1)
    y = dice.random(20_000) < 0.3
    s = y + dice.normal(size=20_000)
    thin, exact = sy.gains(y, s, points=20), sy.gains(y, s)
    for module, metric in ((gain, "capture(0.1)"), (lift, "lift(0.1)")):
        about, plain, known = (
            lines(module.chart([series]))[0].name
            for series in (
                Series(shape=thin),
                Series(shape=exact),
                Series(shape=thin, numbers={metric: 0.5}),
            )
        )
        assert "≈" in about
        assert "≈" not in plain + known


def test_squares_of_predictions_are_where_their_values_are() -> None:
    """Of 75 bins two make a square, and the last square has but one: all are drawn in one size."""
    values = np.arange(76.0)
    chart = predicted_vs_true.chart([Series(shape=sy.predicted_vs_true(values, values, bins=75))])
    [cells] = [mark for mark in chart.marks if isinstance(mark, Cells)]
    width = (chart.x.high - chart.x.low) / cells.values.shape[1]
    assert width == pytest.approx(2 * 75 / 75)


def test_an_unknown_break_even_point_keeps_its_place_among_the_scores() -> None:
    unknown = Series(shape=sy.pr([0, 0, 1], [0.9, 0.8, 0.1]), name="a")
    chart = pr.chart([unknown, Series(shape=sy.pr(Y, S), name="b", colour=1)])
    points = [mark for mark in chart.marks if isinstance(mark, Points)]
    assert [(len(mark.x), mark.name) for mark in points] == [(0, ""), (1, "break-even")]


def test_prevalences_of_different_samples_have_the_colours_of_the_curves() -> None:
    first, second = sy.pr(Y, S), sy.pr([1, 0, 0], [0.9, 0.5, 0.1])
    chart = pr.chart([Series(shape=first, name="a"), Series(shape=second, name="b", colour=1)])
    rules = [mark for mark in chart.marks if isinstance(mark, Rule)]
    assert [(rule.y, rule.colour) for rule in rules] == [(0.5, 0), (1 / 3, 1)]


# --- calibration ----------------------------------------------------------------------------------
def test_the_reliability_diagram_by_hand() -> None:
    """One bin of two has rows: predictions 0.1 to 0.4, the last of weight 3."""
    y, p, weights = [1, 0, 0, 1], [0.1, 0.2, 0.3, 0.4], [1, 1, 1, 3]
    shape = sy.calibration_curve(y, p, sample_weight=weights, bins=2, kind="width")
    chart = calibration.chart([Series(shape=shape)])
    curve, diagonal = lines(chart)
    assert curve.x == pytest.approx([(0.1 + 0.2 + 0.3 + 3 * 0.4) / 6])  # all are below 0.5
    assert curve.y == pytest.approx([4 / 6])
    assert curve.name == "COPC 2.222"  # 4 / 1.8
    assert diagonal.x.tolist() == diagonal.y.tolist() == [0, chart.x.high]
    assert chart.x.high == chart.y.high == pytest.approx(1.05 * 4 / 6)
    assert "COPC 2.222, weight 6" in chart.notes[0]


def test_points_of_bins_have_areas_by_weight() -> None:
    shape = sy.calibration_curve([0, 1, 1], [0.1, 0.6, 0.7], bins=2, kind="width")
    [points] = [m for m in calibration.chart([Series(shape=shape)]).marks if isinstance(m, Points)]
    assert points.sizes is not None
    assert points.sizes.tolist() == [0.5, 1.0]


# --- scores, gain, lift ---------------------------------------------------------------------------
HISTOGRAM = ScoreHistogram(np.array([0.0, 0.5, 1.0]), np.array([1, 3]), np.array([90, 10]))


def test_bars_are_shares_of_their_class() -> None:
    chart = scores.chart([Series(shape=HISTOGRAM)])
    negatives, positives = (mark for mark in chart.marks if isinstance(mark, Bars))
    assert negatives.lengths.tolist() == [0.9, 0.1]
    assert positives.lengths.tolist() == [0.25, 0.75]
    assert positives.low.tolist() == [0.0, 0.5]
    assert positives.high.tolist() == [0.5, 1.0]
    assert entries(chart) == ["negatives (100)", "positives (4)"]
    assert chart.y.label == "Share of its class in each bin"
    assert (chart.x.low, chart.x.high) == (0.0, 1.0)


def test_several_scores_are_outlines() -> None:
    only = HISTOGRAM._replace(positives=np.array([0, 0]))
    chart = scores.chart(
        [Series(shape=HISTOGRAM, name="a"), Series(shape=only, name="b", colour=1)]
    )
    assert [(line.name, line.colour, line.dashed) for line in lines(chart)] == [
        ("a: negatives", 0, True),
        ("a: positives", 0, False),
        ("b: negatives", 1, True),
        ("b: positives", 1, False),
    ]
    assert lines(chart)[1].x.tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert lines(chart)[1].y.tolist() == [0, 0.25, 0.25, 0.75, 0.75, 0]
    assert lines(chart)[3].y.tolist() == [0] * 6


GAINS = Gains(
    np.array([0.0, 0.05, 0.15, 1.0]),
    np.array([0.0, 0.4, 0.6, 1.0]),
    np.array([np.nan, 8.0, 4.0, 1.0]),
    np.array([np.inf, 0.9, 0.5, 0.1]),
)


def test_gain_and_lift_draw_the_points() -> None:
    curve, base = lines(gain.chart([Series(shape=GAINS, name="new")]))
    assert curve.x is GAINS.depth
    assert curve.y is GAINS.capture
    assert curve.name == "new (50.0 % in the first 10 %)"
    assert base.x.tolist() == base.y.tolist() == [0, 1]
    chart = lift.chart([Series(shape=GAINS)])
    [curve] = lines(chart)
    drawn = dict(zip(curve.x.tolist(), curve.y.tolist(), strict=True))
    assert [drawn[depth] for depth in (0.05, 0.15, 1.0)] == [8.0, 4.0, 1.0]
    assert 0.0 not in drawn  # no row, no lift
    # Between two points the capture is straight: at 10 % it is 0.5, at 49 % 0.6 + 0.4 · 0.34/0.85.
    assert drawn[0.02] == pytest.approx(8)
    assert drawn[0.1] == pytest.approx(5)
    assert drawn[0.49] == pytest.approx(0.76 / 0.49)
    assert entries(chart) == ["10 %: 5.000", "random order"]
    assert chart.y.high == pytest.approx(8.4)


def test_the_lift_of_few_rows_does_not_set_the_scale() -> None:
    spike = Gains(
        np.array([0.0, 0.001, 0.01, 1.0]),
        np.array([0.0, 0.05, 0.1, 1.0]),
        np.array([np.nan, 50.0, 10.0, 1.0]),
        np.array([np.inf, 0.9, 0.5, 0.1]),
    )
    chart = lift.chart([Series(shape=spike)])
    assert chart.y.high == pytest.approx(10.5)
    assert chart.notes
    assert lines(chart)[0].y[[0, 1, -1]].tolist() == [50.0, 10.0, 1.0]


# --- thresholds -----------------------------------------------------------------------------------
def test_measures_by_threshold() -> None:
    table = sy.thresholds(Y, S, points=200)
    chart = threshold.chart([Series(shape=table)])
    precision, recall, f1, specificity = lines(chart)
    assert [line.name for line in lines(chart)] == ["precision", "recall", "F1", "specificity"]
    assert np.isfinite(precision.x).all()
    assert (precision.x[::2] == table.thresholds[np.isfinite(table.thresholds)]).all()
    # Ends of steps, and a threshold within each: it calls the same rows as the score above it.
    for place in range(0, len(recall.x), 2):
        within = (recall.x[place : place + 2].mean(), recall.y[place + 1 : place + 2])
        for at, found in [
            (recall.x[place], recall.y[place]),
            *([within] if within[1].size else []),
        ]:
            assert found == np.sum(Y[at <= S]) / 4
    expected = [precision_score(Y, at <= S) for at in precision.x[::2]]
    assert precision.y[::2].tolist() == pytest.approx(expected)
    assert specificity.y[::2].tolist() == [np.sum((1 - Y)[at > S]) / 4 for at in recall.x[::2]]
    [best] = [mark for mark in chart.marks if isinstance(mark, Points)]
    assert best.y == [f1.y.max()] == [sy.best_f1(Y, S)]


@pytest.mark.parametrize("weighted", [False, True])
def test_thresholds_of_a_stretch_of_negatives(weighted: bool) -> None:
    """No corner of the ROC curve is between the negatives and the lowest positive at 0.5."""
    random = np.random.default_rng(0)
    s = np.concatenate([random.beta(2, 30, 2000), 0.5 + 0.5 * random.random(150)])
    y = np.concatenate([np.zeros(2000, int), np.ones(100, int), np.zeros(50, int)])
    w = random.integers(1, 9, 2150) / 8 if weighted else np.ones(2150)
    result: Any = sy.evaluate(label=y, score=s, weight=w, metrics="auc")
    plain = result.picture_shape("thresholds(200)")
    table = with_edges(plain, result.picture_shape("score_histogram"))
    assert np.sum((plain.thresholds < 0.49) & (plain.thresholds > 0.05)) == 0
    assert np.sum((table.thresholds < 0.49) & (table.thresholds > 0.05)) > 5
    assert (np.diff(table.thresholds) < 0).all()
    for place, at in enumerate(table.thresholds):
        tn, fp, fn, tp = confusion_matrix(y, s >= at, sample_weight=w).ravel()
        found = (table.tp[place], table.fp[place], table.fn[place], table.tn[place])
        assert found == (tp, fp, fn, tn)  # weights are eighths, whose sums are exact
        assert table.precision[place] == tp / (tp + fp)
        assert table.f1[place] == 2 * tp / (2 * tp + fp + fn)
        assert table.specificity[place] == tn / (tn + fp)


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_cells_of_weights_that_are_no_whole_numbers_are_rounded_once(few: bool, seed: int) -> None:
    """No cell is a sum or a difference of rounded ones, which may come out below zero."""
    random = np.random.default_rng(seed)
    y, w = (random.random(400) < 0.3).astype(int), random.random(400) + 0.1
    s = (random.random(400) < 0.5).astype(float) if few else random.beta(1, 9, 400)
    result: Any = sy.evaluate(label=y, score=s, weight=w, metrics="auc", shapes=True)
    shapes = (result.picture_shape(name) for name in ("thresholds(200)", "score_histogram"))
    table = with_edges(*shapes)
    assert len(table.thresholds) > (1 if few else 40)
    for place, at in enumerate(table.thresholds):
        exact = [
            float(sum((Fraction(each) for each in w[chosen]), Fraction()))
            for chosen in ((y == 1) & (s >= at), (y == 0) & (s >= at), (y == 1) & (s < at))
        ]
        assert [column[place] for column in table[1:4]] == exact
        assert table.tn[place] == float(sum(map(Fraction, w[(y == 0) & (s < at)]), Fraction()))
    assert "Scores of positives" in result.to_html()
    assert "Scores of positives" in sy.Result.from_json(result.to_json()).to_html()


def test_edges_that_call_the_same_rows_are_left_out() -> None:
    y, s = [0, 1, 0, 1], [0.1, 0.4, 0.4, 0.9]
    table = with_edges(sy.thresholds(y, s), sy.score_histogram(y, s))
    assert table.thresholds.tolist() == sy.thresholds(y, s).thresholds.tolist()


def test_measures_of_several_scores_have_dashes_of_their_own() -> None:
    table = sy.thresholds(Y, S, points=200)
    chart = threshold.chart(
        [Series(shape=table, name="a"), Series(shape=table, name="b", colour=1)]
    )
    assert lines(chart)[0].name == "a: precision"
    assert (lines(chart)[5].name, lines(chart)[5].colour) == ("b: recall", 1 + len(PALETTE))


def test_of_many_scores_only_f1_is_shown() -> None:
    table = sy.thresholds(Y, S, points=200)
    series = [Series(shape=table, name=str(place), colour=place) for place in range(3)]
    chart = threshold.chart(series)
    assert [line.y[::2].tolist() for line in lines(chart)] == [
        table.f1[np.isfinite(table.thresholds)].tolist()
    ] * 3
    assert [line.colour for line in lines(chart)] == [0, 1, 2]
    assert len(entries(chart)) == 3
    assert entries(chart)[2].startswith("2: best F1 0.")
    assert chart.y.label == "F1"
