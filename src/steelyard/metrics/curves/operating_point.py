"""Operating points: the threshold of a value that is the best of all thresholds.

An entry of a range is a distinct positive score, and the highest threshold with its TP. Of equal
values the one at the higher threshold is taken.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steelyard.metrics.division import ratios
from steelyard.model import Array, Detailed, Floats, Undefined, Value
from steelyard.views.curve import CurveView

NOTHING_CALLED = float("inf")  # the threshold that calls no row positive
# Two different quotients of whole numbers below this are different float64s.
DISTINCT = 1 << 26
# A gap TPR − FPR computed in float64 is within 7 units of 2**-53 of the exact one, F1 within 3.
SLACK = 2.0**-49
FITS_INT64 = 1 << 31  # a factor below this times a narrow column


class OperatingPoint(NamedTuple):
    """A value as a quotient of whole numbers, and its threshold."""

    numerator: int
    denominator: int
    threshold: float


def at_threshold(value: Value, threshold: float) -> Value | Detailed:
    """A value with its threshold; where there is no value there is no threshold."""
    return value if isinstance(value, Undefined) else Detailed(value, {"threshold": threshold})


def highest(lower: OperatingPoint, upper: OperatingPoint) -> OperatingPoint:
    """The larger of two quotients; of equal ones, that of the upper range."""
    left = lower.numerator * upper.denominator
    return lower if left > upper.numerator * lower.denominator else upper


def best_quotients(
    view: CurveView, numerators: Array, denominators: Array, chosen: Array | None = None
) -> list[OperatingPoint]:
    """The largest quotient of each slice, among the chosen entries; 0/1 where it has none."""
    rounded = ratios(numerators, denominators)
    if chosen is not None:
        rounded = np.where(chosen, rounded, -1.0)
    places = last_of_largest(view, rounded)
    if max(denominators.max(initial=0), numerators.max(initial=0)) >= DISTINCT:
        places = _exactly_largest(view, rounded, numerators, denominators)
    return points_at(view, places, numerators, denominators)


def points_at(
    view: CurveView, places: Array, numerators: Array, denominators: Array
) -> list[OperatingPoint]:
    """The quotient and threshold of one entry of each slice; −1 is none of them."""
    if len(view.scores) == 0:
        return [OperatingPoint(0, 1, NOTHING_CALLED)] * len(view)
    columns = (numerators[places], denominators[places], view.scores[places].astype(np.float64))
    found = map(OperatingPoint, *(column.tolist() for column in columns))
    return [
        point if place >= 0 else OperatingPoint(0, 1, NOTHING_CALLED)
        for place, point in zip(places.tolist(), found, strict=True)
    ]


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


def most_positives(view: CurveView, chosen: Array) -> list[OperatingPoint]:
    """The largest TP of each slice among the chosen entries, over 1; 0 where there are none."""
    places = last_of_largest(view, np.where(chosen, view.tp, -1))
    return points_at(view, places, view.tp, np.ones(len(view.tp), np.int64))
