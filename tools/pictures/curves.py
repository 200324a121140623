"""Pictures of curves: step by step, points, crossings, imbalance, classes, rectangles."""

from dataclasses import replace
from typing import Any

import numpy as np

import steelyard as sy
from steelyard.model import ClassConfusion, ScoreHistogram
from steelyard.report.charts import confusion, pr, roc, scores
from steelyard.report.charts.chart import Axis, Cells, Chart, Line, Mark, Points, Rule, Words
from steelyard.report.charts.series import Series
from tools.pictures import examples
from tools.pictures.examples import Rows

Panels = list[list[Chart]]
THRESHOLDS = (0.3, 0.5, 0.7)
HIGHEST = 0.22  # the end of the histograms' y axis: room for words above the bars
FPR = 0.23


def curve(metric: Any, rows: Rows) -> Any:
    return metric(rows.label, rows.score, sample_weight=rows.weight)


def series(metric: Any, named: dict[str, Rows]) -> list[Series]:
    return [
        Series(shape=curve(metric, rows), name=name, colour=colour)
        for colour, (name, rows) in enumerate(named.items())
    ]


def point(x: float, y: float, colour: int | None) -> Points:
    return Points(x=np.array([x]), y=np.array([y]), colour=colour)


def words(chart: Chart, *more: Mark, title: str, summary: str = "") -> Chart:
    """A chart with more marks, and what it is about here."""
    said = f"{summary} {chart.summary}".strip()
    return replace(chart, title=title, summary=said, marks=(*chart.marks, *more), notes=())


# --- 003 -----------------------------------------------------------------------------------------
def roc_steps() -> Panels:
    """Up for a positive, right for a negative; the number is that of the row."""
    label = examples.TEN.label
    ups, rights = np.cumsum(label) / label.sum(), np.cumsum(1 - label) / (1 - label).sum()
    kinds = (("a positive: up", label == 1, 1), ("a negative: right", label == 0, 0))
    marks: list[Mark] = [
        Points(x=rights[chosen], y=ups[chosen], name=name, colour=colour)
        for name, chosen, colour in kinds
    ]
    marks += [
        Words(text=str(row), x=x, y=y, colour=None)
        for row, (x, y) in enumerate(zip(rights.tolist(), ups.tolist(), strict=True), 1)
    ]
    chart = roc.chart([Series(shape=curve(sy.roc, examples.TEN), colour=2)])
    return [[words(chart, *marks, title="Ten rows, one step for each")]]


# --- 001 -----------------------------------------------------------------------------------------
def threshold() -> Panels:
    """Three thresholds on the two histograms, and the three points of the curve."""
    hills = examples.hills(12, 8)
    chart = roc.chart([Series(shape=curve(sy.roc, hills), colour=2)])
    marks: list[Mark] = []
    panels = []
    for value in THRESHOLDS:
        tp, fp, fn, tn = sy.confusion(
            hills.label, hills.score, threshold=value, sample_weight=hills.weight
        )
        x, y = fp / (fp + tn), tp / (tp + fn)
        marks += [
            point(x, y, 3),
            Words(text=f"threshold {value}", x=x, y=y - 0.07, colour=None),
        ]
        panels.append(_histogram(hills, value, f"{y:.3f}", f"{x:.3f}"))
    whole = words(chart, *marks, title="Every threshold is a point of the curve")
    return [panels[:2], [panels[2], whole]]


def _histogram(hills: Rows, threshold: float, tpr: str, fpr: str) -> Chart:
    edges = np.arange(22) / 20 - 0.025
    positives, negatives = hills.weight[:21], hills.weight[21:]
    chart = scores.chart([Series(shape=ScoreHistogram(edges, positives, negatives))])
    # Between two scores, since the bar at the threshold is called positive.
    rule = Rule(x=threshold - 0.025, colour=None, dashed=False)
    called = Words(text="called positive →", x=threshold - 0.025, y=HIGHEST, colour=None)
    chart = words(chart, rule, called, title=f"Threshold {threshold}: TPR {tpr}, FPR {fpr}")
    return replace(chart, x=Axis(label="Score"), y=replace(chart.y, high=HIGHEST))


def roc_space() -> Panels:
    """A above, B on and C below the diagonal; C with its calls reversed is as good as A."""
    diagonal = Line(x=roc.ENDS, y=roc.ENDS, name="chance", colour=None, dashed=True)
    marks: list[Mark] = [diagonal, point(0, 1, None)]
    marks += [Words(text="perfect: no error", x=0.01, y=0.93, colour=None)]
    for colour, (name, (tp, fp)) in enumerate(examples.SPACE.items()):
        x, y = fp / 10, tp / 10
        text = f"{name}: FPR {x}, TPR {y}"
        below = 0.09 if x > y else 0.0
        marks += [
            point(x, y, colour),
            Words(text=text, x=x, y=y - below, colour=colour),
        ]
    tp, fp = examples.SPACE["C"]
    back = np.array([fp / 10, 1 - fp / 10]), np.array([tp / 10, 1 - tp / 10])
    marks += [
        Line(x=back[0], y=back[1], colour=2, dashed=True),
        point(back[0][1], back[1][1], 2),
        Words(text="C reversed: as far above as C is below", x=back[0][1], y=back[1][1], colour=2),
    ]
    names = ", ".join(
        f"{n} at FPR {fp / 10}, TPR {tp / 10}" for n, (tp, fp) in examples.SPACE.items()
    )
    return [[
        Chart(
            kind="roc",
            title="ROC space",
            summary=f"Points in ROC space: {names}; C reversed is at FPR 0.3, TPR 0.7.",
            x=Axis(label="False positive rate (FP / N)"),
            y=Axis(label="True positive rate (TP / P)"),
            marks=tuple(marks),
            square=True,
        )
    ]]  # fmt: skip


def crossing() -> Panels:
    """Curves of the same area, and of the same break-even point, that cross."""
    rule = Rule(x=FPR, name=f"FPR {FPR}", colour=None)
    left = words(roc.chart(series(sy.roc, examples.CROSSING)), rule, title="ROC: A and B cross")
    right = words(pr.chart(series(sy.pr, examples.CROSSING)), title="PR: the same three models")
    return [[left, right]]


def imbalance() -> Panels:
    """The articles' four panels: two models, then ten times as many negatives."""
    models = {"good": examples.hills(55, 45, 100), "poor": examples.hills(52, 48, 100)}
    more = {name: examples.more_negatives(rows, 10) for name, rows in models.items()}
    return [
        [
            words(roc.chart(series(sy.roc, given)), title=f"ROC, {ratio}"),
            words(_without_break_even(given), title=f"PR, {ratio}"),
        ]
        for given, ratio in (
            (models, "1 negative per positive"),
            (more, "10 negatives per positive"),
        )
    ]


def _without_break_even(models: dict[str, Rows]) -> Chart:
    """The point is for another picture."""
    chart = pr.chart(series(sy.pr, models))
    return replace(chart, marks=tuple(m for m in chart.marks if not isinstance(m, Points)))


# --- 004 -----------------------------------------------------------------------------------------
def rectangles() -> Panels:
    """A cell for each pair of a positive and a negative; those in the right order are shaded."""
    return [
        [
            _pairs(examples.FOUR, "3 of 4 pairs: AUC 0.75"),
            _pairs(examples.SEVEN, "10 of 12: AUC 0.833"),
        ]
    ]


def _pairs(rows: Rows, title: str) -> Chart:
    ups = np.sort(rows.score[rows.label == 1])
    downs = np.sort(rows.score[rows.label == 0])[::-1]
    values = (ups[:, None] > downs) + (ups[:, None] == downs) / 2
    signs = {1.0: ">", 0.5: "=", 0.0: "<"}
    texts = tuple(
        tuple(f"{up} {signs[value]} {down}" for down, value in zip(downs, line, strict=True))
        for up, line in zip(ups, values.tolist(), strict=True)
    )
    chart = roc.chart([Series(shape=curve(sy.roc, rows), colour=1)])
    line = next(mark for mark in chart.marks if isinstance(mark, Line))
    cells = Cells(values=values, texts=texts, colour=0)
    curve_alone = replace(line, filled=False, name="the ROC curve")
    return replace(chart, title=title, marks=(cells, curve_alone))


def one_vs_rest() -> Panels:
    """The article's table, and one curve a class of fifteen rows with probabilities."""
    table = confusion.chart([Series(shape=ClassConfusion((1, 2, 3), examples.CELLS))])
    curves = sy.roc(examples.TRUTH, examples.MATRIX)
    chart = roc.chart([Series(shape=curves)])
    title = "One ROC curve for each class against the rest"
    return [[words(table, title="Confusion of three classes"), words(chart, title=title)]]
