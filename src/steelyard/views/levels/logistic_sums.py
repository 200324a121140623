"""Sums over all rows of the logistic model σ(a + b·x), x the logit of the prediction.

Each step of a fit of a and b needs them, for all slices at once. Each cell adds a cubic, rounded
to float64. Sums over the cells of a slice are exact and rounded once.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.ragged import steps
from steelyard.kernels.segments import sums_between
from steelyard.model import Array, Floats, Mask
from steelyard.states import exact_sums
from steelyard.views.levels.logit_cells import CellShares, LogitCells, Moments

Cubic = tuple[Floats, ...]  # the coefficients of 1, z, z², z³


class ShiftSums(NamedTuple):
    """What the best intercept needs: `residual` and `bend` of `LogisticSums`."""

    residual: Floats
    bend: Floats


class LogisticSums(NamedTuple):
    """Sums over the rows of each slice, as shares of their weight; x is relative to the centre.

    residual, residual_x: Σ w(σ − y) and Σ w(σ − y)x, which are 0 at the best fit
    bend, mean_x, bend_x: Σ wσ(1−σ), the mean of x with these weights, and Σ wσ(1−σ)(x − mean_x)²
    loss: Σ w·(−ln of the probability of the label)
    The last four are of lower order in z, as they need not be as accurate.
    """

    residual: Floats
    residual_x: Floats
    bend: Floats
    mean_x: Floats
    bend_x: Floats
    loss: Floats

    @property
    def is_finite(self) -> Mask:
        return np.asarray(np.isfinite(np.array(self)).all(axis=0))


class _Model:
    """The model at one pair of parameters for each slice."""

    def __init__(self, found: LogitCells, a: Floats, b: Floats) -> None:
        self._found, self._rises = found, b >= 0.0
        self.cells: CellShares = found.cells.columns
        self.slices: Array = found.cells.slices
        self.b = b[self.slices]
        x = self.cells.logit
        self.at = a[self.slices] + self.b * x.one
        small = kernels.active().exp(-np.abs(self.at))
        upper, self.lower = 1.0 / (1.0 + small), small / (1.0 + small)
        self.above = self.at > 0
        self.sigma = np.where(self.above, upper, self.lower)
        self.rest = np.where(self.above, self.lower, upper)
        self.slope, self.turn = self.sigma * self.rest, self.rest - self.sigma
        self.rise = _rise(self.slope, self.turn, self.b, x)
        plus, minus = self.cells[1:]
        self.both = Moments(*(up + down for up, down in zip(plus, minus, strict=True)))
        self.bends = self.slope * (self.both.one + self.turn * (self.b * x.first) * self.both.first)

    def residuals(self) -> Floats:
        """What each cell adds to Σ w(σ − y), but for what is misplaced."""
        # σ is 0 or 1 but for a tail, which is all that is left where misplaced weights cancel.
        return _dot((np.where(self.above, -self.rest, self.sigma), *self.rise), self.both)

    def totals(self, columns: Sequence[Floats]) -> list[Floats]:
        """The exact sum of each column over the cells of each slice, rounded once.

        The first has the residuals: the weight that is misplaced is added to them.
        """
        starts = self._found.cells.starts
        count, cells = len(starts) - 1, int(starts[-1])
        above = np.append(0, np.cumsum(self.above))[starts]
        misplaced = self._found.weights.misplaced(steps(above), self._rises)
        bounds = [starts[:-1] + cells * place for place in range(len(columns))]
        bounds.append(np.arange(count + 1) + cells * len(columns))
        values = np.concatenate([*columns, misplaced])
        sums = sums_between(values, np.concatenate(bounds))
        for digit in sums.values():
            digit[:count] += digit[-count:]
        found = exact_sums.floats(sums, np.arange(count * len(columns)))
        return list(found.reshape(len(columns), count))

    def total(self, column: Floats) -> Floats:
        """The exact sum over the cells of each slice, rounded once."""
        starts = self._found.cells.starts
        sums = sums_between(column, starts)
        return exact_sums.floats(sums, np.arange(len(starts) - 1))


def shift_sums(cells: LogitCells, a: Floats, b: Floats) -> ShiftSums:
    """The sums that move an intercept, at one pair of parameters for each slice."""
    model = _Model(cells, a, b)
    return ShiftSums(*model.totals([model.residuals(), model.bends]))


def logistic_sums(cells: LogitCells, a: Floats, b: Floats) -> LogisticSums:
    """All sums at one pair of parameters for each slice."""
    model = _Model(cells, a, b)
    x, plus, minus = model.cells
    bends, both = model.bends, model.both
    # −rest is σ − 1 without the rounding error of a difference.
    wrong = ((model.sigma, *model.rise), (-model.rest, *model.rise))
    residuals_x = _dot(_times(wrong[0], x), minus) + _dot(_times(wrong[1], x), plus)
    place = both.first / both.one
    middle = x.one + x.first * place
    spread = x.first * x.first * (both.square / both.one - place * place)
    # ln(1 + small), also accurate where small is tiny.
    over = -kernels.active().log_complement(model.lower)
    loss = minus.one * (over + np.maximum(model.at, 0.0))
    loss = loss + plus.one * (over + np.maximum(-model.at, 0.0))
    loss += (minus.first * model.sigma - plus.first * model.rest) * (model.b * x.first)
    residual, residual_x, bend, mean_x, total_loss = model.totals(
        [model.residuals(), residuals_x, bends, bends * middle, loss]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_x = np.where(bend != 0.0, mean_x / bend, 0.0)
    off = middle - mean_x[model.slices]
    bend_x = model.total(bends * (off * off + spread))
    return LogisticSums(residual, residual_x, bend, mean_x, bend_x, total_loss)


def _rise(first: Floats, turn: Floats, b: Floats, x: Cubic) -> Cubic:
    """The coefficients of z, z² and z³ in σ: first = σ(1−σ), turn = 1 − 2σ."""
    second, third = first * turn, first * (1.0 - 6.0 * first)
    x1, x2, x3 = b * x[1], b * x[2], b * x[3]
    return (
        first * x1,
        first * x2 + second * (x1 * x1) / 2.0,
        first * x3 + second * (x1 * x2) + third * (x1 * x1 * x1) / 6.0,
    )


def _times(left: Cubic, right: Cubic) -> Cubic:
    """The product of two cubics, up to z³."""
    return tuple(_dot(left[: k + 1], right[k::-1]) for k in range(4))


def _dot(left: Cubic, right: Cubic) -> Floats:
    """The sum of products, added from the last to the first, which is the largest."""
    total: Floats = left[-1] * right[-1]
    for a, b in zip(left[-2::-1], right[-2::-1], strict=True):
        total = total + a * b
    return total
