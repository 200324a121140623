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
    at, last = Fit(cells.centre, 1.0), float("inf")  # the intercept is counted from the centre
    sums = logistic_sums(cells, *at)
    for _ in range(STEPS):
        step = _newton(sums, slope=slope)
        for _ in range(HALVINGS):
            there = Fit(at.intercept + step.intercept, at.slope + step.slope)
            found = logistic_sums(cells, *there)
            if found.loss <= sums.loss * GROWTH:
                break
            step = Fit(step.intercept / 2, step.slope / 2)
        else:
            break
        at, sums = there, found
        size = max(map(abs, step)) / max(1.0, *map(abs, at))
        if size <= TINY or (size <= SMALL and size * 2 > last):
            return Fit(at.intercept - at.slope * cells.centre, at.slope)
        last = size
    return Undefined(ENDLESS)


def _newton(sums: LogisticSums, *, slope: bool) -> Fit:
    """The step to where the residuals would be 0, were they straight lines."""
    if not sums.bend or (slope and not sums.bend_x):
        return Fit(0.0, 0.0)
    if not slope:
        return Fit(-sums.residual / sums.bend, 0.0)
    steeper = (sums.mean_x * sums.residual - sums.residual_x) / sums.bend_x
    return Fit(-sums.residual / sums.bend - sums.mean_x * steeper, steeper)
