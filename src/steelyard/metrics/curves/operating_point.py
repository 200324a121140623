"""Operating points: the threshold of a value that is the best of all thresholds.

An entry of a range is a distinct positive score, and the highest threshold with its TP. Of equal
values the one at the higher threshold is taken.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from steelyard.metrics.division import ratios
from steelyard.model import Array, Floats, Mask
from steelyard.result.metric_column import ABSENT, MetricColumn
from steelyard.views.curve import CurveView

NOTHING_CALLED = float("inf")  # the threshold that calls no row positive
# Two different quotients of whole numbers below this are different float64s.
DISTINCT = 1 << 26
# A gap TPR − FPR computed in float64 is within 7 units of 2**-53 of the exact one, F1 within 3.
SLACK = 2.0**-49
FITS_INT64 = 1 << 31  # a factor below this times a narrow column

PointType = TypeVar("PointType", bound=tuple[Any, ...])


class OperatingPoint(NamedTuple):
    """The values of slices as quotients of Python integers, and their thresholds."""

    numerator: Array
    denominator: Array
    threshold: Floats


def nothing_called(count: int) -> OperatingPoint:
    """A value of 0 in each of some slices."""
    zeros, ones = np.zeros(count, object), np.ones(count, object)
    return OperatingPoint(zeros, ones, np.full(count, NOTHING_CALLED))


def at_threshold(values: MetricColumn, threshold: Floats) -> MetricColumn:
    """MetricColumn with their thresholds; where there is no value there is no threshold."""
    thresholds = threshold.tolist()
    for place in values.whys:
        thresholds[place] = ABSENT
    return replace(values, details={"threshold": thresholds})


def chosen(is_lower: Mask, lower: PointType, upper: PointType) -> PointType:
    """The points of the lower range where these are chosen, else those of the upper one."""
    both = zip(lower, upper, strict=True)
    return type(lower)(*(np.where(is_lower, low, high) for low, high in both))


def highest(lower: OperatingPoint, upper: OperatingPoint) -> OperatingPoint:
    """The larger of two quotients; of equal ones, that of the upper range."""
    above = lower.numerator * upper.denominator > upper.numerator * lower.denominator
    return chosen(above.astype(bool), lower, upper)


def best_quotients(
    view: CurveView, numerators: Array, denominators: Array, among: Array | None = None
) -> OperatingPoint:
    """The largest quotient of each slice, among some entries; 0/1 where it has none."""
    rounded = ratios(numerators, denominators)
    if among is not None:
        rounded = np.where(among, rounded, -1.0)
    places = last_of_largest(view, rounded)
    if max(denominators.max(initial=0), numerators.max(initial=0)) >= DISTINCT:
        places = _exactly_largest(view, rounded, numerators, denominators)
    return points_at(view, places, numerators, denominators)


def points_at(
    view: CurveView, places: Array, numerators: Array, denominators: Array
) -> OperatingPoint:
    """The quotient and threshold of one entry of each slice; −1 is none of them."""
    none = nothing_called(len(view))
    if len(view.scores) == 0:
        return none
    above, below = (column[places].astype(object) for column in (numerators, denominators))
    found = OperatingPoint(above, below, view.scores[places].astype(np.float64))
    return chosen(places >= 0, found, none)


def last_of_largest(view: CurveView, column: Array) -> Array:
    """The entry of each slice's largest number that is not negative, of several the highest."""
    if len(view) == 1 and len(column):  # as for plain functions: without columns of places
        place = len(column) - 1 - int(column[::-1].argmax())
        return np.array([place if column[place] >= 0 else -1])
    largest = view.spread(view.most(column, -1))
    is_largest = (column == largest) & (column >= 0)
    return view.most(np.where(is_largest, np.arange(len(column)), -1), -1)


def _exactly_largest(
    view: CurveView, rounded: Array, numerators: Array, denominators: Array
) -> Array:
    """The same for quotients: those that round to the largest are compared exactly."""
    near = np.flatnonzero((rounded == view.spread(view.most(rounded, -1))) & (rounded >= 0))
    slices = view.starts.searchsorted(near, side="right") - 1
    best: dict[int, tuple[Fraction, int]] = {}
    for place, of in zip(near.tolist(), slices.tolist(), strict=True):
        here = Fraction(int(numerators[place]), int(denominators[place])), place
        best[of] = max(best.get(of, here), here)
    return np.array([best[of][1] if of in best else -1 for of in range(len(view))], np.int64)


def first_of_largest(values: Floats, exact: Callable[[int], Fraction]) -> int:
    """The place of the largest value; of equal ones the first.

    values: float64s within a few units of their last place; exact: the value at a place
    """
    near = np.flatnonzero(values >= values.max() - SLACK)
    if len(near) == 1:
        return int(near[0])
    return max(near.tolist(), key=lambda place: (exact(place), -place))


def most_positives(view: CurveView, among: Array) -> OperatingPoint:
    """The largest TP of each slice among some entries, over 1; 0 where there are none."""
    places = last_of_largest(view, np.where(among, view.tp, -1))
    return points_at(view, places, view.tp, np.ones(len(view.tp), np.int64))
