"""The logistic model of labels by logits of predictions: logit P(y = 1) = a + b·logit q.

Newton's steps from a = 0, b = 1, halved while the loss would grow. It ends with the first step
below 2**-40, or with the first below 2**-20 that is not half the one before: what is left then is
rounding.
"""

from typing import NamedTuple

from steelyard.metrics.value import rounded
from steelyard.model import Undefined
from steelyard.states import Levels, LogisticSums, LogitCells, logistic_sums

STEPS, HALVINGS = 100, 60
SMALL, TINY = 2.0**-20, 2.0**-40
GROWTH = 1 + 2.0**-10  # the loss is known to about that
INFINITE = (
    "the probability is 0 or 1 in rows of weight {weight:g}, whose logit is infinite: "
    "clip=1e-15 or so cuts it"
)
ENDLESS = "the fit does not settle"


class Fit(NamedTuple):
    """The intercept and the slope that fit best."""

    intercept: float
    slope: float


def no_logits(levels: Levels) -> Undefined | None:
    """Why there is no fit, where some logits are infinite."""
    if levels.cells.infinite == 0:
        return None
    weight = rounded(levels.cells.infinite * levels.unit)
    return Undefined(INFINITE.format(weight=weight))


def fit(cells: LogitCells, *, slope: bool) -> Fit | Undefined:
    """The best intercept; and the best slope, where that is not held at 1."""
    # The intercept is counted from where the line a + b·x passes the centre of all x.
    at, last = Fit(0.0, 1.0), float("inf")
    sums = logistic_sums(cells, cells.centre, 1.0)
    for _ in range(STEPS):
        moved = _move(cells, at, sums, slope=slope)
        if moved is None:
            break
        step, sums = moved
        at = Fit(at.intercept + step.intercept, at.slope + step.slope)
        size = max(map(abs, step)) / max(1.0, *map(abs, at))
        if size <= TINY or (size <= SMALL and size * 2 > last):
            return Fit(at.intercept - (at.slope - 1.0) * cells.centre, at.slope)
        last = size
    return Undefined(ENDLESS)


def _move(
    cells: LogitCells, at: Fit, sums: LogisticSums, *, slope: bool
) -> tuple[Fit, LogisticSums] | None:
    """Newton's step, halved until the loss does not grow; and the sums there."""
    if not sums.bend or (slope and not sums.bend_x):
        return None
    step = _newton(sums) if slope else Fit(-sums.residual / sums.bend, 0.0)
    for _ in range(HALVINGS):
        a = cells.centre + (at.intercept + step.intercept)
        found = logistic_sums(cells, a, at.slope + step.slope)
        if found.loss <= sums.loss * GROWTH:
            return step, found
        step = Fit(step.intercept / 2, step.slope / 2)
    return None


def _newton(sums: LogisticSums) -> Fit:
    """The step to where both residuals would be 0, were they straight lines."""
    steeper = (sums.mean_x * sums.residual - sums.residual_x) / sums.bend_x
    return Fit(-sums.residual / sums.bend - sums.mean_x * steeper, steeper)
