"""What a picture shows, without how it is drawn: matplotlib and SVG draw the same chart."""

from dataclasses import dataclass

from steelyard.model import Array, Floats

# Okabe & Ito (2008), Color Universal Design: told apart with any kind of colour vision.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
NEUTRAL = "#767676"  # on white and on black: a contrast of 4.5


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One axis of a chart.

    low, high: its ends; percent: whether its numbers are shares, shown in per cent
    names: the names of the places 0, 1, 2, …, where the axis has categories; it then ends half a
        place outside of them, and on y the first is at the top
    beside: on y, a text at the far end of each of these places, such as its number
    """

    label: str
    low: float = 0.0
    high: float = 1.0
    percent: bool = False
    names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Anything that a chart draws.

    name: its entry in the legend, if it has one
    colour: its place in the palette, where a later round has another dash; None: neutral
    role: the name by which the script of the report finds it
    """

    name: str = ""
    colour: int | None = 0
    role: str = ""


@dataclass(frozen=True, kw_only=True)
class Line(Mark):
    """A line through points, in their order; filled: the area below it is shaded.

    Without points it is an entry of the legend alone, such as the reason for having no curve.
    """

    x: Floats
    y: Floats
    dashed: bool = False
    filled: bool = False


@dataclass(frozen=True, kw_only=True)
class Points(Mark):
    """Points; sizes: the area of each relative to the largest, at most 1."""

    x: Floats
    y: Floats
    sizes: Floats | None = None


@dataclass(frozen=True, kw_only=True)
class Bars(Mark):
    """Bars from zero; between edges on one axis, and as long as their values on the other.

    low, high: the edges of each bar; lengths: signed; sideways: the bars are horizontal
    starts: where each bar starts, if that is not zero
    """

    low: Floats
    high: Floats
    lengths: Floats
    sideways: bool = False
    starts: Floats | None = None


@dataclass(frozen=True, kw_only=True)
class IntervalBars(Mark):
    """Intervals: horizontal lines from low to high, each at a place of the y axis.

    An end that is not on the axis is cut off there, and has an arrow instead of a cap. NaN: there
    is no interval.
    over: whether they are drawn over bars, and so in the colour of text
    """

    low: Floats
    high: Floats
    y: Floats
    over: bool = False


@dataclass(frozen=True, kw_only=True)
class Cells(Mark):
    """Cells that fill the chart, shaded by value; cell (0, 0) is at the top left.

    texts: what is written in each cell, row by row; empty: nothing
    whole: the same at length, for the table behind the chart; empty: the texts, or the values
    """

    values: Array
    texts: tuple[tuple[str, ...], ...] = ()
    whole: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rule(Mark):
    """A straight line across the chart: vertical at x, or horizontal at y."""

    x: float | None = None
    y: float | None = None
    dashed: bool = True


@dataclass(frozen=True, kw_only=True)
class Words(Mark):
    """A short text at a place of the chart."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, kw_only=True)
class Chart:
    """One picture.

    summary: what the picture says, in a sentence, for those who cannot see it
    square: whether a step on one axis is as long as on the other
    notes: what was left out, and the bound of thinning
    """

    kind: str
    title: str
    summary: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    square: bool = False
    notes: tuple[str, ...] = ()

    @property
    def ends(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top: the ends of both axes."""
        x, y = self.x, self.y
        across = (-0.5, len(x.names) - 0.5) if x.names else (x.low, x.high)
        up = (len(y.names) - 0.5, -0.5) if y.names else (y.low, y.high)
        return *across, *up

    @property
    def overlaid(self) -> bool:
        """Whether bars lie over others: those of several marks do, unless they are sideways."""
        return sum(isinstance(mark, Bars) and not mark.sideways for mark in self.marks) > 1
