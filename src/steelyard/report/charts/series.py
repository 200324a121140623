"""Series: the shapes that a chart overlays, each with its entry in the legend."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isinf
from typing import Any

import numpy as np

from steelyard.metrics.division import TOO_LARGE
from steelyard.model import Thresholds, Undefined
from steelyard.report import display
from steelyard.report.charts.chart import Line, Mark

CLASSES = 12  # curves of classes that a chart shows
DIGITS = 3  # of a number in the legend
SEEN = 0.0005  # a smaller error does not show in that many digits
NOTHING = np.empty(0)
TOO_WIDE = "values too far apart to be drawn"
WEIGHTS = ("tp", "fp", "fn", "tn", "positives", "negatives", "weight", "matrix")


@dataclass(frozen=True, kw_only=True)
class Series:
    """The shape of one score and slice.

    name: as in "new, country=DE"; empty where the chart has no other
    shape: or the reason for having none
    colour: its place in the palette
    numbers: values of metrics by name; a chart computes from the shape what is not among them
    """

    shape: Any  # of the type that the chart draws
    name: str = ""
    colour: int = 0
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        why = TOO_LARGE if has_large_weights(self.shape) else TOO_WIDE if _wide(self.shape) else ""
        if why:
            object.__setattr__(self, "shape", Undefined(why))

    def entry(self, text: str = "") -> str:
        """The entry of the legend: the name, and a number.

        >>> Series(shape=Undefined(""), name="new").entry("AUC 0.812")
        'new (AUC 0.812)'
        """
        return f"{self.name} ({text})" if self.name and text else self.name or text

    def about(self, text: str) -> str:
        """A text that starts with the name of the series, if it has one.

        >>> Series(shape=Undefined(""), name="new").about("no rows")
        'new: no rows'
        """
        return f"{self.name}: {text}" if self.name else text

    def number(self, metric: str, label: str, value: float, error: float = 0.0) -> str:
        """A number in the legend, `AUC 0.812`: of the result, else the one given.

        error: its bound, of a number that is computed from a thinned curve
        """
        known = self.numbers.get(metric)
        if known is None:
            sign = "≈ " if error > SEEN else ""
            return f"{label} {sign}{display.number(value, DIGITS)}"
        return f"{label} {display.number(known, DIGITS)}"


def has_large_weights(shape: Any) -> bool:
    """Whether float64 does not hold the weight of all rows: then nothing has a share of it."""
    columns = [getattr(shape, name) for name in WEIGHTS if hasattr(shape, name)]
    if isinstance(shape, Thresholds):  # each line has all rows
        columns = [column[:1] for column in columns]
    try:
        with np.errstate(over="ignore"):
            return isinf(sum(float(np.nansum(column)) for column in columns))
    except OverflowError:  # a Python integer
        return True


def _wide(shape: Any) -> bool:
    """Whether float64 does not hold the width of an axis."""
    axis = getattr(shape, "thresholds" if isinstance(shape, Thresholds) else "edges", NOTHING)
    ends = axis[np.isfinite(axis)]
    with np.errstate(over="ignore"):
        return bool(len(ends) and isinf(ends.max() - ends.min()))


def with_shapes(series: Iterable[Series]) -> list[Series]:
    """The series that have a shape; the others are entries of the legend."""
    return [each for each in series if not isinstance(each.shape, Undefined)]


def reasons(series: Iterable[Series]) -> list[Mark]:
    """An entry of the legend for each series without a shape."""
    return [
        remark(each.about(each.shape.why)) for each in series if isinstance(each.shape, Undefined)
    ]


def remark(text: str) -> Line:
    """A line of text in the legend."""
    return Line(x=NOTHING, y=NOTHING, name=text, colour=None)


def each_class(series: Sequence[Series], area: Any) -> tuple[list[Series], list[Mark]]:
    """Curves of classes as a series each: those with the least area, if there are many."""
    shapes = with_shapes(series)
    if not any(isinstance(each.shape, dict) for each in shapes):
        return shapes, []
    every = [
        Series(shape=curve, name=f"{each.name + ', ' if each.name else ''}class {display.key(key)}")
        for each in shapes
        for key, curve in each.shape.items()
    ]
    found = [each for each in every if not np.isnan(each.shape[0]).any()]
    remarks: list[Mark] = [
        remark(f"{each.name}: no curve") for each in every if np.isnan(each.shape[0]).any()
    ]
    shown = found
    if len(found) > CLASSES:
        lowest = set(np.argsort([area(each.shape) for each in found], kind="stable")[:CLASSES])
        shown = [each for place, each in enumerate(found) if place in lowest]
        remarks.append(remark(f"the {CLASSES} lowest of {len(found):,} classes"))
    return [replace(each, colour=place) for place, each in enumerate(shown)], remarks


def said(kind: str, series: Iterable[Series], texts: Iterable[str]) -> str:
    """The summary of a chart: its kind, and what each series is."""
    parts = [text for text in texts if text]
    parts += [mark.name for mark in reasons(series)]
    return f"{kind}: {'; '.join(parts)}." if parts else f"{kind}."


def thinned(series: Iterable[Series]) -> tuple[str, ...]:
    """A note for each curve that has fewer points than the exact one."""
    return tuple(
        f"{each.name or 'the curve'} is drawn through {len(each.shape.thresholds)} exact points; "
        f"the area below it is within {error:.1g} of the exact one"
        for each in series
        if (error := getattr(each.shape, "area_error", 0.0)) > 0
    )
