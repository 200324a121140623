"""Sums and maxima over the points of curves by the compiled kernels."""

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import DIGIT, Array, Chosen, CurvePoints, ExactSums
from steelyard.kernels.interface.curves import CurveMeasure, Term, Upwards
from steelyard.kernels.rust.columns import PointColumns, packed

DIGITS, LOWEST = 8, -124  # digits of a sum, and the power of two that the first one counts
FITS = 1 << 62


def curve_sums(points: CurvePoints, upwards: Upwards, term: Term) -> ExactSums:
    """For each slice, the exact Σ positive weight · term over its points."""
    columns = _columns(points, upwards)
    sums = np.empty((DIGITS, len(points.starts) - 1), np.int64)
    number = threads.for_rows(len(points.scores))
    if columns is None or not _rust.curve_sums(columns, term, sums.reshape(-1), number):
        return _numpy.curve_sums(points, upwards, term)
    some = sums.any(axis=1)
    return {LOWEST + DIGIT * place: sums[place] for place in np.flatnonzero(some).tolist()}


def curve_most(
    points: CurvePoints, upwards: Upwards, measure: CurveMeasure, up: Array, down: Array
) -> Chosen:
    """For each slice the entry that a measure chooses; of equal ones the highest."""
    columns, mine, other = _columns(points, upwards), _narrow(up), _narrow(down)
    if columns is None or mine is None or other is None:
        return _numpy.curve_most(points, upwards, measure, up, down)
    places, tp, fp = np.empty((3, len(points.starts) - 1), np.int64)
    number = threads.for_rows(len(points.scores))
    _rust.curve_most(columns, measure, (mine, other), (places, tp, fp), number)
    return Chosen(places, tp, fp)


def _columns(points: CurvePoints, upwards: Upwards) -> PointColumns | None:
    """The columns as the kernels take them; None: one has Python integers."""
    columns = (points.positives, points.below, points.tied)
    if any(each is not None and each.dtype == object for each in (*columns, *upwards)):
        return None
    positives, tied = (None if each is None else packed(each) for each in columns[::2])
    starts, below = packed(points.starts, np.int64), packed(points.below)
    tops = packed(upwards.positives), packed(upwards.negatives)
    return starts, positives, below, tied, tops


def _narrow(factors: Array) -> Array | None:
    """Factors as int64; None: one does not fit."""
    if factors.dtype == object and max(factors.tolist(), default=0) >= FITS:
        return None
    return packed(factors, np.int64)
