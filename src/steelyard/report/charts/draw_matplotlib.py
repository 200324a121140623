"""Charts drawn by matplotlib, on given or new axes."""

from collections.abc import Mapping
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.report.charts import fonts
from steelyard.report.charts.chart import (
    NEUTRAL,
    PALETTE,
    Axis,
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

Style = Mapping[str, Any]
SQUARE, WIDE = (5.2, 5.0), (6.4, 4.4)  # inches of new figures
NAMES, ACROSS = 31, 70  # names on an axis; characters of those on the lower one, if not turned
BELOW = 0.55  # inches between the axes and a legend below them, for the label
BESIDE, LETTER = 0.5, 0.065  # inches of a legend to the right of the axes, and of each letter in it
DASHES = ("solid", "dashed", "dotted", "dashdot", (0, (6, 1, 1, 1, 1, 1)), (0, (8, 4)))
MARGIN = 0.012  # of an axis, so that a line along its end is seen
FILL, OVERLAID, ALONE = 0.1, 0.55, 0.85  # opacity: below a line, of bars that overlap, of others
OVER, CAP = "#222222", 0.12  # of intervals: the colour over bars; half a cap, in places of the axis
LARGEST, SMALLEST = 90.0, 14.0  # points squared: the areas of points by weight
INSIDE = 9  # entries of a legend that has a place within the axes
DPI = 150  # of PNG files
# Fields of files that matplotlib would fill with the time or its version.
WITHOUT_DATE = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
LONGEST_TITLE = 90
LONGEST, LONGEST_NAME = 52, 30  # characters of an entry of the legend, of a name on an axis


def draw(chart: Chart, ax: Any = None, style: Style | None = None, title: str = "") -> Any:
    """Draw a chart on axes, new ones if none are given, and return the axes.

    style: properties of matplotlib for the lines of the chart, or the bars or cells where it has no
        lines; not for reference lines and texts
    title: written above the axes
    """
    matplotlib = library("matplotlib")
    chart, title, added = fonts.fitted(chart, title)
    families = [*matplotlib.rcParams["font.family"], *added]
    with matplotlib.rc_context({"font.family": families}):
        ax = new_axes(chart) if ax is None else ax
        _draw(ax, chart, style)
        if added:  # the texts of given axes are older
            ax.tick_params(labelfontfamily=families)
        if title:
            ax.set_title(_text(title, LONGEST_TITLE))
    return ax


def _draw(ax: Any, chart: Chart, style: Style | None) -> None:
    styled = next((type(mark) for mark in chart.marks if mark.colour is not None), None)
    for mark in chart.marks:
        for artist in _MARKS[type(mark)](ax, mark, chart):
            if style and mark.colour is not None and type(mark) is styled:
                _set(artist, style)
    _axis(ax.xaxis, chart.x, chart)
    _axis(ax.yaxis, chart.y, chart)
    if chart.square:
        ax.set_aspect("equal", adjustable="box")
    _legend(ax, chart)


def new_axes(chart: Chart) -> Any:
    """Axes of a new figure of pyplot, so that a notebook or `plt.show()` shows it."""
    pyplot = library("matplotlib.pyplot")
    return pyplot.subplots(figsize=size(chart), layout="constrained")[1]


def size(chart: Chart) -> tuple[float, float]:
    """The size of a new figure in inches: with room for every name and for a long legend."""
    width, height = SQUARE if chart.square else WIDE
    if not chart.square:
        height = max(height, 1.5 + 0.22 * len(chart.y.names))
    if not _is_beside(chart):
        return width, height
    widest = max(len(_text(mark.name)) for mark in _named(chart))
    return width + BESIDE + LETTER * widest, max(height, 0.5 + 0.2 * len(_named(chart)))


def library(name: str) -> Any:
    """A module of matplotlib, which is loaded when something is drawn."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise errors.NO_MATPLOTLIB() from None


def file_of(chart: Chart, format: str, title: str = "") -> bytes:
    """A chart as PNG, SVG or PDF, the same bytes each time; without pyplot, which needs a screen.

    title: written above the axes
    """
    figure = library("matplotlib.figure").Figure(figsize=size(chart), layout="constrained")
    draw(chart, figure.subplots(), title=title)
    found = BytesIO()
    with library("matplotlib").rc_context({"svg.hashsalt": "steelyard"}):
        figure.savefig(found, format=format, dpi=DPI, metadata=WITHOUT_DATE[format])
    return found.getvalue()


# --- marks ----------------------------------------------------------------------------------------
def _line(ax: Any, mark: Line, chart: Chart) -> list[Any]:
    if not len(mark.x):  # an entry of the legend alone
        ax.plot([], [], linestyle="none", label=_text(mark.name))
        return []
    neutral = mark.colour is None
    [line] = ax.plot(
        mark.x,
        mark.y,
        color=_colour(mark),
        linestyle=_dashes(mark, dashed=mark.dashed),
        linewidth=1.0 if neutral else 1.8,
        label=_text(mark.name),
        zorder=1.5 if neutral else 2.5,
    )
    if mark.filled:
        ax.fill_between(mark.x, mark.y, color=_colour(mark), alpha=FILL, linewidth=0)
    return [line]


def _points(ax: Any, mark: Points, chart: Chart) -> list[Any]:
    sizes = 36.0 if mark.sizes is None else np.maximum(SMALLEST, LARGEST * mark.sizes)
    return [
        ax.scatter(mark.x, mark.y, s=sizes, color=_colour(mark), label=_text(mark.name), zorder=3.0)
    ]


def _bars(ax: Any, mark: Bars, chart: Chart) -> list[Any]:
    widths = mark.high - mark.low
    how = {
        "align": "edge",
        "color": _colour(mark),
        "label": _text(mark.name),
        "alpha": OVERLAID if chart.overlaid else ALONE,
    }
    starts = 0.0 if mark.starts is None else mark.starts
    if mark.sideways:
        return list(ax.barh(mark.low, mark.lengths, height=widths, left=starts, **how))
    return list(ax.bar(mark.low, mark.lengths, width=widths, bottom=starts, **how))


def _spans(ax: Any, mark: IntervalBars, chart: Chart) -> list[Any]:
    """Lines, and at their ends caps; an arrow where the axes cut off what is outside."""
    known = ~(np.isnan(mark.low) | np.isnan(mark.high))
    low, high, y = mark.low[known], mark.high[known], mark.y[known]
    colour = OVER if mark.over else _colour(mark)
    how = {"color": colour, "linewidth": 1.3, "zorder": 2.7}
    lines = [ax.hlines(y, low, high, label=_text(mark.name), **how)]
    lines += [ax.vlines(ends, y - CAP, y + CAP, **how) for ends in (low, high)]
    left, right, _, _ = chart.ends
    for edge, cut, marker in ((left, low < left, "<"), (right, high > right, ">")):
        shown = cut & (high >= left) & (low <= right)
        if shown.any():
            where = (np.full(int(shown.sum()), edge), y[shown])
            lines.append(ax.scatter(*where, 16, marker=marker, color=colour, zorder=2.8))
    return lines


def _cells(ax: Any, mark: Cells, chart: Chart) -> list[Any]:
    rows, columns = mark.values.shape
    left, right, bottom, top = chart.ends
    x, y = np.linspace(left, right, 2 * columns + 1), np.linspace(top, bottom, 2 * rows + 1)
    how = {"ha": "center", "va": "center", "fontsize": _cell_letters(ax, mark, chart)}
    mesh = ax.pcolormesh(x[::2], y[::2], mark.values, cmap="Blues", vmin=0)
    for row, texts in enumerate(mark.texts):
        for column, text in enumerate(texts):
            red, green, blue, _ = mesh.cmap(mesh.norm(mark.values[row, column]))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
            place = (x[2 * column + 1], y[2 * row + 1])
            ax.text(*place, text, color="white" if dark else "black", **how)
    return [mesh]


def _cell_letters(ax: Any, mark: Cells, chart: Chart) -> float:
    """Points of the letters in cells, so that the longest text fits the width of a cell."""
    longest = max((len(text) for texts in mark.texts for text in texts), default=0)
    names = max((len(name[:LONGEST_NAME]) for name in chart.y.names), default=0)
    room = 72 * (ax.get_figure().get_figwidth() - 0.8 - 1.2 * LETTER * names)
    fitting: float = room / mark.values.shape[1] / (0.68 * max(longest, 1))
    return min(10.0, max(5.0, fitting))


def _rule(ax: Any, mark: Rule, chart: Chart) -> list[Any]:
    how = {
        "color": _colour(mark),
        "linestyle": _dashes(mark, dashed=mark.dashed),
        "linewidth": 1.0,
        "label": _text(mark.name),
        "zorder": 1.5,
    }
    if mark.x is not None:
        ax.axvline(mark.x, **how)
    if mark.y is not None:
        ax.axhline(mark.y, **how)
    return []  # a reference


def _words(ax: Any, mark: Words, chart: Chart) -> list[Any]:
    ax.text(mark.x, mark.y, mark.text, color=_colour(mark), fontsize="small", ha="center")
    return []


_MARKS: dict[type[Mark], Any] = {
    Line: _line,
    Points: _points,
    Bars: _bars,
    IntervalBars: _spans,
    Cells: _cells,
    Rule: _rule,
    Words: _words,
}


def _colour(mark: Mark) -> str:
    return NEUTRAL if mark.colour is None else PALETTE[mark.colour % len(PALETTE)]


def _dashes(mark: Mark, *, dashed: bool) -> Any:
    rounds = 0 if mark.colour is None else mark.colour // len(PALETTE)
    return DASHES[(rounds + dashed) % len(DASHES)]


def _text(name: str, longest: int = LONGEST) -> str:
    """A name that matplotlib shows as it is: no formula, no hidden entry, not endless.

    A long one is cut in the middle, since the number is at its end.
    """
    end = longest // 2
    shown = name if len(name) <= longest else f"{name[: longest - end - 1]}…{name[-end:]}"
    shown = shown.replace("$", r"\$")
    return f"\u200b{shown}" if shown.startswith("_") else shown


def _set(artist: Any, style: Style) -> None:
    for name, value in style.items():
        try:
            artist.set(**{name: value})
        except AttributeError:
            known = [name.removeprefix("set_") for name in dir(artist) if name.startswith("set_")]
            close = errors.nearest(name, known)
            hint = f": did you mean {close}" if close else ""
            raise errors.BAD_STYLE(name=name, what=type(artist).__name__, hint=hint) from None


# --- axes and legend ------------------------------------------------------------------------------
def _axis(drawn: Any, axis: Axis, chart: Chart) -> None:
    """The label, the ends and the numbers of one axis."""
    drawn.set_label_text(axis.label)
    across = drawn.axis_name == "x"
    low, high = chart.ends[:2] if across else chart.ends[2:]
    if low == high:
        low, high = low - 0.5, high + 0.5
    if all(isinstance(mark, Line | Points | Rule | IntervalBars) for mark in chart.marks):
        room = MARGIN * (high - low)
        low, high = low - room, high + room
    if axis.names:
        step = -(-len(axis.names) // NAMES)
        names = [_text(name, LONGEST_NAME) for name in axis.names[::step]]
        drawn.set_ticks(range(0, len(axis.names), step), names)
        if across and max(map(len, names)) * len(names) > ACROSS:
            drawn.set_tick_params(rotation=90)
        for place, text in enumerate(axis.beside):
            where = drawn.axes.get_yaxis_transform()
            drawn.axes.text(
                1.02, place, _text(text), transform=where, va="center", fontsize="small"
            )
    elif axis.percent:
        drawn.set_major_formatter(library("matplotlib.ticker").PercentFormatter(1.0))
    (drawn.axes.set_xlim if across else drawn.axes.set_ylim)(low, high)


def _legend(ax: Any, chart: Chart) -> None:
    """The legend: inside if it has a place there, else to the right of the axes, or below bars."""
    if _is_full(chart) and _named(chart):
        under = -BELOW / max(ax.get_figure().get_figheight() - BELOW, 1.0)
        ax.legend(loc="upper left", bbox_to_anchor=(0.0, under), fontsize="small", frameon=False)
    elif _is_beside(chart):
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small", frameon=False)
    elif any(_named(chart)):
        ax.legend(fontsize="small")


def _is_beside(chart: Chart) -> bool:
    """Whether the legend is too long to be inside the axes."""
    return not _is_full(chart) and len(_named(chart)) > INSIDE


def _is_full(chart: Chart) -> bool:
    """Whether bars or intervals fill the axes, so that a legend would hide them."""
    return any(
        isinstance(mark, IntervalBars) or (isinstance(mark, Bars) and mark.sideways)
        for mark in chart.marks
    )


def _named(chart: Chart) -> list[Mark]:
    """The marks that are in the legend; of cells, the axes say what they are."""
    return [mark for mark in chart.marks if mark.name and not isinstance(mark, Cells)]
