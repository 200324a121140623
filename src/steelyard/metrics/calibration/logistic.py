"""The logistic model of labels by logits of predictions: logit P(y = 1) = a + b·logit q.

Newton's steps from a = 0, b = 1 find the best a, and from there, where it is asked for, the best b.
The loss is convex and far out flat: a step is halved while the loss would grow, and while it passes
the lowest point of its line so far that Newton's step back from there would pass its start. The
fit ends with the first step below 2**-40, or with the first below 2**-20 that is not half the one
before: what is left then is rounding.
"""

from math import copysign, isfinite
from typing import NamedTuple

from steelyard.metrics.value import rounded
from steelyard.model import Undefined
from steelyard.states import Levels, LogisticSums, LogitCells, logistic_sums

STEPS, HALVINGS = 200, 60
SMALL, TINY = 2.0**-20, 2.0**-40
GROWTH = 1 + 2.0**-10  # the loss is known to about that
FARTHEST = 2048.0  # more than any two logits differ, and the logarithms of any two sums of weights
INFINITE = (
    "the probability is 0 or 1 in rows of weight {weight:g}, whose logit is infinite: "
    "clip=1e-15 or so cuts it"
)
ENDLESS = "the fit does not settle"
STEEP = "the slope is above {most:g}, where the logits in float64 do not tell it"


class Fit(NamedTuple):
    """An intercept and a slope, or a step from one to another."""

    intercept: float
    slope: float


class _Place(NamedTuple):
    """Where a fit is; its intercept counts from where the line a + b·x passes the cells' centre."""

    cells: LogitCells
    at: Fit
    sums: LogisticSums


def no_logits(levels: Levels) -> Undefined | None:
    """Why there is no fit, where some logits are infinite."""
    if levels.cells.infinite == 0:
        return None
    weight = rounded(levels.cells.infinite * levels.unit)
    return Undefined(INFINITE.format(weight=weight))


def fit_intercept(levels: Levels) -> Fit | Undefined:
    """The best intercept, the slope held at 1."""
    found = _settled(levels, _place(levels.cells, Fit(0.0, 1.0)), slope=False)
    return found if isinstance(found, Undefined) else found.at


def fit_slope(levels: Levels) -> Fit | Undefined:
    """The best intercept and slope."""
    level = fit_intercept(levels)
    if isinstance(level, Undefined):
        return level
    found = _settled(levels, _place(levels.cells, level), slope=True)
    if isinstance(found, Undefined):
        return found
    (intercept, slope), centre = found.at, found.cells.centre
    return Fit(intercept - (slope - 1.0) * centre, slope)


def _place(cells: LogitCells, at: Fit) -> _Place:
    return _Place(cells, at, logistic_sums(cells, cells.centre + at.intercept, at.slope))


def _settled(levels: Levels, here: _Place, *, slope: bool) -> _Place | Undefined:
    """Where steps from here end."""
    last = float("inf")
    for _ in range(STEPS):
        moved = _move(here, slope=slope)
        if moved is None:
            break
        size, here = moved
        if abs(here.at.slope) > here.cells.steepest:
            finer = levels.finer(here.cells)
            if finer is None:
                return Undefined(STEEP.format(most=here.cells.steepest))
            here, last = _again(here, finer), float("inf")
        elif size <= TINY or (size <= SMALL and size * 2 > last):
            return here
        else:
            last = size
    return Undefined(ENDLESS)


def _again(here: _Place, cells: LogitCells) -> _Place:
    """The same line over other cells, which have another centre."""
    (a, b), centre = here.at, here.cells.centre
    return _place(cells, Fit(a + (b - 1.0) * (cells.centre - centre), b))


def _move(here: _Place, *, slope: bool) -> tuple[float, _Place] | None:
    """Newton's step, halved until it is safe: the size of the whole, and where it leads."""
    (a, b), step = here.at, _newton(here, slope=slope)
    pairs = zip(step, here.at, strict=True)
    size = max(abs(one) / max(1.0, abs(all_)) for one, all_ in pairs)
    for _ in range(HALVINGS):
        there = _place(here.cells, Fit(a + step.intercept, b + step.slope))
        if all(map(isfinite, there.sums)) and (size <= SMALL or _safe(here, step, there)):
            return size, there
        step = Fit(step.intercept / 2, step.slope / 2)
    return None


def _newton(here: _Place, *, slope: bool) -> Fit:
    """The step to where both residuals would be 0, were they straight lines; but not too far.

    It has two parts, either of which lowers the loss alone: up or down, and about the centre of
    what bends. The slope stays below what cells are still about right for.
    """
    sums, b, most = here.sums, here.at.slope, 2 * here.cells.steepest
    level = _cut(_over(-sums.residual, sums.bend), -FARTHEST, FARTHEST)
    if not slope:
        return Fit(level, 0.0)
    steeper = _over(sums.mean_x * sums.residual - sums.residual_x, sums.bend_x)
    steeper = _cut(steeper, -most - b, most - b)
    return Fit(level - sums.mean_x * steeper, steeper)


def _over(top: float, bottom: float) -> float:
    """A quotient; infinite where the denominator is too small for float64."""
    return top / bottom if bottom > 0.0 else copysign(float("inf"), top) if top else 0.0


def _cut(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def _safe(here: _Place, step: Fit, there: _Place) -> bool:
    """Whether the loss does not grow, and Newton's step back on this line stays on the way."""
    sums, (da, db) = there.sums, step
    if sums.loss > here.sums.loss * GROWTH:
        return False
    rise = sums.residual * da + sums.residual_x * db
    middle = da + sums.mean_x * db
    return rise <= sums.bend * middle * middle + sums.bend_x * db * db
