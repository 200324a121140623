"""Precision-recall curve: how precise the calls are, for each share of the positives found.

The curve is drawn as steps. A recall between two points is reached by no threshold of its own: the
lower threshold of the two is needed, and has the precision of its point. A straight line would show
a precision that no threshold has; below the steps of an exact curve is the area that `ap` is.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.model import Floats, PrecisionRecall
from steelyard.report.charts.chart import Axis, Chart, Line, Mark, Points, Rule
from steelyard.report.charts.series import Series, each_class, reasons, said, thinned

Curve = tuple[Floats, Floats]


def chart(series: Sequence[Series]) -> Chart:
    """One curve a series, or one a class, each with its break-even point."""
    shown, remarks = each_class(series, area)
    entries = [each.entry(_ap(each, each.shape)) for each in shown]
    marks: list[Mark] = []
    for each, entry in zip(shown, entries, strict=True):
        x, y = steps(each.shape)
        marks.append(
            Line(x=x, y=y, name=entry, colour=each.colour, filled=len(shown) == 1, role="pr")
        )
    marks += [*reasons(series), *remarks, *_prevalence(shown), *_break_even(shown)]
    return Chart(
        kind="pr",
        title="Precision-recall curve",
        summary=said("Precision-recall curve", series, entries),
        x=Axis(label="Recall (TP / P)"),
        y=Axis(label="Precision (TP / (TP + FP))"),
        marks=tuple(marks),
        square=True,
        notes=thinned(shown),
    )


def points(curve: PrecisionRecall) -> Curve:
    """Recall and precision by falling threshold, without the last point, which no threshold has."""
    count = len(curve.thresholds)
    return curve.recall[:count][::-1], curve.precision[:count][::-1]


def steps(curve: PrecisionRecall) -> Curve:
    """The corners of the steps: from one recall to the next, the precision of the latter."""
    recall, precision = points(curve)
    return np.repeat(np.append(0.0, recall), 2)[1:-1], np.repeat(precision, 2)


def area(curve: PrecisionRecall) -> float:
    """The area below the steps: average precision."""
    recall, precision = points(curve)
    return float((np.diff(recall, prepend=0.0) * precision).sum())


def break_even(curve: PrecisionRecall) -> float:
    """Where as many rows are called positive as are positive: precision and recall are equal.

    Inside a tied block recall grows in proportion to the rows called. NaN if that is above the
    first point that has a positive: how many rows lie above it is then unknown.
    """
    recall, precision = points(curve)
    some = recall > 0
    with np.errstate(divide="ignore", over="ignore"):  # a precision may be too small for float64
        depth = recall[some] / precision[some]  # rows called, as a multiple of the positives
    if not some.all() and not depth[0] <= 1:
        return float("nan")
    return float(np.interp(1.0, np.append(0.0, depth), np.append(0.0, recall[some])))


def _ap(series: Series, curve: PrecisionRecall) -> str:
    return series.number("ap", "AP", area(curve), curve.area_error)


def _prevalence(series: Sequence[Series]) -> list[Mark]:
    """A line at the share of positives: the precision where all rows are called.

    Series of one sample have one line between them.
    """
    shares = [float(points(each.shape)[1][-1]) for each in series]
    alone = len(set(shares)) == 1
    found: dict[Any, Mark] = {}
    for each, share in zip(series, shares, strict=True):
        colour = None if alone else each.colour
        name = f"prevalence {share:.3g}" if alone else "" if found else "prevalence"
        found.setdefault(
            (share, colour), Rule(y=share, name=name, colour=colour, role="prevalence")
        )
    return list(found.values())


def _break_even(series: Sequence[Series]) -> list[Mark]:
    """A point for each series; without a place where it is unknown."""
    found: list[Mark] = []
    name = "break-even"
    for each in series:
        value = np.array([each.numbers.get("break_even", break_even(each.shape))])
        known = value[~np.isnan(value)]
        shown = name if len(known) else ""
        found.append(Points(x=known, y=known, colour=each.colour, name=shown, role="break-even"))
        name = "" if shown else name
    return found
