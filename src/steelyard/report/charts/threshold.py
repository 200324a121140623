"""Threshold: precision, recall, F1 and specificity of calling all scores from it on positive.

The lines are steps: a threshold between two scores calls the same rows as the higher of them.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from steelyard.model import Thresholds
from steelyard.report import display
from steelyard.report.charts.chart import PALETTE, Axis, Chart, Line, Points
from steelyard.report.charts.series import Series, reasons, said, with_shapes

MEASURES = ("precision", "recall", "f1", "specificity")
ALL_MEASURES = 2  # series that show them all; of more, each shows F1
ROOM = 1.1  # above the best F1
LABELS = {"f1": "F1"}
F1 = MEASURES.index("f1")


def chart(series: Sequence[Series]) -> Chart:
    """A line for each measure, with dashes for the second series; of more, a line of F1 each."""
    shown = with_shapes(series)
    few = len(shown) <= ALL_MEASURES
    if few:
        lines = [line for number, each in enumerate(shown) for line in _lines(each, number)]
    else:
        lines = [replace(_lines(each, 0)[F1], name="", colour=each.colour) for each in shown]
    best = [_best(each, F1 if few else each.colour) for each in shown]
    ends = [line.x[[0, -1]] for line in lines if len(line.x)]
    return Chart(
        kind="threshold",
        title="Precision, recall, F1 and specificity by threshold" if few else "F1 by threshold",
        summary=said("Measures by threshold", series, [mark.name for mark in best]),
        x=Axis(
            label="Threshold (a score of it or more is called positive)",
            low=float(min((e.min() for e in ends), default=0.0)),
            high=float(max((e.max() for e in ends), default=1.0)),
        ),
        y=Axis(label="Share") if few else Axis(label="F1", high=_high(best)),
        marks=(*lines, *reasons(series), *best),
    )


def _lines(series: Series, number: int) -> list[Line]:
    table: Thresholds = series.shape
    kept = np.isfinite(table.thresholds)  # an infinite one calls nothing
    return [
        Line(
            x=np.repeat(table.thresholds[kept], 2)[1:],
            y=np.repeat(getattr(table, measure)[kept], 2)[:-1],
            name=series.about(LABELS.get(measure, measure)),
            colour=place + number * len(PALETTE),
            role=measure,
        )
        for place, measure in enumerate(MEASURES)
    ]


def _high(best: Sequence[Points]) -> float:
    """The end of the axis of F1: a little above the best."""
    return min(1.0, ROOM * max((float(each.y[0]) for each in best if len(each.y)), default=1.0))


def _best(series: Series, colour: int) -> Points:
    """The point of the best F1 in the table."""
    table: Thresholds = series.shape
    f1 = np.where(np.isfinite(table.thresholds), table.f1, np.nan)
    if np.isnan(f1).all():
        return Points(x=np.empty(0), y=np.empty(0))
    place = [int(np.nanargmax(f1))]
    value, threshold = f1[place[0]], table.thresholds[place[0]]
    text = f"best F1 {display.number(value, 3)} at {threshold:.4g}"
    return Points(
        x=table.thresholds[place],
        y=f1[place],
        name=series.about(text),
        colour=colour,
        role="best-f1",
    )
