"""The figures of the page: charts with what the script moves, drawn as SVG."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steelyard.model import ClassConfusion, PredictedVsTrue, ScoreHistogram, Thresholds, Undefined
from steelyard.report import display
from steelyard.report.charts import (
    calibration,
    confusion,
    gain,
    lift,
    pr,
    predicted_vs_true,
    residuals,
    roc,
    scores,
)
from steelyard.report.charts import groups as group_chart
from steelyard.report.charts.chart import Chart, Mark, Points, Rule
from steelyard.report.charts.chart_table import table_of
from steelyard.report.charts.draw_svg import draw
from steelyard.report.charts.series import Series, has_large_weights
from steelyard.report.charts.threshold_points import with_edges
from steelyard.report.report_page.operating_points import OperatingPoints, operating_points
from steelyard.report.report_page.pictures import Pictures
from steelyard.report.text_table import TextTable

WIDTH = 420  # of a chart's coordinates: at 340 pixels its letters are still 10 high
CELL = 46  # the height of a cell of a confusion matrix with few classes
# Marks of charts that the script moves; of several scores, each has its number at the end.
MOVED = ("pr", "prevalence", "break-even")


@dataclass(frozen=True)
class Figure:
    """A picture of the page: its SVG, what it says, and the table behind it."""

    id: str
    title: str
    svg: str
    summary: str
    notes: tuple[str, ...]
    table: TextTable


@dataclass(frozen=True)
class CalibrationBin:
    """A bin of the reliability diagram, as text; share: its rows, of those of the largest bin."""

    predicted: str
    observed: str
    weight: str
    copc: str
    share: float


def figure(chart: Chart, *, id_: str = "", title: str = "", height: int | None = None) -> Figure:
    return Figure(
        id_ or chart.kind,
        title or chart.title,
        draw(chart, width=WIDTH, height=height),
        chart.summary,
        chart.notes,
        table_of(chart),
    )


def why_missing(series: Sequence[Series]) -> str:
    """The reason, if no series has a shape."""
    whys = [each.shape.why for each in series if isinstance(each.shape, Undefined)]
    return whys[0] if whys and len(whys) == len(series) else ""


# --- the slider ----------------------------------------------------------------------------------
def points_of(pictures: Pictures) -> list[OperatingPoints]:
    """The operating points of each score that has any."""
    name = pictures.name_of("thresholds")
    if name is None:
        return []
    types = pictures.result.conventions.score_types
    bins = pictures.name_of("score_histogram")
    found = []
    for score, table in zip(pictures.scores, pictures.shapes(name), strict=True):
        if isinstance(table, Thresholds) and not has_large_weights(table):
            histogram = bins and pictures.result.picture_shape(bins, score)
            if isinstance(histogram, ScoreHistogram) and not has_large_weights(histogram.inner):
                table = with_edges(table, histogram)
            found.append(operating_points(score, table, types.get(score)))
    return found


def histograms(pictures: Pictures, points: Sequence[OperatingPoints]) -> list[Figure]:
    """The score histogram of each score, with the line of the slider."""
    found = []
    by_score = {each.score: each for each in points}
    for place, series in enumerate(pictures.series("score_histogram")):
        at = by_score.get(pictures.scores[place])
        if isinstance(series.shape, Undefined) or at is None:
            continue
        chart = scores.chart([replace(series, name="", colour=0)])
        line = Rule(
            x=min(at.thresholds[at.start], chart.x.high),
            colour=None,
            dashed=False,
            role="threshold",
        )
        chart = replace(chart, marks=(*chart.marks, line))
        title = f"Scores of {display.key(at.score)}" if len(pictures.scores) > 1 else chart.title
        found.append(figure(chart, id_=f"scores-{place}", title=title, height=250))
    return found


def curves(pictures: Pictures, points: Sequence[OperatingPoints]) -> list[Figure]:
    """ROC and precision-recall, with the point of the slider."""
    found = []
    for kind, module in (("roc", roc), ("pr", pr)):
        series = pictures.series(kind)
        if series and not why_missing(series) and not _of_classes(series):
            chart = module.chart(series)
            found.append(
                figure(replace(chart, marks=(*_numbered(chart.marks), *_now(kind, points))))
            )
    return found


def _of_classes(series: Sequence[Series]) -> bool:
    """Whether the curves are those of many classes, one against all others."""
    return any(isinstance(each.shape, dict) for each in series)


def _numbered(marks: Iterable[Mark]) -> list[Mark]:
    """The marks with the number of their score in their roles."""
    counts: dict[str, int] = {}
    found = []
    for mark in marks:
        if mark.role in MOVED:
            counts[mark.role] = counts.get(mark.role, -1) + 1
            mark = replace(mark, role=f"{mark.role}-{counts[mark.role]}")
        found.append(mark)
    return found


def _now(kind: str, points: Sequence[OperatingPoints]) -> list[Mark]:
    """The point of the slider, of the first score."""
    if not points:
        return []
    precision, recall, _, specificity, _ = points[0].now.ratios
    x, y = (1 - specificity, recall) if kind == "roc" else (recall, precision)
    return [Points(x=np.array([x]), y=np.array([y]), colour=None, role=f"{kind}-now")]


# --- the others ----------------------------------------------------------------------------------
def simple(pictures: Pictures, metric: str, chart_of: Callable[[Any], Chart]) -> list[Figure]:
    """The figure of a shape that the script leaves alone; none without the shape."""
    series = pictures.series(metric)
    if not series or why_missing(series):
        return []
    return [figure(chart_of(series))]


def reliability(pictures: Pictures) -> list[Figure]:
    """The reliability diagram; its bins have a table of their own, so its notes are left out."""
    return [
        replace(each, notes=()) for each in simple(pictures, "calibration_curve", calibration.chart)
    ]


def bins(pictures: Pictures) -> list[tuple[str, list[CalibrationBin]]]:
    """The bins of each score, with COPC: positives over predicted positives."""
    found = []
    for score, series in zip(pictures.scores, pictures.series("calibration_curve"), strict=False):
        if not isinstance(series.shape, Undefined):
            columns = [column.tolist() for column in series.shape]
            most = max(columns[2])
            found.append(
                (
                    display.key(score),
                    [_bin(a, b, weight, most) for a, b, weight in zip(*columns, strict=True)],
                )
            )
    return found


def _bin(predicted: float, observed: float, weight: float, most: float) -> CalibrationBin:
    return CalibrationBin(
        display.number(predicted, 4),
        display.number(observed, 4),
        calibration.weight_text(weight),
        calibration.copc_text(predicted, observed),
        100 * (weight / most),
    )


def groups(pictures: Pictures) -> list[Figure]:
    """The distribution of each mean over groups, with the mean."""
    found = []
    for place, name in enumerate(pictures.all_of("group_values")):
        metric = pictures.result._bound(name).params["metric"]
        series = [
            replace(each, numbers={m: v for m, v in each.numbers.items() if m == metric})
            for each in pictures.series_of(name)
        ]
        if not why_missing(series):
            found.append(figure(group_chart.chart(series), id_=f"groups-{place}"))
    return found


def classes(pictures: Pictures) -> list[Figure]:
    """The heat map of each score or prediction, and the curves of each class."""
    found = []
    for place, each in enumerate(pictures.series("confusion")):
        if isinstance(each.shape, ClassConfusion):
            title = f"Confusion matrix of {each.name}" if each.name else ""
            chart = confusion.chart([replace(each, name="", colour=0)])
            high = None if chart.square else max(120, min(CELL * len(chart.y.names), WIDTH))
            found.append(figure(chart, id_=f"confusion-{place}", title=title, height=high))
    for kind, module in (("roc", roc), ("pr", pr)):
        series = pictures.series(kind)
        if series and _of_classes(series):
            chart = module.chart(series)
            found.append(figure(chart, title=f"{chart.title} of each class"))
    return found


def errors(pictures: Pictures) -> list[Figure]:
    """Residuals, and predictions against the truth, one for each prediction."""
    found = simple(pictures, "residuals", residuals.chart)
    for place, each in enumerate(pictures.series("predicted_vs_true")):
        if isinstance(each.shape, PredictedVsTrue):
            chart = predicted_vs_true.chart([replace(each, name="", colour=0)])
            title = f"{chart.title}: {each.name}" if each.name else ""
            found.append(figure(chart, id_=f"predicted-{place}", title=title))
    return found


def depth(pictures: Pictures) -> list[Figure]:
    """Gain and lift."""
    return [*simple(pictures, "gains", gain.chart), *simple(pictures, "gains", lift.chart)]
