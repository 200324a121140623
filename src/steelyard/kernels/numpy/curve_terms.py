"""Sums and maxima over the points of curves."""

from typing import Any

import numpy as np

from steelyard.kernels.curve_columns import last_entries, reduced, spread, tp_and_fp
from steelyard.kernels.interface import DIGIT, MASK, Array, Chosen, CurvePoints, Digits, ExactSums
from steelyard.kernels.interface.curves import CurveMeasure, Term, Upwards
from steelyard.kernels.logarithms import one_minus_log1p_ratio
from steelyard.kernels.numpy.exact import dot_groups
from steelyard.kernels.numpy.keyed import dot_by_slice
from steelyard.kernels.quotients import EXACT, quotients, ratios

FITS = 1 << 62
# Two different quotients of whole numbers below this are different float64s.
DISTINCT = 1 << 26
# A gain in float64, as a share of the largest that is possible, is within 12 units of 2**-53.
SLACK = 2.0**-48
LARGEST = 1 << 900  # a factor whose products float64 holds


def curve_sums(points: CurvePoints, upwards: Upwards, term: Term) -> ExactSums:
    """For each slice, the exact Σ positive weight · term over its points."""
    tp, fp = tp_and_fp(points, upwards)
    largest = _top(tp) + _top(fp)
    if 2 * largest >= EXACT:  # Python divides
        tp, fp = tp.astype(object), fp.astype(object)
    if term == "precision":
        return dot_by_slice(_digits(points.positives), ratios(tp, tp + fp), points.starts)
    own = np.ones(len(tp), tp.dtype) if points.positives is None else points.positives
    tied = np.zeros(len(tp), tp.dtype) if points.tied is None else points.tied.astype(tp.dtype)
    if term == "doubled_fp":
        sums = dot_groups(_whole_digits(own), _whole_digits(2 * fp - tied), points.starts)
        return {DIGIT * place: column for place, column in enumerate(sums)}
    numbers = _mean_precision(tp, fp, own.astype(tp.dtype), tied)
    return dot_by_slice(_digits(points.positives), numbers, points.starts)


def _mean_precision(tp: Array, fp: Array, own: Array, tied: Array) -> Array:
    """The mean precision within each tied block; see `metrics.curves.pr_auc` for the formula."""
    tp_above, fp_above, block = tp - own, fp - tied, own + tied
    above = tp_above + fp_above
    alpha, beta = ratios(own, block), ratios(tied, block)
    top = above == 0  # only the highest block has nothing above it: its precision is constant
    safe = np.where(top, 1, above)
    pi, phi = ratios(tp_above, safe), ratios(fp_above, safe)
    y = ratios(block, 2 * safe + block)
    g, log_ratio = one_minus_log1p_ratio(ratios(block, safe), y)
    slope = phi * alpha - beta * pi
    mean = np.where(slope > 0, pi + slope * g, alpha - slope * log_ratio)
    return np.minimum(np.where(top, alpha, mean), 1.0)


def _digits(column: Array | None) -> Digits | None:
    """Whole numbers as digits; None: 1 each."""
    return None if column is None else _whole_digits(column)


def _whole_digits(column: Array) -> Digits:
    if column.dtype == object and max(column.tolist(), default=0) < 1 << 63:
        column = column.astype(np.int64)
    if column.max(initial=0) <= MASK:
        return (column,)
    found = [column & MASK]
    while (column := column >> DIGIT).any():
        found.append(column & MASK)
    return tuple(digit.astype(np.int64, copy=False) for digit in found)


def curve_most(
    points: CurvePoints, upwards: Upwards, measure: CurveMeasure, up: Array, down: Array
) -> Chosen:
    """For each slice the entry that a measure chooses; of equal ones the highest."""
    tp, fp = tp_and_fp(points, upwards)
    starts = points.starts
    if measure == "gain":
        places = _largest_gains(tp, fp, starts, up, down)
    elif measure == "share":
        enough = tp >= spread(_like(tp, up), starts)
        more = _like(tp, down)
        called = (tp + fp).astype(more.dtype, copy=False) + spread(more, starts)
        places = _largest_shares(tp, called, starts, enough)
    elif measure == "precise":
        kind = _product_type(tp, up, fp, down)
        left, right = (_times(*each, starts, kind) for each in ((tp, up), (fp, down)))
        places = _first_entries(left >= right, starts)
    elif measure == "allowed":
        places = _first_entries(fp <= spread(_like(fp, down), starts), starts)
    elif measure == "within":
        places = _first_entries(tp + fp <= spread(_like(fp, down), starts), starts)
    else:
        places = last_entries(tp >= spread(_like(tp, up), starts), starts)
    there = places >= 0
    found = [np.zeros(len(places), tp.dtype) for _ in range(2)]
    for column, mine in zip((tp, fp), found, strict=True):
        mine[there] = column[places[there]]
    return Chosen(places, found[0], found[1])


def _first_entries(chosen: Array, starts: Array) -> Array:
    """The first entry of each slice that is chosen, −1: none."""
    size = len(chosen)
    found = last_entries(chosen[::-1], size - starts[::-1])[::-1]
    return np.where(found < 0, -1, size - 1 - found)


def _largest_gains(tp: Array, fp: Array, starts: Array, up: Array, down: Array) -> Array:
    """The last of each slice's largest up·TP − down·FP, if that is above 0."""
    kind = _product_type(tp, up, fp, down)
    if kind == np.int64 or tp.dtype == object or max(_top(up), _top(down)) > LARGEST:
        gains = _times(tp, up, starts, kind) - _times(fp, down, starts, kind)
        return _last_of_largest(gains, starts)
    # Products need more than 64 bits: only possible maxima are compared exactly.
    shares = [each.astype(np.float64) for each in (up, down)]
    most = [reduced(np.maximum, each, starts, 0).astype(np.float64) for each in (tp, fp)]
    scale = np.maximum(np.maximum(shares[0] * most[0], shares[1] * most[1]), 1)
    rates = tp * spread(shares[0] / scale, starts) - fp * spread(shares[1] / scale, starts)
    near = np.flatnonzero(rates >= spread(reduced(np.maximum, rates, starts, 0), starts) - SLACK)
    of_near = near.searchsorted(starts)
    gains = _times(tp[near], up, of_near, object) - _times(fp[near], down, of_near, object)
    found = _last_of_largest(gains, of_near)
    return np.where(found < 0, -1, near[found] if len(near) else -1)


def _last_of_largest(gains: Array, starts: Array) -> Array:
    largest = spread(reduced(np.maximum, gains, starts, 0), starts)
    return last_entries(((gains == largest) & (gains > 0)).astype(bool), starts)


def _largest_shares(tp: Array, called: Array, starts: Array, among: Array) -> Array:
    """The last of each slice's largest TP / called, among some entries."""
    shares = np.where(among, quotients(tp, called), -1.0)
    largest = shares == spread(reduced(np.maximum, shares, starts, -1), starts)
    largest &= shares >= 0
    places = last_entries(largest, starts)
    if _top(called) < DISTINCT:
        return places
    # Those that round to the largest are compared exactly.
    for place in np.flatnonzero(largest).tolist()[::-1]:
        of = int(starts.searchsorted(place, side="right")) - 1
        best = places[of]
        if int(tp[place]) * int(called[best]) > int(tp[best]) * int(called[place]):
            places[of] = place
    return places


def _product_type(tp: Array, up: Array, fp: Array, down: Array) -> Any:
    """int64 where it holds the products of both columns with their factors, else objects."""
    both = ((tp, up), (fp, down))
    fits = tp.dtype != object and all(max(_top(column), 1) * _top(by) < FITS for column, by in both)
    return np.int64 if fits else object


def _times(column: Array, factors: Array, starts: Array, kind: Any) -> Array:
    found: Array = column.astype(kind, copy=False) * spread(factors.astype(kind), starts)
    return found


def _like(column: Array, factors: Array) -> Array:
    """Factors as Python integers where the column has those, or where one does not fit int64."""
    fits = column.dtype != object and _top(factors) < FITS
    return factors.astype(np.int64 if fits else object, copy=False)


def _top(column: Array) -> int:
    """The largest of some whole numbers from 0."""
    return int(column.max(initial=0))
