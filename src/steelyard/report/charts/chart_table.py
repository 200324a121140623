"""The table behind a chart: its numbers for those who do not see the picture."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from steelyard.model import Array
from steelyard.report.charts.chart import Axis, Bars, Cells, Chart, Line, Mark, Points
from steelyard.report.display import DASH
from steelyard.report.text_table import Column, TextTable, from_texts

MOST = 25  # lines of a mark: a long curve shows some of its points, each as it is


def table_of(chart: Chart) -> TextTable:
    """The numbers of the coloured marks; neutral ones, such as the diagonal, are no data."""
    for mark in chart.marks:
        if isinstance(mark, Cells):
            return _of_cells(mark, chart)
    marks = [
        mark
        for mark in chart.marks
        if isinstance(mark, Line | Points | Bars) and mark.colour is not None
    ]
    named = any(mark.name for mark in marks)
    lines = [
        ((mark.name,) if named else ()) + line for mark in marks for line in _lines(mark, chart)
    ]
    edges = any(isinstance(mark, Bars) and not _names(mark, chart).names for mark in marks)
    x, y = (chart.y, chart.x) if _sideways(marks) else (chart.x, chart.y)
    places = (f"{x.label} from", "to") if edges else (x.label,)
    header = (("",) if named else ()) + (*places, y.label)
    longest = max((len(_first_column(mark)) for mark in marks), default=0)
    part = f"{MOST} of {longest:,} points of each curve" if longest > MOST and not edges else ""
    return replace(from_texts(Column.texts(*header), lines), notes=[part] if part else [])


def _sideways(marks: Sequence[Mark]) -> bool:
    return any(isinstance(mark, Bars) and mark.sideways for mark in marks)


def _first_column(mark: Mark) -> Array:
    return mark.low if isinstance(mark, Bars) else np.asarray(getattr(mark, "x", ()))


def _names(mark: Bars, chart: Chart) -> Axis:
    """The axis that the edges of bars are on."""
    return chart.y if mark.sideways else chart.x


def _lines(mark: Mark, chart: Chart) -> Iterator[tuple[str, ...]]:
    if isinstance(mark, Bars):
        names = _names(mark, chart).names
        for place, (low, high, length) in enumerate(
            zip(mark.low.tolist(), mark.high.tolist(), mark.lengths.tolist(), strict=True)
        ):
            where = (names[place],) if names else (_shown(low), _shown(high))
            yield (*where, _shown(length))
    elif isinstance(mark, Line | Points):
        for place in _some(len(mark.x)):
            yield _shown(float(mark.x[place])), _shown(float(mark.y[place]))


def _some(count: int) -> list[int]:
    """The places that are shown: all, or `MOST` from the first to the last."""
    if count <= MOST:
        return list(range(count))
    return [round(place * (count - 1) / (MOST - 1)) for place in range(MOST)]


def _of_cells(mark: Cells, chart: Chart) -> TextTable:
    """A line for each row of cells; a cell of a fine grid has no name, and is left out."""
    if not (chart.x.names and chart.y.names):
        return TextTable()
    header = (f"{chart.y.label} \\ {chart.x.label}", *chart.x.names)
    lines = [
        (name, *(texts or map(_shown, values)))
        for name, values, texts in zip(
            chart.y.names,
            mark.values.tolist(),
            mark.whole or mark.texts or [()] * len(chart.y.names),
            strict=True,
        )
    ]
    return from_texts(Column.texts(*header), lines)


def _shown(value: float) -> str:
    """A number with six digits, and a dash for none."""
    return DASH if value != value else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
