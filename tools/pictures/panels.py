"""Several charts as one SVG file: rows of panels, each with its own heading."""

import re
from collections.abc import Sequence
from itertools import accumulate

from steelyard.report.charts.chart import Chart
from steelyard.report.charts.draw_svg import draw

WIDTH = 420  # of a panel
GAP = 24
BAR = 26  # the height of a bar in `draw_svg`


def drawn(rows: Sequence[Sequence[Chart]], width: int = WIDTH) -> str:
    """The text of a file; its coordinates are pixels at the size that pages show it."""
    panels = [_row(row, width) for row in rows]
    heights = [max(map(_height, row)) for row in panels]
    tops = [*accumulate((height + GAP for height in heights), initial=0.0)]
    across = max(map(len, rows))
    whole = f'width="{across * (width + GAP) - GAP}" height="{tops[-1] - GAP:g}"'
    placed = [
        _placed(panel, place * (width + GAP), top, width)
        for top, row in zip(tops, panels, strict=False)
        for place, panel in enumerate(row)
    ]
    back = '<rect class="back" width="100%" height="100%" fill="#fff"/>\n'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {whole}>\n{back}{"".join(placed)}</svg>\n'


def _row(row: Sequence[Chart], width: int) -> list[str]:
    """The panels of a row; bars that have names are as high as the highest panel."""
    drawn = [draw(chart, width=width, standalone=True) for chart in row]
    most = max(map(_height, drawn))
    for place, chart in enumerate(row):
        if chart.y.names and not chart.square and (room := most - _height(drawn[place])) > 0:
            height = round(BAR * len(chart.y.names) + room)
            drawn[place] = draw(chart, width=width, height=height, standalone=True)
    return drawn


def _height(panel: str) -> float:
    """The last number of the first view box: the height of the whole panel."""
    (height,) = re.findall(r'viewBox="0 0 \S+ (\S+)"', panel)
    return float(height)


def _placed(panel: str, x: float, y: float, width: float) -> str:
    """A panel as an element of the file."""
    where = f'x="{x:g}" y="{y:g}" width="{width}" height="{_height(panel):g}"'
    return panel.replace("<svg ", f"<svg {where} ", 1)
