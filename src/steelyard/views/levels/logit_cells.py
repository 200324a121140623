"""Cells of rows with about the same logit, for fits on the logit scale.

A cell holds the probabilities q with the same exponent and the same 10 bits after it, or more bits
where all logits are close; above ½ those of 1 − q. In a cell, a smooth function of the logit is a
cubic in z, the position in the cell from −½ to ½, with a relative error of about 2**-48. So a fit
needs only the sums of 1, z, z² and z³: 10 million rows are read once, and each step of the fit
reads some thousand cells. A slope of b makes a cell b times as wide for the fitted function, and
the error of the cubic b⁴ times as large: a fit steeper than `steepest` needs finer cells.

Exactness: sums over rows are exact, of the position itself, and of its square and cube truncated
after 31 binary places; they do not depend on the order of rows.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT
from steelyard.kernels.ragged import running_sums, spread, steps
from steelyard.kernels.segments import sums_between
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.states import exact_sums
from steelyard.views.part_columns import SliceLists, take
from steelyard.views.sums import EXACT
from steelyard.views.totals import Totals

MANTISSA = 52
FEWEST, MOST = 10, 40  # bits that number the cells of one exponent
FINER = 4  # more bits at a time, for a steep fit
WIDTH = 8  # cell width times slope is at most 2**-8: the error of a slope is below 1e-13 there
SPREAD = 8.0  # logits with a smaller range get finer cells, as a fit may be steeper
TINY, LIFT = 2.0**-1022, 60  # smaller numbers have fewer bits, and are multiplied by 2**LIFT
TOP = 1 << 61  # the code of a cell of 1 − q is this minus its number
LIFTED = 1 << 60  # is added to the code of a cell of lifted numbers, which is negative
LN2 = 0.6931471805599453  # the nearest float64
POWERS = 2.0 ** -np.arange(64.0)
LARGEST = 1 << 61  # int64 holds the sum of two smaller numbers


class Moments(NamedTuple):
    """Sums over the rows of each cell, whole numbers or shares of all weight.

    The terms are 1, t, t² and t³, t from 0 to 1, or powers of z = t − ½.
    """

    one: Array
    first: Array
    square: Array
    cube: Array


class CellColumns(NamedTuple):
    """Cells by slice and rising logit; codes and moments as of the kernel `level_cells`."""

    codes: Array
    positives: Moments
    negatives: Moments


class ClassEnds(NamedTuple):
    """The lowest and the highest probability of a class in each slice; NaN without rows."""

    low: Floats
    high: Floats

    def join(self, other: "ClassEnds") -> "ClassEnds":
        return ClassEnds(np.fmin(self.low, other.low), np.fmax(self.high, other.high))


class CellSums(NamedTuple):
    """Exact sums over the cells of each slice.

    cells: lists of `CellColumns`; bits: how many number the cells of an exponent
    infinite: the weight of rows whose logit is infinite; they are in no cell
    """

    cells: SliceLists
    bits: Array
    infinite: Array
    positives: ClassEnds
    negatives: ClassEnds


def join(lower: CellSums, upper: CellSums) -> CellSums:
    """The cells of both ranges, which have the same number of bits."""
    both = lower.cells.followed_by(upper.cells)
    slices, codes = both.slices, both.columns.codes
    # No cell of the upper range is below one of the lower, so that equal ones are adjacent.
    new = np.append(True, (slices[1:] != slices[:-1]) | (codes[1:] != codes[:-1]))[: len(codes)]
    starts = np.flatnonzero(new)
    sides = (Moments(*(_added(column, starts) for column in side)) for side in both.columns[1:])
    return CellSums(
        SliceLists(
            np.append(starts, len(codes)).searchsorted(both.starts),
            CellColumns(codes[starts], *sides),
        ),
        lower.bits,
        lower.infinite + upper.infinite,
        lower.positives.join(upper.positives),
        lower.negatives.join(upper.negatives),
    )


def _added(column: Array, starts: Array) -> Array:
    if len(starts) == len(column):
        return column
    if column.dtype != object and column.max() >= LARGEST:
        column = column.astype(object)
    added: Array = np.add.reduceat(column, starts)
    return added


class CellShares(NamedTuple):
    """Cells by slice and rising logit.

    logit: x₀ … x₃, where x₀ + x₁z + x₂z² + x₃z³ is the logit at z, minus the slice's centre
    positives, negatives: the sums of 1, z, z², z³ of the rows of a class, as shares of all weight
    """

    logit: Moments
    positives: Moments
    negatives: Moments


class WholeWeights(NamedTuple):
    """Exact weights of each slice, in the table's unit.

    below: by rising logit, the weight of the first cells: of none, of one, and so on
    positives, negatives: of all cells; total: of the slice
    """

    below: SliceLists
    positives: Array
    negatives: Array
    total: Array

    def misplaced(self, above: Array, rising: Array) -> Floats:
        """The weight of negatives above a place minus that of positives below, as a share.

        above: how many cells are above, the last ones by rising logit, or if not rising the first
        """
        first, end = self.below.starts[:-1], self.below.starts[1:]
        below = self.below.columns[np.where(rising, end - 1 - above, first + above)]
        above_minus_below = np.where(rising, self.negatives - below, below - self.positives)
        return shares(above_minus_below, self.total)


class LogitCells(NamedTuple):
    """The cells of some slices.

    cells: lists of `CellShares`; weights: the exact weights
    centre: about the mean of a slice's logits, so that close logits keep their differences
    bits: how many number the cells of an exponent
    """

    cells: SliceLists
    centre: Floats
    weights: WholeWeights
    bits: Array

    @property
    def steepest(self) -> Floats:
        """The largest slope that the cells of each slice are fine enough for."""
        return np.asarray(np.ldexp(1.0, self.bits - WIDTH))


def logit_cells(found: CellSums, totals: Array) -> LogitCells:
    """The cells of some slices, with sums as shares of all weight."""
    slices, codes = found.cells.slices, found.cells.columns.codes
    places = MANTISSA - found.bits
    sides = [_centred(side, totals, places, slices) for side in found.cells.columns[1:]]
    whole = [side.one for side in found.cells.columns[1:]]
    starts = found.cells.starts
    # A weight of 1e-300 has a share of 0 where another weight is 1e300.
    some = np.flatnonzero(sides[0].one + sides[1].one > 0.0)
    if len(some) < len(codes):
        slices, codes = slices[some], codes[some]
        sides, whole = [take(side, some) for side in sides], [each[some] for each in whole]
        starts = some.searchsorted(starts)
    first, *rest = _logits(codes, places[slices])
    sums = sums_between((sides[0].one + sides[1].one) * first, starts)
    centre = exact_sums.floats(sums, np.arange(len(totals)))
    logit = Moments(first - centre[slices], *rest)
    cells = SliceLists(starts, CellShares(logit, *sides))
    return LogitCells(cells, centre, _whole_weights(whole, starts, totals), found.bits)


def _centred(side: Moments, totals: Array, places: Array, slices: Array) -> Moments:
    """The sums of 1, z, z² and z³ of each cell, as shares of all weight."""
    binary: list[Array] = [np.zeros_like(places), places, *[np.full_like(places, DIGIT)] * 2]
    one, t, square, cube = (
        _scaled_shares(column, totals, power, slices)
        for column, power in zip(side, binary, strict=True)
    )
    return Moments(one, t - one / 2, square - t + one / 4, cube - 1.5 * square + 0.75 * t - one / 8)


def _scaled_shares(whole: Array, totals: Array, places: Array, slices: Array) -> Floats:
    """Whole multiples of 2**−places divided by the totals of slices, each rounded once."""
    if whole.dtype == object or totals.dtype == object:
        return shares(whole, (totals.astype(object) << places.astype(object))[slices])
    # Exact: no share is that small.
    return np.multiply(shares(whole, totals[slices]), POWERS[places][slices])


def shares(whole: Array, totals: Array) -> Floats:
    """Whole numbers divided by totals, each rounded once."""
    if whole.dtype == object or totals.dtype == object:
        return np.asarray(whole.astype(object) / totals, np.float64)
    found: Floats = whole / totals
    for place in np.flatnonzero((np.abs(whole) >= EXACT) | (totals >= EXACT)).tolist():
        found[place] = int(whole[place]) / int(totals[place])
    return found


def _logits(codes: Array, places: Array) -> tuple[Floats, ...]:
    """ln(p/(1−p)) as a cubic in z, where p = c + z·h is q or 1 − q."""
    kernel = kernels.active()
    above, lifted = codes > TOP // 2, codes < 0
    numbers = np.where(above, TOP - codes, np.where(lifted, codes + LIFTED, codes))
    low = numbers << places
    width = np.left_shift(1, places)
    c = (low + (width >> 1)).view(np.float64)
    h = (low + width).view(np.float64) - low.view(np.float64)
    r, s = h / c, h / (1.0 - c)
    x = (
        kernel.log(c) - kernel.log_complement(c) - np.where(lifted, LIFT * LN2, 0.0),
        r + s,
        (s * s - r * r) / 2,
        (r * r * r + s * s * s) / 3,
    )
    sign = np.where(above, -1.0, 1.0)
    return tuple(sign * column for column in x)


def _whole_weights(sides: list[Array], starts: Array, totals: Array) -> WholeWeights:
    """The exact weights of cells."""
    wide = totals.dtype == object or sum(totals.tolist()) >= LARGEST
    sums = [np.append(0, np.cumsum(side.astype(object if wide else np.int64))) for side in sides]
    rows, slices = spread(starts[:-1], steps(starts) + 1)
    running = sums[0] + sums[1]
    below = running[rows] - running[starts[slices]]
    positives, negatives = (each[starts[1:]] - each[starts[:-1]] for each in sums)
    lists = SliceLists(running_sums(steps(starts) + 1), below)
    return WholeWeights(lists, positives, negatives, totals)


def finer(bits: Array) -> Array:
    """The bits of finer cells; the same where cells are the finest already."""
    more: Array = np.minimum(bits + FINER, MOST)
    return more


def bits_of(totals: Totals, reading: Reading) -> Array:
    """How many bits number cells: the slope of a fit times the width of a cell must stay small.

    Where the logit at an end is infinite, there is no fit, and any number will do.
    """
    kernel = kernels.active()
    logits = []
    for scores in (totals.lowest, totals.highest):
        ends = clipped(probabilities(scores.astype(reading.score_type), reading), reading)
        known = np.where((ends > 0.0) & (ends < 1.0), ends, 0.5)
        logit = kernel.log(known) - kernel.log_complement(known)
        logits.append(np.where(known == ends, logit, np.nan))
    width = logits[1] - logits[0]
    some = width > SPREAD * TINY  # others are one score, or infinite
    bits = FEWEST + np.frexp(SPREAD / np.where(some, width, SPREAD))[1]
    return np.where(some, np.clip(bits, FEWEST, MOST), FEWEST).astype(np.int64)
