"""Sums over all rows of the logistic model σ(a + b·x), x the logit of the prediction.

Each step of a fit of a and b needs them. Each cell adds a cubic, rounded to float64. Sums over
cells are exact and rounded once.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.model import Floats
from steelyard.views.levels.logit_cells import LogitCells

Cubic = tuple[Floats, ...]  # the coefficients of 1, z, z², z³


class LogisticSums(NamedTuple):
    """Sums over all rows, as shares of their weight; x is relative to the cells' centre.

    residual, residual_x: Σ w(σ − y) and Σ w(σ − y)x, which are 0 at the best fit
    bend, mean_x, bend_x: Σ wσ(1−σ), the mean of x with these weights, and Σ wσ(1−σ)(x − mean_x)²
    loss: Σ w·(−ln of the probability of the label)
    The last four are of lower order in z, as they need not be as accurate.
    """

    residual: float
    residual_x: float
    bend: float
    mean_x: float
    bend_x: float
    loss: float


def logistic_sums(cells: LogitCells, a: float, b: float) -> LogisticSums:
    """The sums at one pair of parameters."""
    x, plus, minus = cells.logit, cells.positives, cells.negatives
    at = a + b * x[0]
    small = kernels.active().exp(-np.abs(at))
    upper, lower = 1.0 / (1.0 + small), small / (1.0 + small)
    sigma, rest = np.where(at > 0, upper, lower), np.where(at > 0, lower, upper)
    slope, turn = sigma * rest, rest - sigma
    rise = _rise(slope, turn, b, x)
    # −rest is σ − 1 without the rounding error of a difference.
    wrong = ((sigma, *rise), (-rest, *rise))
    # σ is 0 or 1 but for a tail, which is all that is left where misplaced weights cancel.
    tail = (np.where(at > 0, -rest, sigma), *rise)
    both = tuple(up + down for up, down in zip(plus, minus, strict=True))
    misplaced = cells.whole.misplaced(int(np.count_nonzero(at > 0)), rising=b >= 0.0)
    weight, first = plus[0] + minus[0], plus[1] + minus[1]
    bends = slope * (weight + turn * (b * x[1]) * first)
    place = first / weight
    middle = x[0] + x[1] * place
    spread = x[1] * x[1] * ((plus[2] + minus[2]) / weight - place * place)
    bend = _total(bends)
    mean = _total(bends * middle) / bend if bend else 0.0
    off = middle - mean
    # ln(1 + small), also accurate where small is tiny.
    over = -kernels.active().log_complement(lower)
    loss = minus[0] * (over + np.maximum(at, 0.0)) + plus[0] * (over + np.maximum(-at, 0.0))
    loss += (minus[1] * sigma - plus[1] * rest) * (b * x[1])
    return LogisticSums(
        _total(np.append(_dot(tail, both), misplaced)),
        _total(_dot(_times(wrong[0], x), minus) + _dot(_times(wrong[1], x), plus)),
        bend,
        mean,
        _total(bends * (off * off + spread)),
        _total(loss),
    )


def _rise(first: Floats, turn: Floats, b: float, x: Cubic) -> Cubic:
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


def _total(amounts: Floats) -> float:
    """The exact sum, rounded once."""
    return float(kernels.active().exact_sum(amounts))
