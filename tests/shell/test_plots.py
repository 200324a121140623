"""Plots: what matplotlib draws is the data of the shapes; `Result.plot` and `sy.plot`."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from sklearn.metrics import RocCurveDisplay, roc_auc_score

import steelyard as sy
from steelyard.cli.commands.plot import plot_files
from steelyard.report.charts import draw_matplotlib, slice_trend
from steelyard.report.charts.chart import NEUTRAL, PALETTE, Axis, Bars, Cells, Chart, Words
from steelyard.report.charts.kinds import EVERY
from steelyard.report.charts.threshold_points import with_edges

RANDOM = np.random.default_rng(14)
N = 600
Y = (RANDOM.random(N) < 0.3).astype(int)
OLD = np.round(0.5 * RANDOM.random(N) + 0.2 * Y, 3)
NEW = np.round(0.6 * RANDOM.random(N) + 0.3 * Y, 3)
COUNTRY = RANDOM.choice(["DE", "FR", "US"], N, p=[0.5, 0.3, 0.2])
LOG = {"y": Y, "old": OLD, "new": NEW, "country": COUNTRY, "hour": np.arange(N) % 10}


@pytest.fixture(autouse=True)
def without_windows() -> Iterator[None]:
    with mpl.rc_context():
        pyplot.switch_backend("agg")
        yield
        pyplot.close("all")


@pytest.fixture
def ax() -> Any:
    return Figure(figsize=(3, 3), dpi=50).subplots()


def result(**options: Any) -> sy.Result:
    asked: dict[str, Any] = {"label": "y", "score": ["old", "new"], "metrics": "auc"}
    return sy.evaluate(LOG, **asked | options)


def legend(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def image(ax: Any) -> np.ndarray[Any, Any]:
    canvas: Any = FigureCanvasAgg(ax.figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba(), dtype=np.int64)[..., :3]


# --- the drawing equals the data ------------------------------------------------------------------
def test_roc_draws_the_curves_of_the_result(ax: Any) -> None:
    found = result(metrics=["auc", "roc"])
    assert found.plot("roc", ax=ax) is ax
    for line, score in zip(ax.lines, ("old", "new"), strict=False):
        curve = found.curve("roc", score=score)
        assert line.get_xdata().tolist() == curve.fpr.tolist()
        assert line.get_ydata().tolist() == curve.tpr.tolist()
    assert legend(ax) == [
        f"old (AUC {roc_auc_score(Y, OLD):.3f})",
        f"new (AUC {roc_auc_score(Y, NEW):.3f})",
        "chance",
    ]
    assert ax.get_aspect() == 1
    assert ax.get_xlabel() == "False positive rate (FP / N)"
    assert [to_hex(line.get_color()) for line in ax.lines] == [*PALETTE[:2], NEUTRAL]


def test_the_picture_is_that_of_scikit_learn_but_for_its_looks() -> None:
    ours = sy.plot.roc(Y, NEW)
    theirs = RocCurveDisplay.from_predictions(Y, NEW, drop_intermediate=False)
    [curve] = [line for line in ours.lines if to_hex(line.get_color()) == PALETTE[0]]
    at = np.linspace(0, 1, 101)
    x, y = theirs.line_.get_data()
    drawn = np.interp(at, curve.get_xdata(), curve.get_ydata())
    assert drawn == pytest.approx(np.interp(at, x, y), abs=0.02)  # 200 points of 600


def test_the_image_is_that_of_the_same_drawn_by_hand(ax: Any) -> None:
    sy.plot.roc(Y, NEW, ax=ax, color="red")
    by_hand = Figure(figsize=(3, 3), dpi=50).subplots()
    curve = sy.evaluate(label=Y, score=NEW, metrics="roc").curve("roc")
    by_hand.plot(curve.fpr, curve.tpr, color="red", linewidth=1.8, zorder=2.5)
    by_hand.fill_between(curve.fpr, curve.tpr, color=PALETTE[0], alpha=0.1, linewidth=0)
    by_hand.plot([0, 1], [0, 1], color=NEUTRAL, linewidth=1, linestyle="dashed")
    by_hand.set(
        aspect="equal",
        xlim=(-0.012, 1.012),
        ylim=(-0.012, 1.012),
        xlabel="False positive rate (FP / N)",
        ylabel="True positive rate (recall, TP / P)",
    )
    ax.get_legend().remove()
    difference = np.abs(image(ax) - image(by_hand))
    assert difference.mean() < 0.5
    by_hand.lines[0].set_ydata(curve.tpr**2)  # another curve is another picture
    assert np.abs(image(ax) - image(by_hand)).mean() > 1.5


def test_thresholds_and_calibration_draw_their_columns(ax: Any) -> None:
    found = result(score="new", metrics="auc")
    found.plot("threshold", ax=ax)
    stored: Any = found.picture_shape("thresholds(200)")
    histogram: Any = found.picture_shape("score_histogram")
    table = with_edges(stored, histogram)
    for line, measure in zip(ax.lines, ("precision", "recall", "f1", "specificity"), strict=True):
        kept = np.isfinite(table.thresholds)
        assert line.get_xdata()[::2].tolist() == table.thresholds[kept].tolist()
        expected = getattr(table, measure)[kept]
        assert np.array_equal(line.get_ydata()[::2], expected, equal_nan=True)
    other: Any = Figure().subplots()
    found.plot("calibration", ax=other)
    curve: Any = found.picture_shape("calibration_curve")
    assert other.lines[0].get_xdata().tolist() == curve.predicted.tolist()
    assert (
        np.asarray(other.collections[0].get_offsets()).tolist()
        == np.c_[curve[0], curve[1]].tolist()
    )


def test_bars_are_the_shares_of_the_histogram(ax: Any) -> None:
    found = result(score="new")
    found.plot("scores", ax=ax)
    shape: Any = found.picture_shape("score_histogram")
    heights = [patch.get_height() for patch in ax.patches]
    expected = [*(shape.negatives / shape.negatives.sum()), *(shape.positives / Y.sum())]
    assert heights == pytest.approx(expected)
    assert [patch.get_x() for patch in ax.patches[:50]] == shape.edges[:-1].tolist()
    ax.figure.canvas.draw()
    assert all(label.get_text().endswith("%") for label in ax.get_yticklabels())


# --- scores and slices ----------------------------------------------------------------------------
def test_scores_are_chosen_by_name() -> None:
    found = result()
    assert legend(found.plot("roc", score="new"))[0].startswith("AUC ")
    assert [entry[:4] for entry in legend(found.plot("roc", score=["new", "old"]))[:2]] == [
        "new ",
        "old ",
    ]
    with pytest.raises(sy.SpecError, match="no score 'newer'"):
        found.plot("roc", score="newer")


def test_slices_are_chosen_by_their_keys() -> None:
    found = result(by="country", metrics="auc")
    ax = found.plot("roc", slice=[{}, {"country": "DE"}])
    here = COUNTRY == "DE"
    values = [roc_auc_score(Y, OLD), roc_auc_score(Y, NEW)]
    values += [roc_auc_score(Y[here], OLD[here]), roc_auc_score(Y[here], NEW[here])]
    names = ["old, total", "new, total", "old, country=DE", "new, country=DE"]
    assert legend(ax)[:4] == [f"{n} (AUC {v:.3f})" for n, v in zip(names, values, strict=True)]
    # Slices have colours, and scores dashes.
    colours = [to_hex(line.get_color()) for line in ax.lines[:4]]
    assert colours == [PALETTE[0], PALETTE[0], PALETTE[1], PALETTE[1]]
    assert [line.get_linestyle() for line in ax.lines[:4]] == ["-", "--", "-", "--"]
    [only] = legend(found.plot("roc", score="new", slice={"country": "DE"}))[:1]
    assert only == f"country=DE (AUC {values[3]:.3f})"
    with pytest.raises(sy.SpecError, match="no slice country='XX'"):
        found.plot("roc", slice={"country": "XX"})


def test_by_shows_the_total_and_the_largest_slices() -> None:
    found = result(by=["country", "hour"], score="new")
    entries = legend(found.plot("roc", by="country"))
    sizes = {name: np.sum(name == COUNTRY) for name in ("DE", "FR", "US")}
    ordered = sorted(sizes, key=lambda name: -sizes[name])
    starts = [entry.partition(" (")[0] for entry in entries]
    assert starts == ["total", *(f"country={name}" for name in ordered), "chance"]
    many = legend(found.plot("pr", by="hour"))
    assert many[-1] == "the 5 largest of 10 slices"


def test_a_result_of_json_draws_the_shapes_it_holds() -> None:
    found = sy.Result.from_json(result(shapes=True).to_json())
    assert legend(found.plot("roc"))[0] == f"old (AUC {roc_auc_score(Y, OLD):.3f})"
    assert legend(found.plot("pr"))[0].startswith("old (AP ")
    bare = sy.Result.from_json(result().to_json())
    with pytest.raises(sy.SpecError, match="evaluate with shapes=True"):
        bare.plot("roc")


def test_a_requested_shape_goes_first_and_another_can_be_named() -> None:
    found = result(score="new", metrics=["auc", "calibration_curve(bins=4)", "thresholds(5)"])
    assert len(found.plot("calibration").lines[0].get_xdata()) == 4
    named = found.plot("calibration", metric="calibration_curve(bins=7)")
    assert len(named.lines[0].get_xdata()) == 7
    assert len(found.plot("threshold").lines[0].get_xdata()) > 50


# --- arrays ---------------------------------------------------------------------------------------
def test_arrays_and_several_scores_of_them() -> None:
    ax = sy.plot.roc(Y, {"old": OLD, "new": NEW}, linewidth=4, alpha=0.5)
    assert legend(ax)[1] == f"new (AUC {roc_auc_score(Y, NEW):.3f})"
    assert [line.get_linewidth() for line in ax.lines] == [4, 4, 1.0]
    assert [line.get_alpha() for line in ax.lines] == [0.5, 0.5, None]


def test_weights_reach_the_numbers() -> None:
    weights = RANDOM.random(N)
    expected = roc_auc_score(Y, NEW, sample_weight=weights)
    assert legend(sy.plot.roc(Y, NEW, sample_weight=weights))[0] == f"AUC {expected:.3f}"


def test_one_curve_a_class() -> None:
    truth = RANDOM.choice(["a", "b", "c"], N)
    matrix = RANDOM.random((N, 3)) + np.eye(3)["abc".index("c")] * (truth == "c")[:, None]
    ax = sy.plot.roc(truth, matrix, labels=["a", "b", "c"])
    values = [roc_auc_score(truth == name, matrix[:, at]) for at, name in enumerate("abc")]
    named = [f"class {name} (AUC {value:.3f})" for name, value in zip("abc", values, strict=True)]
    assert legend(ax) == [*named, "chance"]
    assert [to_hex(line.get_color()) for line in ax.lines[:3]] == list(PALETTE[:3])


def test_confusion_is_of_classes_or_of_scores() -> None:
    classes = sy.plot.confusion(["a", "b", "b"], {"model": ["b", "b", "a"]})
    assert [text.get_text().partition(" (")[0] for text in classes.texts] == ["0", "1", "1", "1"]
    floats = sy.plot.confusion([1, 0, 1], [0.9, 0.8, 0.3], threshold=0.2)
    cells = [text.get_text().partition(" (")[0] for text in floats.texts]
    assert cells == ["TP 2", "FN 0", "FP 1", "TN 0"]
    with pytest.raises(sy.InputError, match="slice"):
        result().plot("roc", slice="DE")  # type: ignore[arg-type]  # as users may


def test_groups_and_slices_of_arrays() -> None:
    users = np.arange(N) % 20
    ax = sy.plot.groups(Y, NEW, group=users, metric="ndcg@10")
    mean = sy.ndcg(Y, NEW, group=users, k=10)
    assert f"ndcg@10 {mean:.3f}" in legend(ax)
    values = [sy.ndcg(Y[users == user], NEW[users == user], k=10) for user in range(20)]
    counts, _ = np.histogram(values, 20, (0, 1))
    assert [patch.get_height() * 20 for patch in ax.patches] == pytest.approx(counts.tolist())
    bars = sy.plot.slices(Y, NEW, by={"country": COUNTRY}, metric="auc")
    expected = sorted(roc_auc_score(Y[c == COUNTRY], NEW[c == COUNTRY]) for c in ("DE", "FR", "US"))
    assert [patch.get_width() for patch in bars.patches] == pytest.approx(expected)


def test_residuals_that_are_all_equal_leave_nothing_out() -> None:
    assert legend(sy.plot.residuals([1.0, 2.0], [2.0, 3.0])) == [
        "prediction = truth",
        "bias 1.000, mae 1.000",
    ]


def test_a_single_class_says_why() -> None:
    assert legend(sy.plot.roc(np.zeros(N), NEW)) == ["there are no positives", "chance"]
    assert legend(sy.plot.pr(np.zeros(N), NEW)) == ["there are no positives"]
    assert legend(sy.plot.scores(np.zeros(N), NEW))[0].startswith("negatives (600)")


@pytest.mark.parametrize(
    "kind", ["roc", "pr", "calibration", "scores", "lift", "gain", "threshold"]
)
def test_every_kind_of_scores_by_arrays_and_by_result(kind: str) -> None:
    mine = getattr(sy.plot, kind)(Y, NEW)
    theirs = result(score="new").plot(kind)
    for one, other in zip(mine.lines, theirs.lines, strict=True):
        assert np.array_equal(one.get_xydata(), other.get_xydata(), equal_nan=True)
    assert legend(mine) == legend(theirs)
    assert mine.get_xlabel()
    assert mine.get_ylabel()


# --- drawing --------------------------------------------------------------------------------------
def test_hostile_names_are_text(ax: Any) -> None:
    names = {"_hidden": OLD, "$x^2$ <b>": NEW, "a" * 500: OLD}
    sy.plot.roc(Y, names, ax=ax)
    ax.figure.canvas.draw()
    shown = legend(ax)
    assert shown[0].lstrip("\u200b").startswith("_hidden (")
    assert shown[1].startswith(r"\$x^2\$ <b> (")
    assert len(shown[2]) == 52
    assert shown[2].endswith(f"aaa (AUC {roc_auc_score(Y, OLD):.3f})")  # it is cut in the middle


def test_cells_names_and_words(ax: Any) -> None:
    names = ("cat", "dog")
    values = np.array([[3.0, 1.0], [0.0, 9.0]])
    chart = Chart(
        kind="confusion",
        title="",
        summary="",
        x=Axis(label="predicted", names=names),
        y=Axis(label="true", names=names),
        marks=(
            Cells(values=values, texts=(("3", "1"), ("0", "9"))),
            Words(text="here", x=0.0, y=1.0),
        ),
    )
    draw_matplotlib.draw(chart, ax)
    [mesh] = ax.collections
    assert mesh.get_array().reshape(2, 2).tolist() == values.tolist()
    places = {text.get_text(): text.get_position() for text in ax.texts}
    assert places == {"3": (0, 0), "1": (1, 0), "0": (0, 1), "9": (1, 1), "here": (0, 1)}
    assert ax.get_ylim() == (1.5, -0.5)  # the first class is at the top
    assert [label.get_text() for label in ax.get_yticklabels()] == list(names)
    assert ax.get_legend() is None


def test_sideways_bars_and_equal_ends(ax: Any) -> None:
    low = np.array([-0.4, 0.6])
    bars = Bars(low=low, high=low + 0.8, lengths=np.array([-1.0, 2.0]), sideways=True)
    chart = Chart(
        kind="slices",
        title="",
        summary="",
        x=Axis(label="", low=1, high=1),
        y=Axis(label="", names=("a", "b")),
        marks=(bars,),
    )
    draw_matplotlib.draw(chart, ax, {"hatch": "/"})
    assert [patch.get_width() for patch in ax.patches] == [-1, 2]
    assert [patch.get_hatch() for patch in ax.patches] == ["/", "/"]
    assert ax.get_xlim() == (0.5, 1.5)


def test_nothing_of_pyplot_changes_beyond_a_figure(ax: Any) -> None:
    before = dict(mpl.rcParams)
    sy.plot.pr(Y, NEW, ax=ax)
    assert pyplot.get_fignums() == []
    made = sy.plot.pr(Y, NEW)
    assert pyplot.get_fignums() == [made.figure.number]
    assert pyplot.gca() is made
    assert dict(mpl.rcParams) == before


def test_matplotlib_is_loaded_when_used() -> None:
    code = (
        "import sys, steelyard as sy; r = sy.evaluate(label=[0, 1], score=[0.1, 0.2]); sy.plot.roc;"
        "r.picture_shape('roc'); sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_public_function_is_a_kind() -> None:
    own = [
        name for name in vars(sy.plot) if getattr(sy.plot, name).__class__.__name__ == "function"
    ]
    public = {name for name in own if getattr(sy.plot, name).__module__ == "steelyard.plot"}
    assert {name for name in public if not name.startswith("_")} == set(EVERY)
    folder = Path(draw_matplotlib.__file__).parent
    assert all((folder / f"{kind}.py").exists() for kind in EVERY)
    for listed in (sy.Result.plot.__doc__, plot_files.__doc__):
        assert set(EVERY) <= set(re.findall(r"\w+", listed or ""))


# --- few rows, ordered slices, thresholds -------------------------------------------------------
def bar_widths(ax: Any) -> set[float]:
    return {round(patch.get_width(), 9) for patch in ax.patches}


@pytest.mark.parametrize(("rows", "bars"), [(12, 5), (60, 10), (N, 50)])
def test_few_rows_have_few_bars_and_every_row_is_in_one(rows: int, bars: int) -> None:
    label, score = np.arange(rows) % 2, OLD[:rows]
    ax = sy.plot.scores(label, score)
    assert len(ax.patches) == 2 * bars
    assert len(bar_widths(ax)) <= 2  # all are equally wide, up to rounding
    edges = np.linspace(score.min(), score.max(), bars + 1)
    counts, _ = np.histogram(score[label == 0], edges)
    shown = [patch.get_height() for patch in ax.patches[:bars]]
    assert shown == pytest.approx(counts / counts.sum())
    assert len(sy.plot.scores(label, score, bins=50).patches) == 100  # chosen: as it is
    truth = np.arange(rows) / 3
    assert len(sy.plot.residuals(truth, truth + score).patches) == bars


@pytest.mark.parametrize(("rows", "points"), [(12, 2), (60, 6), (N, 10)])
def test_a_point_of_a_reliability_diagram_has_rows(rows: int, points: int) -> None:
    label, score = np.arange(rows) % 2, np.sort(OLD[:rows])
    ax = sy.plot.calibration(label, score)
    x, y = ax.lines[0].get_data()
    assert len(x) == points
    assert len(sy.plot.calibration(label, score, bins=10).lines[0].get_data()[0]) == 10
    sizes = ax.collections[0].get_sizes()
    share = np.average(y, weights=sizes / sizes.sum() if points < 10 else None)
    assert share == pytest.approx(label.mean(), abs=0.05)


@pytest.mark.parametrize("score_type", ["float64", "float32"])
def test_a_threshold_is_marked_with_its_rates(score_type: str) -> None:
    score = OLD.astype(score_type)
    ax = sy.plot.scores(Y, score, threshold=0.4)
    (line,) = ax.lines
    assert line.get_xdata() == [0.4, 0.4]
    above = score >= np.asarray(0.4, score_type)
    recall, fpr = above[Y == 1].mean(), above[Y == 0].mean()
    assert line.get_label() == f"threshold 0.4, recall {recall:.3f}, FPR {fpr:.3f}"
    two = sy.plot.scores(Y, {"old": OLD, "new": NEW}, threshold=2)
    assert two.lines[-1].get_label() == "threshold 2"
    assert two.get_xlim()[1] >= 2
    with pytest.raises(sy.SpecError, match="threshold"):
        sy.plot.scores(Y, OLD, threshold=float("nan"))


DAYS = np.datetime64("2026-02-26") + np.array([0, 1, 4, 3])[np.arange(N) % 4]  # none on the 28th


def test_slices_by_day_are_a_line_over_time_with_a_gap() -> None:
    found = sy.evaluate(LOG | {"day": DAYS}, label="y", score="old", by="day", metrics="auc")
    ax = found.plot("slices")
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert names == ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]
    line = next(each for each in ax.lines if len(each.get_xdata()) == 5)
    values = [None if n == names[2] else found.value("auc", day=n) for n in names]
    assert line.get_ydata() == pytest.approx(np.array(values, float), nan_ok=True)
    assert not ax.patches
    hours = sy.evaluate(LOG, label="y", score="old", by="hour", metrics="auc").plot("slices")
    few = [f"* {hour}" for hour in range(10)]  # slices of 60 rows
    assert [text.get_text() for text in hours.get_xticklabels()] == few


@pytest.mark.parametrize(
    "keys",
    [
        ["DE", "FR", "US"],
        [1, 2, 3],
        [10, 2000, 30000, 4, 50, 61, 7],
        [True, False],
        ["a", "2026-01-01"],
    ],
)
def test_slices_without_an_order_are_bars(keys: list[Any]) -> None:
    assert slice_trend.places(keys) is None


def test_intervals_of_slices_over_time_are_drawn_and_named() -> None:
    rows = LOG | {"day": DAYS, "user": np.arange(N) // 5}
    ax = sy.evaluate(
        rows, label="y", score=["old", "new"], by="day", metrics="auc", cluster="user"
    ).plot("slices")
    assert len([line for line in ax.lines if len(line.get_xdata()) == 5]) == 2 * 3
    assert "95 % intervals" in ax.get_legend().get_texts()[-1].get_text()


@pytest.mark.parametrize("longest", [3, 30])
def test_the_texts_of_ten_classes_fit_their_cells(longest: int) -> None:
    names = np.array([f"{place}{'x' * longest}"[:longest] for place in range(10)])
    truth = np.arange(N) % 10
    called = np.where(np.arange(N) % 17, truth, 0)
    ax = sy.plot.confusion(names[truth], names[called])
    ax.figure.canvas.draw()
    cell = ax.get_window_extent().width / 10
    assert len(ax.texts) == 100
    assert max(text.get_window_extent().width for text in ax.texts) <= cell
