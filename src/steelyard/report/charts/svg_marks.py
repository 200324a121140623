"""The marks of a chart as SVG elements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from steelyard.report.charts.chart import (
    NEUTRAL,
    PALETTE,
    Bars,
    Cells,
    Chart,
    IntervalBars,
    Line,
    Mark,
    Points,
    Rule,
    Words,
)
from steelyard.report.charts.scale import Scale, cut, pixel, widest

SIZE, SMALLEST = 12, 7  # of letters; of those in narrow cells
SHADES = 24  # of cells; more are not told apart
CAP = 3  # half the height of the end of an interval
ARROW = 5  # pixels of its head
DASHES = ("", "7 3", "2 3")  # of a palette's first, second and third round


@dataclass(frozen=True)
class Frame:
    """Where the plot is inside the picture, in pixels, and the scales of its axes.

    values: whether curves have their numbers, for a script
    """

    left: float
    top: float
    right: float
    bottom: float
    x: Scale
    y: Scale
    values: bool = False

    @property
    def width(self) -> float:
        return self.right - self.left


def text_element(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "",
    size: int | None = None,
    bold: bool = False,
    faint: bool = False,
    more: str = "",
    title: str = "",
) -> str:
    """A text; its whole length is its title where it was cut."""
    drawn = f'<text x="{pixel(x)}" y="{pixel(y)}"'
    drawn += f' text-anchor="{anchor}"' if anchor else ""
    drawn += f' font-size="{size}"' if size else ""
    drawn += ' font-weight="600"' if bold else ""
    drawn += ' fill-opacity=".72"' if faint else ""
    whole = f"<title>{escape(title)}</title>" if title and title != text else ""
    return f"{drawn}{more}>{whole}{escape(text)}</text>"


def _colour(mark: Mark) -> tuple[str, str]:
    """The end of the class, and the plain colour."""
    if mark.colour is None:
        return "n", NEUTRAL
    place = mark.colour % len(PALETTE)
    return str(place), PALETTE[place]


def fill(mark: Mark) -> str:
    name, colour = _colour(mark)
    return f' class="f{name}" fill="{colour}"'


def stroke(mark: Mark) -> str:
    name, colour = _colour(mark)
    dashes = DASHES[(mark.colour or 0) // len(PALETTE) % len(DASHES)]
    dashes = "4 4" if getattr(mark, "dashed", False) else dashes
    shown = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f' class="s{name}" stroke="{colour}" fill="none"{shown}'


def _role(mark: Mark) -> str:
    return f' data-role="{escape(mark.role)}"' if mark.role else ""


def draw_mark(mark: Mark, chart: Chart, frame: Frame) -> Iterator[str]:
    match mark:
        case Line():
            yield from _line(mark, frame)
        case Points():
            yield from _points(mark, frame)
        case Bars():
            yield _bars(mark, frame, 0.55 if chart.overlaid else 0.9)
        case IntervalBars():
            yield _spans(mark, frame)
        case Cells():
            yield from _cells(mark, frame)
        case Rule():
            yield _rule(mark, frame)
        case Words():
            right = frame.x(mark.x) > frame.left + 0.6 * frame.width
            x, y = frame.x(mark.x) + (-6 if right else 6), frame.y(mark.y) - 6
            name, colour = _colour(mark)
            more = f' class="f{name}" fill="{colour}"{_role(mark)}'
            yield text_element(
                x, max(y, frame.top + 12), mark.text, anchor="end" if right else "", more=more
            )


def _line(mark: Line, frame: Frame) -> Iterator[str]:
    """The line and the area below it; points without a number break it."""
    runs = list(_runs(mark, frame))
    if mark.filled:
        base = pixel(frame.y(0.0))
        areas = (
            f"M{pixel(run[0][0])} {base}L{_path(run)}L{pixel(run[-1][0])} {base}Z" for run in runs
        )
        yield f'<path d="{"".join(areas)}"{fill(mark)} fill-opacity=".1"{_part(mark, "area")}/>'
    path = "".join(f"M{_path(run)}" for run in runs)
    width = "1.5" if mark.colour is None else "2.2"
    look = f'stroke-width="{width}" stroke-linejoin="round"{stroke(mark)}'
    yield f'<path d="{path}" {look}{_role(mark)}{_values(mark) if frame.values else ""}/>'


def _values(mark: Line) -> str:
    """The points of a curve with five digits; a reference has none."""
    if mark.colour is None or not len(mark.x):
        return ""
    pairs = zip(mark.x.tolist(), mark.y.tolist(), strict=True)
    points = dict.fromkeys(f"{x:.5g},{y:.5g}" for x, y in pairs if x - x == 0 == y - y)
    name = f' data-name="{escape(mark.name)}"' if mark.name else ""
    return f'{name} data-points="{" ".join(points)}"' if points else ""


def _part(mark: Mark, part: str) -> str:
    return f' data-role="{escape(mark.role)}-{part}"' if mark.role else ""


def _runs(mark: Line, frame: Frame) -> Iterator[list[tuple[float, float]]]:
    run: list[tuple[float, float]] = []
    for x, y in zip(mark.x.tolist(), mark.y.tolist(), strict=True):
        if x - x == 0 == y - y:  # both are finite
            run.append((frame.x(x), frame.y(y)))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _path(run: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{pixel(x)} {pixel(y)}" for x, y in run)


def _points(mark: Points, frame: Frame) -> Iterator[str]:
    sizes = np.ones(len(mark.x)) if mark.sizes is None else mark.sizes
    yield f"<g{fill(mark)}{_role(mark)}>"
    for x, y, size in zip(mark.x.tolist(), mark.y.tolist(), sizes.tolist(), strict=True):
        if x - x == 0 == y - y:
            radius = max(2.0, 5 * max(size, 0.0) ** 0.5)
            yield (
                f'<circle cx="{pixel(frame.x(x))}" cy="{pixel(frame.y(y))}" r="{pixel(radius)}"/>'
            )
    yield "</g>"


def _bars(mark: Bars, frame: Frame, opacity: float) -> str:
    """All bars as one path."""
    along, up = (frame.y, frame.x) if mark.sideways else (frame.x, frame.y)
    starts = np.zeros(len(mark.low)) if mark.starts is None else mark.starts
    columns = (each.tolist() for each in (mark.low, mark.high, mark.lengths, starts))
    boxes = []
    for low, high, length, base in zip(*columns, strict=True):
        start, end, foot, tip = along(low), along(high), up(base), up(base + length)
        gap = 0.5 if abs(end - start) > 4 else 0.0
        start, end = min(start, end) + gap, max(start, end) - gap
        if length - length == 0 and length:
            corners = (foot, start, tip, end) if mark.sideways else (start, foot, end, tip)
            boxes.append(_box(*corners))
    return f'<path d="{"".join(boxes)}"{fill(mark)} fill-opacity="{opacity}"{_role(mark)}/>'


def _box(x1: float, y1: float, x2: float, y2: float) -> str:
    return f"M{pixel(x1)} {pixel(y1)}H{pixel(x2)}V{pixel(y2)}H{pixel(x1)}Z"


def _spans(mark: IntervalBars, frame: Frame) -> str:
    """All intervals as one path: each a line, with a cap at an end, or an arrow where it is cut."""
    parts = []
    low_end, high_end = sorted((frame.x.low, frame.x.high))
    columns = (mark.low.tolist(), mark.high.tolist(), mark.y.tolist())
    for low, high, at in zip(*columns, strict=True):
        if low != low or high != high or high < low_end or low > high_end:
            continue
        y = frame.y(at)
        parts.append(f"M{pixel(frame.x(low))} {pixel(y)}H{pixel(frame.x(high))}")
        parts += [
            f"M{pixel(frame.x(end))} {pixel(y - CAP)}v{2 * CAP}"
            if low_end <= end <= high_end
            else _arrow(frame.x(end), y, ARROW if end < low_end else -ARROW)
            for end in (low, high)
        ]
    look = ' class="over" stroke="currentColor" fill="none"' if mark.over else stroke(mark)
    return f'<path d="{"".join(parts)}" stroke-width="1.5"{look}{_role(mark)}/>'


def _arrow(x: float, y: float, back: float) -> str:
    """The head of an arrow at the edge of the picture; back: to where its sides go."""
    start, end = (f"{pixel(x + back)} {pixel(y + side)}" for side in (-CAP, CAP))
    return f"M{start}L{pixel(x)} {pixel(y)}L{end}"


def _cells(mark: Cells, frame: Frame) -> Iterator[str]:
    """One path for each shade: a thousand cells are a few kilobytes."""
    values = np.nan_to_num(np.asarray(mark.values, dtype=np.float64))
    most = float(values.max(initial=0.0))
    shades = (
        np.ceil(values / most * SHADES).astype(int) if most > 0 else np.zeros(values.shape, int)
    )
    down, across = values.shape
    wide, high = frame.width / max(across, 1), (frame.bottom - frame.top) / max(down, 1)
    gap = 1.0 if min(wide, high) > 14 else 0.0
    yield f"<g{fill(mark)}{_role(mark)}>"
    for shade in range(1, SHADES + 1):
        places = np.argwhere(shades == shade).tolist()
        boxes = "".join(
            _box(
                frame.left + wide * column + gap,
                frame.top + high * row + gap,
                frame.left + wide * (column + 1) - gap,
                frame.top + high * (row + 1) - gap,
            )
            for row, column in places
        )
        if boxes:
            yield f'<path d="{boxes}" fill-opacity="{pixel(0.06 + 0.9 * shade / SHADES)}"/>'
    yield "</g>"
    longest = widest([text for texts in mark.texts for text in texts], 1)
    size = max(SMALLEST, min(SIZE, int((wide - 2 * gap) / longest))) if longest else SIZE
    for row, texts in enumerate(mark.texts):
        for column, text in enumerate(texts):
            strong = ' class="strong" fill="#fff"' if shades[row, column] > SHADES * 0.75 else ""
            x, y = frame.left + wide * (column + 0.5), frame.top + high * (row + 0.5) + 4
            shown, own = cut(text, wide, size), None if size == SIZE else size
            yield text_element(x, y, shown, anchor="middle", size=own, more=strong, title=text)


def _rule(mark: Rule, frame: Frame) -> str:
    if mark.x is not None:
        x1 = x2 = frame.x(mark.x)
        y1, y2 = frame.top, frame.bottom
    else:
        y1 = y2 = frame.y(mark.y or 0.0)
        x1, x2 = frame.left, frame.right
    places = zip(("x1", "y1", "x2", "y2"), (x1, y1, x2, y2), strict=True)
    drawn = " ".join(f'{name}="{pixel(place)}"' for name, place in places)
    return f'<line {drawn} stroke-width="1.5"{stroke(mark)}{_role(mark)}/>'
