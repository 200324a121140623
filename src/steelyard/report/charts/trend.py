"""Trend: the value of a metric in several logs in time order, each with its interval."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.model import Floats
from steelyard.phrases import shortened
from steelyard.report.charts.chart import Axis, Chart, IntervalBars, Line, Mark, Points, Rule

MOST = 60  # logs that are shown: the last ones
LONGEST = 40  # characters of a name
ROOM = 0.06  # of the axis, beyond the longest interval
SIZE = 0.6  # the area of points


class TrendPoint(NamedTuple):
    """One log; value: None where it has none; low, high: its interval, if it has one."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str


def chart(metric: str, points: Sequence[TrendPoint], first: int | None, summary: str) -> Chart:
    """A line from log to log, from top to bottom; first: the log of the change point."""
    left_out = max(len(points) - MOST, 0)
    shown = points[left_out:]
    values, low, high = (_column(shown, field) for field in ("value", "low", "high"))
    places = np.arange(len(shown), dtype=np.float64)
    marks: list[Mark] = [
        IntervalBars(low=low, high=high, y=places, colour=0, role="intervals"),
        Line(x=values, y=places, colour=None, role="trend"),
        Points(x=values, y=places, sizes=np.full(len(places), SIZE), colour=0, role="points"),
    ]
    if first is not None and first >= left_out:
        marks.append(Rule(y=first - left_out - 0.5, name="change point", colour=None))
    least, most = _ends(np.concatenate([values, low, high]))
    notes = (f"the last {len(shown)} of {len(points):,} logs",) if left_out else ()
    return Chart(
        kind="trend",
        title=f"{metric} by log",
        summary=summary,
        x=Axis(label=metric, low=least, high=most),
        y=Axis(
            label="",
            names=tuple(shortened(each.name, LONGEST) for each in shown),
            beside=tuple(each.text for each in shown),
        ),
        marks=tuple(marks),
        notes=notes,
    )


def _column(points: Sequence[TrendPoint], field: str) -> Floats:
    return np.array([getattr(each, field) for each in points], float)


def _ends(values: Floats) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    least, most = float(known.min()), float(known.max())
    room = ROOM * (most - least) or abs(most) * ROOM or 1.0
    return least - room, most + room
