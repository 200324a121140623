"""Plots of groups, residuals, predictions, confusion and slices: what is drawn is the result's."""

from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from sklearn.metrics import confusion_matrix

import steelyard as sy

DICE = np.random.default_rng(21)
N = 2000
COLUMNS = {
    "click": DICE.random(N) < 0.3,
    "s": DICE.random(N),
    "t": DICE.random(N),
    "user": DICE.integers(0, 150, N),
    "country": DICE.choice(["DE", "FR", "US"], N),
    "truth": DICE.normal(5, 2, N),
    "guess": DICE.normal(5, 1, N),
    "true": DICE.choice(list("abc"), N),
    "called": DICE.choice(list("abc"), N),
}


@pytest.fixture
def ax() -> Any:
    return Figure(figsize=(4, 3), dpi=50, layout="constrained").subplots()


def legend(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def lengths(ax: Any) -> list[float]:
    return [patch.get_height() for patch in ax.patches]


@pytest.mark.parametrize("metric", ["gauc", "ndcg@10"])
def test_groups(ax: Any, metric: str) -> None:
    how: dict[str, Any] = {"label": "click", "score": "s", "group": "user"}
    result = sy.evaluate(COLUMNS, metrics=[metric], **how)
    result.plot("groups", ax=ax)
    values = [line[metric] for line in result.groups(metric) if line[metric] is not None]
    edges = np.arange(21) / 20  # 0.15 is one of them; NumPy's own has another last digit
    counts, _ = np.histogram(values, bins=edges)
    assert lengths(ax) == pytest.approx(counts / len(values))
    assert [patch.get_x() for patch in ax.patches] == pytest.approx(edges[:-1])
    [mean] = [line for line in ax.lines if len(line.get_xdata())]
    assert list(mean.get_xdata()) == [result[metric]] * 2
    used = f"{len(values)} of 150 groups"
    assert legend(ax) == [f"{metric} {result[metric]:.3f}", used]


def test_residuals(ax: Any) -> None:
    result = sy.evaluate(COLUMNS, label="truth", prediction="guess", metrics=["mae", "median_ae"])
    result.plot("residuals", ax=ax)
    error = COLUMNS["guess"] - COLUMNS["truth"]
    edges = [patch.get_x() for patch in ax.patches]
    assert edges[0] == error.min()
    assert sum(lengths(ax)) == pytest.approx(1)
    low, high = edges[20], edges[21]
    assert lengths(ax)[20] == pytest.approx(((error >= low) & (error < high)).mean())
    assert f"mae {np.abs(error).mean():.3f}" in legend(ax)[-1]


def test_predicted_vs_true(ax: Any) -> None:
    result = sy.evaluate(COLUMNS, label="truth", prediction="guess", metrics=["spearman"])
    result.plot("predicted_vs_true", ax=ax)
    [mesh] = [each for each in ax.collections if isinstance(each, QuadMesh)]
    weights = np.expm1(np.asarray(mesh.get_array()))
    # The first row is the highest prediction; most predictions are near 5.
    corners = np.asarray(mesh.get_coordinates())
    assert corners[0, 0, 1] > corners[-1, 0, 1]
    assert weights.sum() == pytest.approx(N)
    middle = (corners[:-1, 0, 1] + corners[1:, 0, 1]) / 2
    assert (weights.sum(axis=1) * middle).sum() / N == pytest.approx(5, abs=0.1)


def test_confusion(ax: Any) -> None:
    result = sy.evaluate(COLUMNS, label="true", prediction="called", metrics=["accuracy"])
    result.plot("confusion", ax=ax)
    [mesh] = [each for each in ax.collections if isinstance(each, QuadMesh)]
    counts = confusion_matrix(COLUMNS["true"], COLUMNS["called"])
    expected = counts / counts.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.asarray(mesh.get_array()), expected)
    texts = {(text.get_position()): text.get_text() for text in ax.texts}
    assert texts[(0.0, 0.0)].startswith(f"{counts[0, 0]} (")
    assert texts[(2.0, 0.0)].startswith(f"{counts[0, 2]} (")
    assert ax.get_ylim() == (2.5, -0.5)  # the first class is above


def test_slices_of_two_scores(ax: Any) -> None:
    how: dict[str, Any] = {"label": "click", "score": ["s", "t"], "by": "country"}
    result = sy.evaluate(COLUMNS, metrics=["auc"], **how)
    result.plot("slices", ax=ax)
    worst = sorted(["DE", "FR", "US"], key=lambda key: result.value("auc", "s", country=key))
    assert [text.get_text() for text in ax.get_yticklabels()] == worst
    bars = [patch.get_width() for patch in ax.patches]
    for place, score in enumerate(("s", "t")):
        expected = [result.value("auc", score, country=key) for key in worst]
        assert bars[3 * place : 3 * place + 3] == expected
    # The legend is below the axes, since bars fill them.
    canvas: Any = FigureCanvasAgg(ax.figure)
    canvas.draw()
    box = ax.get_legend().get_window_extent()
    assert box.y1 < ax.get_window_extent().y0
    assert box.y0 >= 0


def test_names_of_many_classes_do_not_overlap() -> None:
    true, called = DICE.integers(0, 60, (2, 3000))
    result = sy.evaluate(label=true, prediction=called, metrics=["accuracy"])
    drawn = result.plot("confusion", ax=Figure(figsize=(5, 5), dpi=50).subplots())
    figure = result.plot("confusion").get_figure()
    assert figure.get_figheight() < 1.1 * figure.get_figwidth()
    assert len(drawn.get_yticks()) == len(drawn.get_xticks()) == 21  # every second of 41
