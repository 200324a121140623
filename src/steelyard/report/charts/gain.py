"""Gain: the share of all positives among the rows with the highest scores."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Gains
from steelyard.report import display
from steelyard.report.charts.chart import Axis, Chart, Line
from steelyard.report.charts.series import SEEN, Series, reasons, said, with_shapes

ENDS = np.array([0.0, 1.0])
DEPTH = 0.1  # of the number in the legend
DEPTH_AXIS = Axis(label="Share of rows, highest scores first", percent=True)


def chart(series: Sequence[Series]) -> Chart:
    """One curve a series, and the diagonal of a random order."""
    shown = with_shapes(series)
    entries = [each.entry(_capture(each)) for each in shown]
    lines = [
        Line(x=each.shape.depth, y=each.shape.capture, name=entry, colour=each.colour, role="gain")
        for each, entry in zip(shown, entries, strict=True)
    ]
    return Chart(
        kind="gain",
        title="Gain",
        summary=said("Share of positives found by share of rows", series, entries),
        x=DEPTH_AXIS,
        y=Axis(label="Share of positives found", percent=True),
        marks=(
            *lines,
            *reasons(series),
            Line(x=ENDS, y=ENDS, name="random order", colour=None, dashed=True),
        ),
    )


def capture_at(curve: Gains, depth: float) -> float:
    """The share of positives found at a depth; between two points it grows evenly."""
    return float(np.interp(depth, curve.depth, curve.capture))


def error_at(curve: Gains, depth: float) -> float:
    """How far from it the exact curve may be: of a thinned one, between the points around it."""
    after = int(np.searchsorted(curve.depth, depth))
    if not curve.area_error or curve.depth[after] == depth:
        return 0.0
    return float(curve.capture[after] - curve.capture[after - 1])


def _capture(series: Series) -> str:
    known = series.numbers.get(f"capture({DEPTH})")
    value = capture_at(series.shape, DEPTH) if known is None else known
    about = "≈ " if known is None and error_at(series.shape, DEPTH) > SEEN else ""
    share = f"{about}{display.number(100 * value, 1)} %"
    return f"{share} in the first {DEPTH:.0%}".replace("0%", "0 %")
