"""Lift: how many times more positives than among all rows, among those with the highest scores."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Floats, Gains
from steelyard.report.charts.chart import Axis, Chart, Line, Rule
from steelyard.report.charts.gain import DEPTH, DEPTH_AXIS, capture_at, error_at
from steelyard.report.charts.series import Series, reasons, said, with_shapes

ROOM = 1.05  # above the highest point
FIRST = 0.01  # depth; the lift of fewer rows is chance, and would set the scale of the whole chart

PLACES = 200  # of the depth, at which a long stretch between two points is drawn


def chart(series: Sequence[Series]) -> Chart:
    """One curve a series, and the base line of a random order: 1."""
    shown = with_shapes(series)
    entries = [each.entry(_lift(each)) for each in shown]
    lines = [
        Line(x=x, y=y, name=entry, colour=each.colour, role="lift")
        for each, entry in zip(shown, entries, strict=True)
        for x, y in [bent(each.shape)]
    ]
    high = max((_high(line) for line in lines), default=1.0)
    beyond = any(line.y.max(initial=0.0) > high for line in lines)
    return Chart(
        kind="lift",
        title="Lift",
        summary=said("Lift by share of rows", series, entries),
        x=DEPTH_AXIS,
        y=Axis(label="Lift (share of positives / prevalence)", high=ROOM * high),
        marks=(*lines, *reasons(series), Rule(y=1.0, name="random order", colour=None)),
        notes=(f"Before {FIRST:.0%} of the rows the curve goes beyond the axis.",)
        if beyond
        else (),
    )


def bent(curve: Gains) -> tuple[Floats, Floats]:
    """Depth and lift at the points of the curve, and between two that are far apart.

    There the capture is straight, and so the lift is not. The first point calls no row: it has no
    lift.
    """
    depth = curve.depth
    places = np.arange(1, PLACES) / PLACES
    after = np.searchsorted(depth, places)
    far = depth[after] - depth[after - 1] > 2 / PLACES
    x = np.union1d(depth[1:], places[far])
    with np.errstate(all="ignore"):  # of depths so small that they are 0, or their lift infinite
        y = np.interp(x, depth, curve.capture) / x
    y[np.searchsorted(x, depth[1:])] = curve.lift[1:]
    return x, y


def _high(line: Line) -> float:
    """The highest lift of a depth that is not tiny, and at least that of the base line."""
    return float(line.y[line.x >= FIRST].max(initial=1.0))


def _lift(series: Series) -> str:
    value = capture_at(series.shape, DEPTH) / DEPTH
    error = error_at(series.shape, DEPTH) / DEPTH
    return series.number(f"lift({DEPTH})", f"{DEPTH:.0%}:", value, error).replace("0%:", "0 %:")
