"""Reliability diagram: the share of positives against the mean prediction, bin by bin."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from steelyard.model import CalibrationCurve
from steelyard.report import display
from steelyard.report.charts.chart import Axis, Chart, Line, Mark, Points
from steelyard.report.charts.series import Series, reasons, said, with_shapes

ROOM = 1.05  # above the highest point; it is not cut, since clicks have shares of few per cent


def chart(series: Sequence[Series]) -> Chart:
    """One line a series through its bins; the area of a point is the weight of the bin's rows."""
    shown = with_shapes(series)
    entries = [each.entry(each.number("copc", "COPC", copc(each.shape))) for each in shown]
    marks: list[Mark] = []
    for each, entry in zip(shown, entries, strict=True):
        curve: CalibrationCurve = each.shape
        x, y, sizes = curve.predicted, curve.observed, curve.weight / curve.weight.max()
        marks += [
            Line(x=x, y=y, name=entry, colour=each.colour),
            Points(x=x, y=y, sizes=sizes, colour=each.colour, role="bins"),
        ]
    high = _high(shown)
    ends = np.array([0.0, high])
    diagonal = Line(x=ends, y=ends, name="calibrated", colour=None, dashed=True)
    return Chart(
        kind="calibration",
        title="Reliability diagram",
        summary=said("Share of positives against the mean prediction of bins", series, entries),
        x=Axis(label="Mean prediction of the bin", high=high),
        y=Axis(label="Share of positives in the bin", high=high),
        marks=(*marks, *reasons(series), diagonal),
        square=True,
        notes=tuple(note for each in shown for note in _notes(each, each.shape)),
    )


def copc(curve: CalibrationCurve) -> float:
    """Clicks over predicted clicks, of all bins."""
    weight = curve.weight / curve.weight.max()  # no product is too large or too small
    predicted = float((curve.predicted * weight).sum())
    return float((curve.observed * weight).sum()) / predicted if predicted else float("nan")


def copc_text(predicted: float, observed: float) -> str:
    """Clicks over predicted clicks of one bin."""
    found = float(observed) / float(predicted) if predicted else math.inf
    return display.DASH if math.isinf(found) else display.number(found, 3)


def weight_text(weight: float) -> str:
    """The weight of a bin: a number of rows, if it is a whole number."""
    return display.amount(int(weight) if weight == int(weight) else float(weight))


def _high(series: Sequence[Series]) -> float:
    """The end of both axes: a little above the highest point, at most 1."""
    highest = [max(each.shape.predicted.max(), each.shape.observed.max()) for each in series]
    return min(1.0, ROOM * float(max(highest, default=1.0))) or 1.0


def _notes(series: Series, curve: CalibrationCurve) -> Iterator[str]:
    """COPC and weight of each bin."""
    start = f"{series.name}, " if series.name else ""
    for place, (predicted, observed, weight) in enumerate(zip(*curve, strict=True), 1):
        yield (
            f"{start}bin {place}: mean prediction {display.number(predicted)}, share of positives "
            f"{display.number(observed)}, COPC {copc_text(predicted, observed)}, "
            f"weight {weight_text(weight)}"
        )
