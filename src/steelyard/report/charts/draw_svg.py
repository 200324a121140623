"""A chart as SVG text, the same bytes each time; for the report page and for docs.

Colours are classes (c0 to c5, neutral) over plain colours, so that a page chooses its own for light
and dark. An element of a mark with a role has `data-role`; the `svg` element has the frame of
the plot in pixels and the ends of its axes, so that the script of the report can move marks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape

from steelyard.report.charts.chart import Bars, Cells, Chart, Line, Mark, Points
from steelyard.report.charts.scale import Scale, cut, pixel, text_width, ticks, widest
from steelyard.report.charts.svg_marks import SIZE, Frame, draw_mark, fill, stroke, text_element

WIDTH = 460
ROW = 18  # the height of a line of letters

# A file of its own has its own colours: nobody else's style reaches it.
DARK = ("#4aa8e0", "#ff8f52", "#2fc79b", "#e8a0c8", "#f2b93b", "#8fd0f5")
STANDALONE = (
    "svg{color:#1d2329;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    ".back{fill:#fff}.strong{fill:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e4e7eb}.back{fill:#14171b}.strong{fill:#0b0d10}"
    + "".join(
        f".f{place}{{fill:{colour}}}.s{place}{{stroke:{colour}}}"
        for place, colour in enumerate(DARK)
    )
    + "}"
)


def draw(
    chart: Chart, *, width: int = WIDTH, height: int | None = None, standalone: bool = False
) -> str:
    """The SVG element of a chart.

    width: of its coordinates; it is shown as wide as its container
    height: of the plot; None: fits the kind of chart
    standalone: a file of its own, with a heading, notes and colours for light and dark
    """
    heading = _wrapped(chart.title, width - 8, 15) if standalone and chart.title else []
    legend = _legend_rows(chart, width)
    between = 4 if legend else 0
    top = 4 + between + 20 * len(heading) + ROW * len(legend) + (ROW if chart.y.label else 6)
    frame = replace(_frame(chart, width, height, top), values=not standalone)
    below = frame.bottom + _names_height(chart, frame) + (ROW if chart.x.label else 0) + 6
    notes = [line for note in chart.notes for line in _wrapped(note, width - 8, 11)]
    notes = notes if standalone else []
    total = below + 15 * len(notes) + (6 if notes else 0)
    parts = [
        _opening(chart, frame, width, total, standalone),
        *(
            text_element(4, 16 + 20 * at, line, size=15, bold=True)
            for at, line in enumerate(heading)
        ),
        *_legend(legend, 4 + 20 * len(heading), width),
        *_axes(chart, frame, width),
        *(part for mark in chart.marks for part in draw_mark(mark, chart, frame)),
        *(
            text_element(4, below + 10 + 15 * at, line, size=11, faint=True)
            for at, line in enumerate(notes)
        ),
        "</svg>",
    ]
    return "\n".join(parts) + ("\n" if standalone else "")


def _opening(chart: Chart, frame: Frame, width: float, height: float, standalone: bool) -> str:
    size = f"{pixel(width)} {pixel(height)}"
    box = " ".join(map(pixel, (frame.left, frame.top, frame.right, frame.bottom)))
    ends = " ".join(f"{end!r}" for end in map(float, chart.ends))
    first = (
        f'<svg{XMLNS if standalone else ""} class="chart" role="img" viewBox="0 0 {size}"'
        f' font-size="{SIZE}" fill="currentColor" data-kind="{escape(chart.kind)}"'
        f' data-frame="{box}" data-ends="{ends}"{_labels(chart, frame)}>'
    )
    lines = [
        first,
        f"<title>{escape(chart.title)}</title>",
        f"<desc>{escape(chart.summary)}</desc>",
    ]
    if standalone:
        lines += [
            f"<style>{STANDALONE}</style>",
            '<rect class="back" width="100%" height="100%" fill="#fff"/>',
        ]
    return "\n".join(lines)


def _labels(chart: Chart, frame: Frame) -> str:
    """What the axes show, for the script: without what is in brackets."""
    if not frame.values:
        return ""
    x, y = (escape(axis.label.partition(" (")[0]) for axis in (chart.x, chart.y))
    return f' data-x="{x}" data-y="{y}"'


XMLNS = ' xmlns="http://www.w3.org/2000/svg"'


def _frame(chart: Chart, width: float, height: float | None, top: float) -> Frame:
    """The plot: as wide as the labels of the y axis leave, and as high as its kind wants."""
    texts = [_named(text) for _, text in ticks(chart.y, _most(chart, height))]
    left = 4 + min(widest(texts, SIZE), width * 0.35) + 8
    right = width - 14 - (widest(chart.y.beside, SIZE) + 4 if chart.y.beside else 0)
    x0, x1, y0, y1 = chart.ends
    if chart.square:
        spans = abs(y1 - y0), abs(x1 - x0)
        height = (right - left) * (spans[0] / spans[1] if spans[0] and spans[1] else 1)
    elif height is None:
        height = max(60, 26 * len(chart.y.names)) if chart.y.names else 230
    bottom = top + height
    x, y = Scale(x0, x1, left, right), Scale(y0, y1, bottom, top)
    return Frame(left, top, right, bottom, x, y)


def _named(text: str) -> str:
    return cut(text, 150, SIZE)


def _most(chart: Chart, height: float | None) -> int:
    """How many ticks the y axis has at most."""
    if chart.y.names:
        return max(1, int((height or 24 * len(chart.y.names)) / 12))
    return 6


# --- axes ----------------------------------------------------------------------------------------
def _axes(chart: Chart, frame: Frame, width: float) -> Iterator[str]:
    """The grid, the texts at its lines and the names of the axes."""
    yield '<g class="axes" stroke="currentColor" stroke-opacity=".13">'
    across, up = _x_ticks(chart, frame), ticks(chart.y, _most(chart, frame.bottom - frame.top))
    if not any(isinstance(mark, Cells) for mark in chart.marks):
        if not chart.x.names:
            yield from (
                _segment(frame.x(at), frame.top, frame.x(at), frame.bottom) for at, _ in across
            )
        if not chart.y.names:
            yield from (_segment(frame.left, frame.y(at), frame.right, frame.y(at)) for at, _ in up)
    yield "</g>"
    yield '<g class="ticks" fill-opacity=".72">'
    yield from (
        text_element(frame.left - 6, frame.y(at) + 4, _named(text), anchor="end", title=text)
        for at, text in up
    )
    if chart.y.beside:
        yield from (
            text_element(width - 4, frame.y(at) + 4, chart.y.beside[round(at)], anchor="end")
            for at, _ in up
        )
    yield from _x_texts(chart, frame, across)
    if chart.x.label:
        under = frame.bottom + _names_height(chart, frame) + ROW
        yield text_element(frame.right, under - 2, chart.x.label, anchor="end")
    if chart.y.label:
        yield text_element(4, frame.top - 8, cut(chart.y.label, width - 8, SIZE))
    yield "</g>"


def _segment(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{pixel(x1)} {pixel(y1)}L{pixel(x2)} {pixel(y2)}"/>'


def _x_ticks(chart: Chart, frame: Frame) -> list[tuple[float, str]]:
    if chart.x.names:
        room = 16 if _slanted(chart, frame) else 1
        return ticks(chart.x, max(1, int(frame.width / room)))
    return ticks(chart.x, 5)


def _slanted(chart: Chart, frame: Frame) -> bool:
    """Whether the names of places on the x axis are too long to be written across."""
    if not chart.x.names:
        return False
    return widest(chart.x.names, SIZE) > frame.width / len(chart.x.names) - 6


def _names_height(chart: Chart, frame: Frame) -> float:
    """The height of the texts below the plot."""
    if not _slanted(chart, frame):
        return ROW
    return 14 + 0.7 * min(widest(chart.x.names, SIZE), 90)


def _x_texts(chart: Chart, frame: Frame, places: Sequence[tuple[float, str]]) -> Iterator[str]:
    slanted = _slanted(chart, frame)
    for at, text in places:
        x, y = frame.x(at), frame.bottom + 16
        if slanted:
            turn = f' transform="rotate(-45 {pixel(x + 4)} {pixel(y - 4)})"'
            yield text_element(
                x + 4, y - 4, cut(text, 90, SIZE), anchor="end", more=turn, title=text
            )
        else:
            half = text_width(text, SIZE) / 2
            last = x + half > frame.right + 12
            yield text_element(
                frame.right + 12 if last else x, y, text, anchor="end" if last else "middle"
            )


# --- texts ---------------------------------------------------------------------------------------
def _wrapped(text: str, width: float, size: float) -> list[str]:
    """The lines of a text that are at most as wide, broken at spaces."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return [cut(line, width, size) for line in lines]


# --- legend --------------------------------------------------------------------------------------
LegendRow = list[tuple[float, Mark]]


def _legend_rows(chart: Chart, width: float) -> list[LegendRow]:
    """The entries of the legend by row, each with its place."""
    named = {mark.name: mark for mark in reversed(chart.marks) if mark.name}
    rows: list[LegendRow] = []
    at = width
    for mark in reversed(named.values()):
        wide = _indent(mark) + text_width(cut(mark.name, width - 40, SIZE), SIZE) + 14
        if at + wide > width:
            rows.append([])
            at = 4
        rows[-1].append((at, mark))
        at += wide
    return rows


def _legend(rows: Sequence[LegendRow], top: float, width: float) -> Iterator[str]:
    if rows:
        yield '<g class="legend">'
    for place, row in enumerate(rows):
        y = top + ROW * place + 13
        for x, mark in row:
            if _indent(mark):
                yield _swatch(mark, x, y - 4)
            yield text_element(
                x + _indent(mark), y, cut(mark.name, width - 40, SIZE), title=mark.name
            )
    if rows:
        yield "</g>"


def _indent(mark: Mark) -> int:
    """The room of a swatch; a line without points is a remark, and has none."""
    return 0 if isinstance(mark, Line) and not len(mark.x) else 24


def _swatch(mark: Mark, x: float, y: float) -> str:
    if isinstance(mark, Points):
        return f'<circle cx="{pixel(x + 9)}" cy="{pixel(y)}" r="4"{fill(mark)}/>'
    if isinstance(mark, Bars | Cells):
        box = f'x="{pixel(x + 2)}" y="{pixel(y - 5)}" width="14" height="10" rx="2"'
        return f"<rect {box}{fill(mark)}/>"
    ends = f'd="M{pixel(x)} {pixel(y)}h18"'
    return f'<path {ends} stroke-width="2.5"{stroke(mark)}/>'
