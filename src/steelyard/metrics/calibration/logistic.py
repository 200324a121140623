"""The logistic model of labels by logits of predictions: logit P(y = 1) = a + b·logit q.

Newton's steps from a = 0, b = 1 find the best a and then, for a slope, the best a and b. The loss
is convex and almost flat far from its minimum, so a step may be too long or too short. For a alone,
the residual rises with a: a step that leaves the bracket of its root, or that is not half of the
one before, is replaced by a bisection. For both, a step is halved while the
loss would grow, and while it overshoots: while Newton's step back, on the same line, would pass its
start. The fit ends with the first step below 2**-40, or with the first below 2**-20 that is more
than half of the step before: the rest is rounding.

All slices are fitted at once, each by its own steps, until none moves.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Floats, Mask
from steelyard.views.levels import LevelView
from steelyard.views.levels.logistic_sums import (
    LogisticSums,
    ShiftSums,
    logistic_sums,
    shift_sums,
)
from steelyard.views.levels.logit_cells import CellSums, LogitCells, finer, logit_cells
from steelyard.views.part_columns import concatenated, take
from steelyard.views.sums import quotient
from steelyard.views.totals import Totals

STEPS, HALVINGS = 200, 60
SMALL, TINY = 2.0**-20, 2.0**-40
GROWTH = 1 + 2.0**-10  # the loss is known to about that
FARTHEST = 2048.0  # more than any two logits differ, and the logarithms of any two sums of weights
CELLS = 1 << 15  # of the slices that are fitted at once: columns that fit the cache
INFINITE = (
    "the probability is 0 or 1 in rows of weight {weight:g}, whose logit is infinite: pass "
    "clip=1e-15 to limit it"
)
# A class has at least 2**-1000 of all weight, so that float64 holds the shares of its cells.
SMALLEST_SHARE = 1000
UNEVEN = "the weights of the two classes are more than 300 powers of ten apart"
NO_CONVERGENCE = "the fit does not converge"
STEEP = "the slope is above {most:g}, which float64 logits cannot resolve"
FITTED, STUCK, TOO_STEEP = range(3)  # what became of a fit


class LogitLine(NamedTuple):
    """An intercept, relative to the cells' centre, and a slope for each slice; also a step."""

    intercept: Floats
    slope: Floats


class Start(NamedTuple):
    """Where fits go on with finer cells: a line over cells of another centre, and steps left."""

    at: LogitLine
    centre: Floats
    steps: Array


class Fits(NamedTuple):
    """What became of the fit of each slice, its line, and how it goes on where that is too steep.

    bits: of the cells that it needs then; those it has where none are finer
    """

    became: Array
    at: LogitLine
    start: Start
    bits: Array


def cells_of(levels: LevelView, bits: Array | None = None) -> CellSums:
    """The sums over rows that a fit needs."""
    return levels.cells(bits)


def no_fit(found: CellSums, totals: Totals) -> dict[int, str]:
    """The reasons for no fit, by place: infinite logits, or a class of almost no weight."""
    smaller = np.minimum(totals.positives, totals.negatives).astype(object)
    uneven = np.flatnonzero((smaller << SMALLEST_SHARE) < totals.all)
    whys = dict.fromkeys(uneven.tolist(), UNEVEN)
    for place in np.flatnonzero(found.infinite != 0).tolist():
        weight = quotient(found.infinite[place], -totals.power)
        whys[place] = INFINITE.format(weight=weight)
    return whys


def fit_intercepts(found: CellSums, totals: Array) -> Fits:
    """The best intercepts with a slope of 1, for which all cells are fine enough."""
    parts = []
    for places in _parts(found):
        cells = logit_cells(take(found, places), totals[places])
        became, a = _best_intercepts(cells)
        line = LogitLine(a, np.ones(len(a)))
        parts.append(Fits(became, line, Start(line, cells.centre, became), cells.bits))
    fits: Fits = concatenated(parts)
    return fits


def fit_slopes(found: CellSums, totals: Array, start: Start | None) -> Fits:
    """The best intercepts and slopes; start: where fits go on, after a pass with coarser cells."""
    parts = []
    for places in _parts(found):
        cells = logit_cells(take(found, places), totals[places])
        if start is None:
            became, a = _best_intercepts(cells)
            line, steps = LogitLine(a, np.ones(len(a))), np.full(len(a), STEPS)
        else:
            (a, b), centre, steps = take(start, places)
            line, became = (
                LogitLine(a + (b - 1.0) * (cells.centre - centre), b),
                np.zeros(len(a), int),
            )
        parts.append(_best_lines(cells, line, steps, became))
    fits: Fits = concatenated(parts)
    return fits


def _parts(found: CellSums) -> Iterator[Array]:
    """The slices in parts with few cells each."""
    number = found.cells.starts[1:] // CELLS
    edges = np.flatnonzero(np.diff(number, prepend=-1, append=number[-1] + 1))
    return (np.arange(first, last) for first, last in pairwise(edges.tolist()))


def _best_intercepts(cells: LogitCells) -> tuple[Array, Floats]:
    """What became of each fit, and the intercept."""
    count = len(cells.centre)
    became, found = np.full(count, STUCK), np.zeros(count)
    moving, a = np.arange(count), np.zeros(count)
    low, high = np.full(count, -FARTHEST), np.full(count, FARTHEST)
    last = before = np.full(count, np.inf)
    for _ in range(STEPS):
        sums = shift_sums(cells, cells.centre + a, np.ones(len(a)))
        rises = sums.residual > 0.0
        low, high = np.where(rises, low, a), np.where(rises, a, high)
        step = _shift(sums)
        size = np.abs(step) / np.maximum(1.0, np.abs(a))
        inside = (low < a + step) & (a + step < high) & (np.abs(step) * 2 < last)
        step = np.where((size > SMALL) & ~inside, (low + high) / 2 - a, step)
        a, last = a + step, np.abs(step)
        ends = _has_ended(size, before)
        became[moving[ends]], found[moving[ends]] = FITTED, a[ends]
        if ends.all():
            break
        before = size
        if ends.any():
            rest = np.flatnonzero(~ends)
            moving, cells = moving[rest], take(cells, rest)
            a, low, high, last, before = (column[rest] for column in (a, low, high, last, before))
    return became, found


def _has_ended(size: Floats, before: Floats) -> Mask:
    """Whether a step is small, or small and no longer much smaller than the one before."""
    ended: Mask = (size <= TINY) | ((size <= SMALL) & (size * 2 > before))
    return ended


def _best_lines(cells: LogitCells, line: LogitLine, steps: Array, became: Array) -> Fits:
    """The lines where steps end, or those where the cells become too coarse."""
    fits = Fits(
        np.full(len(steps), STUCK),
        LogitLine(*(column.copy() for column in line)),
        Start(line, cells.centre, steps.copy()),
        cells.bits.copy(),
    )
    moving = np.flatnonzero((became == FITTED) & (steps > 0))
    left = steps[moving]
    if len(moving) < len(steps):
        cells, line = take(cells, moving), take(line, moving)
    sums = _sums(cells, line)
    last = np.full(len(moving), np.inf)
    while len(moving):
        moved, size, line, sums = _move(cells, line, sums)
        left = left - 1
        steep = moved & (np.abs(line.slope) > cells.steepest)
        ends = moved & ~steep & _has_ended(size, last)
        fits.became[moving[steep]], fits.became[moving[ends]] = TOO_STEEP, FITTED
        for column, values in zip((*fits.at, fits.start.steps), (*line, left), strict=True):
            column[moving] = values
        last, stays = size, moved & ~steep & ~ends & (left > 0)
        if not stays.all():
            rest = np.flatnonzero(stays)
            moving, left, last = moving[rest], left[rest], last[rest]
            cells, line, sums = take(cells, rest), take(line, rest), take(sums, rest)
    centre, (a, b) = fits.start.centre, fits.at
    return fits._replace(
        at=LogitLine(a - (b - 1.0) * centre, b),
        start=fits.start._replace(at=fits.at),
        bits=finer(fits.bits),
    )


def _sums(cells: LogitCells, line: LogitLine) -> LogisticSums:
    return logistic_sums(cells, cells.centre + line.intercept, line.slope)


def _move(
    cells: LogitCells, line: LogitLine, sums: LogisticSums
) -> tuple[Mask, Floats, LogitLine, LogisticSums]:
    """Newton's steps, halved until they are safe: which were, their whole size, and where to."""
    step = _newton(cells, line, sums)
    sizes = (
        np.abs(one) / np.maximum(1.0, np.abs(all_)) for one, all_ in zip(step, line, strict=True)
    )
    size = np.maximum(*sizes)
    there = LogitLine(*(column.copy() for column in line))
    reached = LogisticSums(*(column.copy() for column in sums))
    rest, cells_, line_, sums_ = np.arange(len(size)), cells, line, sums
    for _ in range(HALVINGS):
        if len(rest) < len(size):
            cells_, line_, sums_ = (take(each, rest) for each in (cells, line, sums))
        at = LogitLine(*(a + b for a, b in zip(line_, step, strict=True)))
        found = _sums(cells_, at)
        safe = found.is_finite & ((size[rest] <= SMALL) | _is_safe(sums_, step, found))
        done = rest[safe]
        for columns, values in ((there, at), (reached, found)):
            for column, value in zip(columns, values, strict=True):
                column[done] = value[safe]
        rest, step = rest[~safe], LogitLine(*(column[~safe] / 2 for column in step))
        if not len(rest):
            break
    moved = np.ones(len(size), bool)
    moved[rest] = False
    return moved, size, there, reached


def _shift(sums: ShiftSums | LogisticSums) -> Floats:
    """Newton's step of the intercept alone, limited in size."""
    return np.clip(_over(-sums.residual, sums.bend), -FARTHEST, FARTHEST)


def _newton(cells: LogitCells, line: LogitLine, sums: LogisticSums) -> LogitLine:
    """Newton's step: to where both residuals would be 0 if they were linear; limited in size.

    It has two parts, each of which lowers the loss alone: a shift, and a rotation about the centre
    of the curvature. The slope stays within about what the cells allow.
    """
    b, most = line.slope, 2 * cells.steepest
    steeper = _over(sums.mean_x * sums.residual - sums.residual_x, sums.bend_x)
    steeper = np.clip(steeper, -most - b, most - b)
    return LogitLine(_shift(sums) - sums.mean_x * steeper, steeper)


def _over(top: Floats, bottom: Floats) -> Floats:
    """Quotients; infinite where the denominator is too small for float64."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        beyond = np.where(top != 0.0, np.copysign(np.inf, top), 0.0)
        return np.where(bottom > 0.0, top / bottom, beyond)


def _is_safe(here: LogisticSums, step: LogitLine, there: LogisticSums) -> Mask:
    """Whether the loss does not grow, and Newton's step back does not pass the start."""
    da, db = step
    rise = there.residual * da + there.residual_x * db
    middle = da + there.mean_x * db
    bends: Floats = there.bend * middle * middle + there.bend_x * db * db
    safe: Mask = (there.loss <= here.loss * GROWTH) & (rise <= bends)
    return safe
