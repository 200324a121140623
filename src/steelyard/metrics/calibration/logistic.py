"""The logistic model of labels by logits of predictions: logit P(y = 1) = a + b·logit q.

Newton's steps from a = 0, b = 1 find the best a and then, for a slope, the best a and b. The loss
is convex and almost flat far from its minimum, so a step may be too long or too short. For a alone,
the residual rises with a: a step that leaves the bracket of its root, or that is not half of the
one before, is replaced by a bisection. For both, a step is halved while the
loss would grow, and while it overshoots: while Newton's step back, on the same line, would pass its
start. The fit ends with the first step below 2**-40, or with the first below 2**-20 that is more
than half of the step before: the rest is rounding.
"""

from math import copysign, isfinite
from typing import NamedTuple

from steelyard.metrics.division import rounded
from steelyard.model import Undefined
from steelyard.views.levels import Levels
from steelyard.views.levels.logistic_sums import LogisticSums, logistic_sums
from steelyard.views.levels.logit_cells import CellSums, LogitCells, finer
from steelyard.views.sums import exact
from steelyard.views.totals import SliceTotals

STEPS, HALVINGS = 200, 60
SMALL, TINY = 2.0**-20, 2.0**-40
GROWTH = 1 + 2.0**-10  # the loss is known to about that
FARTHEST = 2048.0  # more than any two logits differ, and the logarithms of any two sums of weights
INFINITE = (
    "the probability is 0 or 1 in rows of weight {weight:g}, whose logit is infinite: pass "
    "clip=1e-15 to limit it"
)
# A class has at least 2**-1000 of all weight, so that float64 holds the shares of its cells.
SMALLEST_SHARE = 1000
UNEVEN = "the weights of the two classes are more than 300 powers of ten apart"
NO_CONVERGENCE = "the fit does not converge"
STEEP = "the slope is above {most:g}, which float64 logits cannot resolve"


class Fit(NamedTuple):
    """An intercept and a slope; also a step, as the change of both."""

    intercept: float
    slope: float


class _Position(NamedTuple):
    """The position of a fit, with its sums; the intercept is relative to the cells' centre."""

    cells: LogitCells
    at: Fit
    sums: LogisticSums


class Steeper(NamedTuple):
    """A fit that became too steep for its cells: its position, and the bits of finer cells."""

    bits: int
    at: Fit
    centre: float
    steps: int


def cells_of(levels: Levels, bits: int | None = None) -> CellSums:
    """The sums over rows that a fit needs."""
    return levels.cells(bits)


def no_fit(found: CellSums, totals: SliceTotals) -> Undefined | None:
    """The reason for no fit: logits that are infinite, or a class of almost no weight."""
    infinite = found.positives.infinite + found.negatives.infinite
    if infinite:
        return Undefined(INFINITE.format(weight=rounded(exact(infinite, totals.power))))
    uneven = min(totals.positives, totals.negatives) << SMALLEST_SHARE < totals.all
    return Undefined(UNEVEN) if uneven else None


def fit_intercept(cells: LogitCells) -> Fit | Undefined:
    """The best intercept with a slope of 1, for which all cells are fine enough."""
    a, low, high = 0.0, -FARTHEST, FARTHEST
    last = before = float("inf")
    for _ in range(STEPS):
        here = _position(cells, Fit(a, 1.0))
        low, high = (low, a) if here.sums.residual > 0.0 else (a, high)
        step = _shift(here.sums)
        size = abs(step) / max(1.0, abs(a))
        if size > SMALL and not (low < a + step < high and abs(step) * 2 < last):
            step = (low + high) / 2 - a
        a, last = a + step, abs(step)
        if size <= TINY or (size <= SMALL and size * 2 > before):
            return Fit(a, 1.0)
        before = size
    return Undefined(NO_CONVERGENCE)


def fit_slope(cells: LogitCells, start: Steeper | None = None) -> Fit | Undefined | Steeper:
    """The best intercept and slope, or the position to continue from with finer cells."""
    steps = STEPS
    if start is None:
        level = fit_intercept(cells)
        if isinstance(level, Undefined):
            return level
        here = _position(cells, level)
    else:
        here, steps = _resumed(start, cells), start.steps
    found = _converged(here, steps)
    if isinstance(found, Undefined | Steeper):
        return found
    (intercept, slope), centre = found.at, found.cells.centre
    return Fit(intercept - (slope - 1.0) * centre, slope)


def _position(cells: LogitCells, at: Fit) -> _Position:
    return _Position(cells, at, logistic_sums(cells, cells.centre + at.intercept, at.slope))


def _converged(here: _Position, steps: int) -> _Position | Undefined | Steeper:
    """The position where steps end, or the one where the cells become too coarse."""
    last = float("inf")
    for step in range(steps):
        moved = _move(here)
        if moved is None:
            break
        size, here = moved
        if abs(here.at.slope) > here.cells.steepest:
            bits = finer(here.cells.bits)
            if bits is None:
                return Undefined(STEEP.format(most=here.cells.steepest))
            return Steeper(bits, here.at, here.cells.centre, steps - step - 1)
        if size <= TINY or (size <= SMALL and size * 2 > last):
            return here
        last = size
    return Undefined(NO_CONVERGENCE)


def _resumed(start: Steeper, cells: LogitCells) -> _Position:
    """The position of the same line over other cells, which have another centre."""
    (a, b), centre = start.at, start.centre
    return _position(cells, Fit(a + (b - 1.0) * (cells.centre - centre), b))


def _move(here: _Position) -> tuple[float, _Position] | None:
    """Newton's step, halved until it is safe: the size of the whole step, and the new position."""
    (a, b), step = here.at, _newton(here)
    pairs = zip(step, here.at, strict=True)
    size = max(abs(one) / max(1.0, abs(all_)) for one, all_ in pairs)
    for _ in range(HALVINGS):
        there = _position(here.cells, Fit(a + step.intercept, b + step.slope))
        if all(map(isfinite, there.sums)) and (size <= SMALL or _safe(here, step, there)):
            return size, there
        step = Fit(step.intercept / 2, step.slope / 2)
    return None


def _shift(sums: LogisticSums) -> float:
    """Newton's step of the intercept alone, limited in size."""
    return _cut(_over(-sums.residual, sums.bend), -FARTHEST, FARTHEST)


def _newton(here: _Position) -> Fit:
    """Newton's step: to where both residuals would be 0 if they were linear; limited in size.

    It has two parts, each of which lowers the loss alone: a shift, and a rotation about the centre
    of the curvature. The slope stays within about what the cells allow.
    """
    sums, b, most = here.sums, here.at.slope, 2 * here.cells.steepest
    steeper = _over(sums.mean_x * sums.residual - sums.residual_x, sums.bend_x)
    steeper = _cut(steeper, -most - b, most - b)
    return Fit(_shift(sums) - sums.mean_x * steeper, steeper)


def _over(top: float, bottom: float) -> float:
    """A quotient; infinite where the denominator is too small for float64."""
    return top / bottom if bottom > 0.0 else copysign(float("inf"), top) if top else 0.0


def _cut(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def _safe(here: _Position, step: Fit, there: _Position) -> bool:
    """Whether the loss does not grow, and Newton's step back does not pass the start."""
    sums, (da, db) = there.sums, step
    if sums.loss > here.sums.loss * GROWTH:
        return False
    rise = sums.residual * da + sums.residual_x * db
    middle = da + sums.mean_x * db
    return rise <= sums.bend * middle * middle + sums.bend_x * db * db
