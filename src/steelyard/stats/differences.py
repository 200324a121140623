"""Differences of two values, from the influences on both: paired, since clusters are shared.

A difference is D(candidate) − D(baseline), where D says how good a value is: the value itself if
higher is better, its opposite if lower is, minus its distance from the target if it has one (for a
ratio such as COPC the distance of its logarithm). So a positive difference is an improvement. The
influence of a cluster on it is D'(candidate)·U_candidate − D'(baseline)·U_baseline, over the
clusters of both: that covers the same clusters, other clusters, and some of both alike.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.ragged import running_sums
from steelyard.metrics.about import BETTER
from steelyard.metrics.influence import LOG, Influences
from steelyard.model import Array, Floats, Mask
from steelyard.stats.student import t_quantile, t_two_sided
from steelyard.stats.variance import Spread, spread_of
from steelyard.views.clusters import ClusterLines

HIGHER, LOWER, NEARER_ONE, NEARER_ZERO, DEPENDS = BETTER
TARGETS = {NEARER_ONE: 1.0, NEARER_ZERO: 0.0}
POWER = 0.8  # the chance to see a difference as large as the detectable one
KEY_BITS = 32
ROUNDING = 1e-12  # of the standard errors of both values


class Goodness(NamedTuple):
    """How good values are, D, and its derivative D'."""

    amount: Floats
    slope: Floats


def goodness(values: Floats, better: str, scale: str) -> Goodness:
    """How good each value is; better: one of `BETTER`, scale: that of its interval."""
    if better in TARGETS:
        signed = signed_distances(values, better, scale)
        return Goodness(-np.abs(signed.amount), -np.sign(signed.amount) * signed.slope)
    sign = -1.0 if better == LOWER else 1.0
    return Goodness(sign * values, np.full(len(values), sign))


def signed_distances(values: Floats, better: str, scale: str) -> Goodness:
    """How far each value is above its target; of a ratio, its logarithm."""
    if scale == LOG:
        positive = values > 0  # without a value, or at 0, there is no logarithm
        sizes = np.where(positive, values, 1.0)
        return Goodness(np.where(positive, kernels.active().log(sizes), np.nan), 1.0 / sizes)
    return Goodness(values - TARGETS[better], np.ones(len(values)))


def combined(found: Sequence[Influences], factors: Sequence[Floats]) -> Influences:
    """The sum of influences, each times a factor of its slice; lines are those of any of them.

    factors: for each, by slice number; all have the same numbers of slices and clusters

    Each is scaled so that its variance has the factor (I − 1)/I of its own clusters, where those of
    the sum are more. A cluster of several of them has the largest of its shares.
    """
    ids = [_ids(each.lines) for each in found]
    if all(np.array_equal(ids[0], other) for other in ids[1:]):
        every, places = ids[0], [np.arange(len(ids[0]))] * len(ids)
    else:
        every = np.unique(np.concatenate(ids))
        places = [every.searchsorted(own) for own in ids]
    columns, shares = np.zeros((2, len(found[0].columns), len(every)))
    present = np.zeros(columns.shape, bool)
    for each, rows in zip(found, places, strict=True):
        for place, (share, mask) in enumerate(zip(each.shares, each.present, strict=True)):
            shares[place][rows] = np.fmax(shares[place][rows], share)
            present[place][rows] |= mask
    lines = _lines(every, found[0].lines)
    for each, factor, rows in zip(found, factors, places, strict=True):
        for place, (column, mask) in enumerate(zip(each.columns, each.present, strict=True)):
            scale = factor * _scale(each.lines, mask, lines, present[place])
            columns[place][rows] += each.lines.spread(scale) * column
    return Influences(lines, tuple(columns), tuple(shares), tuple(present))


def _scale(own: ClusterLines, mask: Mask, all_: ClusterLines, of_all: Mask) -> Floats:
    """√ of (I − 1)/I of some clusters over that of all, by slice; 1 where they are as many."""
    count = len(own.starts) - 1
    if np.array_equal(mask, of_all):  # they have every line that the sum has
        return np.ones(count)
    few = np.bincount(own.slices[mask], minlength=count).astype(np.float64)
    many = np.bincount(all_.slices[of_all], minlength=count).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.sqrt((few - 1) / few * many / (many - 1))
    return np.where((few == many) | (few < 2), 1.0, scale)


def renumbered(found: Influences, slices: Array, clusters: Array | None, count: int) -> Influences:
    """The same influences under other numbers of slices and clusters.

    slices: the new number of each slice, below 0: it is left out; clusters: that of each cluster,
        None: they keep theirs; count: how many new numbers of slices
    """
    lines = found.lines
    order, starts = _blocks(lines.starts, slices, count)
    of_slice, of_cluster = np.repeat(np.arange(count), np.diff(starts)), lines.clusters[order]
    if clusters is not None:
        of_cluster = clusters[of_cluster].astype(np.int64)
        again = np.lexsort((of_cluster, of_slice))
        order, of_cluster = order[again], of_cluster[again]
    lines = ClusterLines(of_slice, of_cluster, starts)
    columns, shares = (tuple(each[order] for each in own) for own in (found.columns, found.shares))
    present, required = (
        tuple(mask[order] for mask in masks) for masks in (found.present, found.required)
    )
    return Influences(lines, columns, shares, present, required)


def _blocks(starts: Array, slices: Array, count: int) -> tuple[Array, Array]:
    """The lines by the new numbers of their slices, and where these start."""
    sizes, firsts = np.zeros((2, count), np.int64)
    kept = np.flatnonzero(slices >= 0)
    sizes[slices[kept]], firsts[slices[kept]] = np.diff(starts)[kept], starts[kept]
    new = running_sums(sizes)
    return np.arange(new[-1]) + np.repeat(firsts - new[:-1], sizes), new


class Change(NamedTuple):
    """A number of every slice, such as a difference, the influences on it, and its spread."""

    amount: Floats
    influences: Influences
    spread: Spread


def difference(
    old: Change, new: Change, slopes: tuple[Floats, Floats] | None = None, sign: float = -1.0
) -> Change:
    """new − old (sign −1) or new + old (sign 1) of every slice; no spread where a side has none.

    slopes: of the amount of each by that of its influences; None: 1

    A standard error that is rounding alone is 0: both sides move alike on every resample. So is
    then an amount that is rounding alone.
    """
    slopes = slopes or (np.ones(len(old.amount)), np.ones(len(new.amount)))
    found = combined([new.influences, old.influences], [slopes[1], sign * slopes[0]])
    spread = spread_of(found)
    sizes = np.zeros(len(spread.error))
    for side, slope in zip((old, new), slopes, strict=True):
        sizes += np.abs(slope) * side.spread.error
    error = np.where(spread.error <= ROUNDING * sizes, 0.0, spread.error)
    amount = new.amount + sign * old.amount
    least = ROUNDING * (np.abs(new.amount) + np.abs(old.amount) + sizes)
    amount = np.where((error == 0) & (np.abs(amount) <= least), 0.0, amount)
    freedom = np.where(error == 0, spread.clusters - 1.0, spread.freedom)
    largest = np.where(error == 0, 0.0, spread.largest)
    error = np.where(np.isfinite(sizes), error, np.nan)
    made = spread._replace(error=error, freedom=freedom, largest=largest)
    return Change(amount, found, made)


class Limits(NamedTuple):
    """confidence: of intervals; margin: how much worse is accepted, None if it is not said."""

    confidence: float
    margin: float | None = None


class TestedDifferences(NamedTuple):
    """The differences of slices, each with its interval and the p-value of no difference.

    detectable: the difference that data with this spread show with a probability of 0.8
    p_worse: the p-value of a candidate that is worse by at most the margin, two-sided as the
        interval is: it is below 1 − confidence if and only if the interval is below −margin
    exact: whether it is the same on every resample
    """

    amount: Floats
    low: Floats
    high: Floats
    p: Floats
    detectable: Floats
    p_worse: Floats
    exact: Mask


def tested(amount: Floats, spread: Spread, limits: Limits) -> TestedDifferences:
    """The intervals and p-values of differences.

    Where the standard error is 0, equal values have p = 1; others differ on every resample, and
    have no p.
    """
    half = half_width(spread, limits.confidence)
    with np.errstate(all="ignore"):
        p = t_two_sided(amount / spread.error, spread.freedom)
    p = np.where(spread.error == 0, np.where(amount == 0, 1.0, np.nan), p)
    least = detectable_difference(spread, limits.confidence)
    worse = np.minimum(1.0, 2.0 * upper_tail(-amount - (limits.margin or 0.0), spread))
    exact = spread.error == 0
    return TestedDifferences(amount, amount - half, amount + half, p, least, worse, exact)


def half_width(spread: Spread, confidence: float) -> Floats:
    """Half the length of intervals."""
    with np.errstate(all="ignore"):
        half = t_quantile(0.5 + confidence / 2, spread.freedom) * spread.error
    return np.where(spread.error == 0, 0.0, half)


def detectable_difference(spread: Spread, confidence: float) -> Floats:
    """The difference that is seen with a probability of 0.8."""
    with np.errstate(all="ignore"):
        quantiles = t_quantile(0.5 + confidence / 2, spread.freedom)
        least = (quantiles + t_quantile(POWER, spread.freedom)) * spread.error
    return np.where(spread.error == 0, 0.0, least)


def upper_tail(amount: Floats, spread: Spread) -> Floats:
    """P(T > amount / error); without an error, 0 above 0, and 1 elsewhere."""
    with np.errstate(all="ignore"):
        half = t_two_sided(amount / spread.error, spread.freedom) / 2
    tail = np.where(amount > 0, half, 1.0 - half)
    sure = np.where(amount > 0, 0.0, np.where(amount <= 0, 1.0, np.nan))
    return np.where(spread.error == 0, sure, tail)


def _ids(lines: ClusterLines) -> Array:
    ids: Array = (lines.slices.astype(np.int64) << KEY_BITS) | lines.clusters.astype(np.int64)
    return ids


def _lines(ids: Array, like: ClusterLines) -> ClusterLines:
    of_slice = ids >> KEY_BITS
    starts = of_slice.searchsorted(np.arange(len(like.starts)))
    return ClusterLines(of_slice, ids & ((1 << KEY_BITS) - 1), starts)
