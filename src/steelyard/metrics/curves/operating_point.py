"""Operating points: the threshold of a value that is the best of all thresholds.

An entry of a range is a distinct positive score, and the highest threshold with its TP. Of equal
values the one at the higher threshold is taken.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from steelyard.kernels.interface import Chosen
from steelyard.model import Array, Floats, Mask
from steelyard.result.metric_column import ABSENT, MetricColumn
from steelyard.views.curve import CurveView

NOTHING_CALLED = float("inf")  # the threshold that calls no row positive
# A gap TPR − FPR computed in float64 is within 7 units of 2**-53 of the exact one, F1 within 3.
SLACK = 2.0**-49

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


def point_of(
    view: CurveView, places: Array, numerators: Array, denominators: Array
) -> OperatingPoint:
    """The quotient and threshold of one entry of each slice; 0/1 where its place is −1."""
    none, thresholds = nothing_called(len(view)), view.scores_at(places, NOTHING_CALLED)
    above, below = (column.astype(object) for column in (numerators, denominators))
    return chosen(places >= 0, OperatingPoint(above, below, thresholds), none)


def found_positives(view: CurveView, found: Chosen) -> OperatingPoint:
    """The TP of one entry of each slice, over 1; 0 where there is none."""
    return point_of(view, found.places, found.tp, np.ones(len(view), np.int64))


def first_of_largest(values: Floats, exact: Callable[[int], Fraction]) -> int:
    """The place of the largest value; of equal ones the first.

    values: float64s within a few units of their last place; exact: the value at a place
    """
    near = np.flatnonzero(values >= values.max() - SLACK)
    if len(near) == 1:
        return int(near[0])
    return max(near.tolist(), key=lambda place: (exact(place), -place))
