"""Waterfall: the parts of a change, one below the other, from the value before to that after."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from steelyard.model import Floats
from steelyard.phrases import shortened
from steelyard.report.charts.chart import Axis, Bars, Chart, Line, Mark, Points, Rule

MOST = 10  # parts that have a place of their own; the others are one
LONGEST = 60  # characters of a name
ROOM = 0.04  # of the axis, beyond the first and the last place
HALF = 0.36  # the height of a bar, in places of the axis; a place has two
SAID = 5  # parts that the summary names
FLAT = 0.01  # of the value: the room on either side of a change of 0


@dataclass(frozen=True)
class WaterfallStep:
    """One part of a change.

    own, mix: what it adds in two ways; base: what belongs to no slice
    """

    name: str
    own: Fraction = Fraction(0)
    mix: Fraction = Fraction(0)
    base: Fraction = Fraction(0)

    @property
    def total(self) -> Fraction:
        return self.own + self.mix + self.base


@dataclass(frozen=True)
class Waterfall:
    """A change as steps, the largest first.

    metric: its name for people; by: the dimension; before: its value
    value, signed: how a value and a change are written; unit: of a change, if it has one
    percent: whether values are shares
    """

    metric: str
    by: str
    before: Fraction
    steps: tuple[WaterfallStep, ...]
    value: Callable[[float], str]
    signed: Callable[[float], str]
    unit: str = ""
    percent: bool = False

    def places(self) -> list[Fraction]:
        """Where each step starts, and at the end the value after."""
        found = [self.before]
        for step in self.steps:
            found.append(found[-1] + step.total)
        return found


def largest_steps(
    steps: Sequence[WaterfallStep], rest: Sequence[WaterfallStep], most: int = MOST
) -> list[WaterfallStep]:
    """The largest steps, and one for all others.

    rest: steps without a place of their own, such as values that are one line of a table
    """
    ordered = sorted(steps, key=lambda step: -abs(step.total))
    kept = most if rest or len(ordered) > most + 1 else len(ordered)  # one place for one more
    others = [*ordered[kept:], *rest]
    if not others:
        return ordered
    name = "all other values" if rest else f"{len(others):,} more values"
    own, mix = (sum((getattr(e, n) for e in others), Fraction(0)) for n in ("own", "mix"))
    return [*ordered[:kept], WaterfallStep(name, own, mix)]


def chart(shown: Waterfall) -> Chart:
    """A place for each step: the bar of its own change, and below it that of its share."""
    places = shown.places()
    after_own = [at + step.own for at, step in zip(places[:-1], shown.steps, strict=True)]
    columns = [
        ("own change", 0, "own", places[:-1], -HALF, 0.0),
        ("mix: its share of the rows", 1, "mix", after_own, 0.0, HALF),
        ("base rate", 2, "base", places[:-1], -HALF, HALF),
    ]
    ends = [float(at) for at in places]
    marks: list[Mark] = [
        Rule(x=ends[0], colour=None, role="start"),
        _connectors(ends),
        *(
            _bars(shown, name, colour, field, starts, low, high)
            for name, colour, field, starts, low, high in columns
            if any(getattr(step, field) for step in shown.steps)
        ),
        Points(
            x=np.array([ends[0], ends[-1]]),
            y=np.array([0.0, len(ends)]),
            colour=None,
            role="values",
        ),
    ]
    low, high = _ends([*ends, *map(float, after_own)])
    totals = (shown.signed(float(step.total)) for step in shown.steps)
    return Chart(
        kind="waterfall",
        title=f"{shown.metric} by {shortened(shown.by, LONGEST)}, from before to after",
        summary=_summary(shown),
        x=Axis(label=_label(shown), low=low, high=high, percent=shown.percent),
        y=Axis(
            label="",
            names=("before", *(shortened(step.name, LONGEST) for step in shown.steps), "after"),
            beside=(shown.value(ends[0]), *totals, shown.value(ends[-1])),
        ),
        marks=tuple(marks),
    )


def _label(shown: Waterfall) -> str:
    """The metric, and what the numbers at the side are, if they are no values of it."""
    return f"{shown.metric}; changes{shown.unit}" if shown.unit else shown.metric


def _connectors(ends: Sequence[float]) -> Line:
    """From the end of each step to the start of the next."""
    x = [number for end in ends for number in (end, end, np.nan)]
    y = [number for at in range(len(ends)) for number in (at, at + 1, np.nan)]
    return Line(x=np.array(x), y=np.array(y, float), colour=None, role="connectors")


def _bars(
    shown: Waterfall,
    name: str,
    colour: int,
    field: str,
    starts: Sequence[Fraction],
    low: float,
    high: float,
) -> Bars:
    """The bars of one kind of part; the first and the last place are values, and have none."""
    parts = [float(getattr(step, field)) for step in shown.steps]
    places: Floats = np.arange(len(parts) + 2, dtype=np.float64)
    return Bars(
        low=places + low,
        high=places + high,
        lengths=np.array([np.nan, *parts, np.nan]),
        starts=np.array([np.nan, *map(float, starts), np.nan]),
        sideways=True,
        name=name,
        colour=colour,
        role=field,
    )


def _ends(places: Sequence[float]) -> tuple[float, float]:
    least, most = min(places), max(places)
    room = ROOM * (most - least) or FLAT * abs(least) or FLAT
    return least - room, most + room


def _summary(shown: Waterfall) -> str:
    """Both values, and the first parts."""
    values = " to ".join(shown.value(float(at)) for at in (shown.before, shown.places()[-1]))
    parts = [
        f"{shortened(step.name, LONGEST)} {shown.signed(float(step.total))}"
        for step in shown.steps[:SAID]
    ]
    more = len(shown.steps) - SAID
    parts += [f"{more} more"] if more > 0 else []
    by = shortened(shown.by, LONGEST)
    return f"{shown.metric} from {values}, by {by}: {'; '.join(parts)}."
