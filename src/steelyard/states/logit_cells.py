"""Rows with about the same logit together: what fits on the logit scale read, however many rows.

A cell holds the probabilities that agree in exponent and 10 bits behind; above ½ those of 1 − q.
Within it a smooth function of the logit is a cubic in z, the place in the cell from −½ to ½, up to
a part of about 2**-48. So the sums of 1, z, z² and z³ say all that a fit needs: 10 million rows are
gone over once, and each step of the fit goes over some thousand cells.

Exactness: sums over rows are exact, of the place itself and of its square and cube cut after 31
binary places; they do not depend on order or on the way that rows came.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, MASK, Digits
from steelyard.model import Array, Floats
from steelyard.states.sorted_side import SortedSide, blocks

MANTISSA, BIAS = 52, 1023
CELL_BITS = 10
PLACE = MANTISSA - CELL_BITS  # bits of the place in a cell
ABOVE = 1 << 24  # what the numbers of cells of 1 − q have on top
TINY = 2.0**-1022  # smaller numbers have fewer bits
PLACES = (0, PLACE, DIGIT, DIGIT)  # binary places of 1, t, t², t³, where t = z + ½


class LogitCells(NamedTuple):
    """Cells by number.

    logit: x₀ … x₃, where x₀ + x₁z + x₂z² + x₃z³ is the logit at z, less `centre`
    centre: about the mean of all logits, so that those that lie close are told apart
    positives, negatives: the sums of 1, z, z², z³ of the rows of a class, as a part of all weight
    infinite: the weight of rows whose logit is infinite, in the table's unit; they are in no cell
    """

    logit: tuple[Floats, ...]
    centre: float
    positives: tuple[Floats, ...]
    negatives: tuple[Floats, ...]
    infinite: int


class _Parts(NamedTuple):
    """Sums over cells of one side, a cell perhaps several times."""

    numbers: list[Array]
    sums: list[tuple[Digits, ...]]
    infinite: list[int]


def cells(sides: tuple[SortedSide, SortedSide]) -> LogitCells:
    """The cells that rows are in."""
    total = sides[0].weight + sides[1].weight
    parts = [_read(side) for side in sides]
    numbers = np.unique(np.concatenate([n for part in parts for n in part.numbers] or [_NONE]))
    positives, negatives = (_shares(part, numbers, total) for part in parts)
    infinite = sum(weight for part in parts for weight in part.infinite)
    first, *rest = _logits(numbers)
    centre = float(kernels.active().exact_sum((positives[0] + negatives[0]) * first))
    return LogitCells((first - centre, *rest), centre, positives, negatives, infinite)


_NONE = np.zeros(0, np.int64)


def _read(side: SortedSide) -> _Parts:
    parts = _Parts([], [], [])
    for block in blocks(0, len(side)):
        q, weights = side.cut_probabilities(block), side.weights(block)
        finite = (q >= TINY) & (q < 1.0)
        if not finite.all():
            rows = np.flatnonzero(~finite)
            parts.infinite.append(
                len(rows) if weights is None else kernels.active().total(_take(weights, rows))
            )
            q, weights = q[finite], None if weights is None else _take(weights, finite)
        if len(q):
            _add(parts, q, weights)
    return parts


def _take(digits: Digits, rows: Array) -> Digits:
    return tuple(digit[rows] for digit in digits)


def _add(parts: _Parts, q: Floats, weights: Digits | None) -> None:
    """The sums of a block; sorted rows of a cell lie side by side."""
    bits, above = q.view(np.int64), q >= 0.5
    numbers = bits >> PLACE
    if above.any():
        bits = np.where(above, 1.0 - q, q).view(np.int64)  # exact: q is from ½ to 1 there
        numbers = (bits >> PLACE) | np.where(above, ABOVE, 0)
    starts = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
    place = bits & ((1 << PLACE) - 1)
    t = place * 2.0**-PLACE
    square = t * t
    columns = (place, _cut(square), _cut(square * t))
    ends = np.append(starts, len(q))
    kernel = kernels.active()
    if weights is None:
        # At most 2**16 rows of 40 bits: int64 holds the sums.
        sums = (np.diff(ends), *(np.add.reduceat(column, starts) for column in columns))
        parts.sums.append(tuple(_digits(column) for column in sums))
    else:
        dots = (kernel.dot_groups(weights, _digits(column), ends) for column in columns)
        parts.sums.append((kernel.sum_groups(weights, ends), *dots))
    parts.numbers.append(numbers[starts])


def _cut(numbers: Floats) -> Array:
    """Numbers below 1 after 31 binary places, as whole multiples of the last."""
    return (numbers * 2.0**DIGIT).astype(np.int64)


def _digits(column: Array) -> Digits:
    return column & MASK, column >> DIGIT


def _shares(part: _Parts, numbers: Array, total: int) -> tuple[Floats, ...]:
    """The sums of 1, z, z², z³ of each cell, as a part of all weight."""
    if not part.numbers:
        return tuple(np.zeros(len(numbers)) for _ in PLACES)
    cell = np.searchsorted(numbers, np.concatenate(part.numbers))
    shares = []
    for k, places in enumerate(PLACES):
        whole = np.zeros(len(numbers), object)
        here = [kernels.active().integers(sums[k]).astype(object) for sums in part.sums]
        np.add.at(whole, cell, np.concatenate(here))
        shares.append((whole / (total << places)).astype(np.float64))  # each rounded once
    one, t, square, cube = shares
    return one, t - one / 2, square - t + one / 4, cube - 1.5 * square + 0.75 * t - one / 8


def _logits(numbers: Array) -> tuple[Floats, ...]:
    """ln(p/(1−p)) as a cubic in z, where p = c + z·h is q or 1 − q."""
    kernel = kernels.active()
    sign = np.where(numbers & ABOVE, -1.0, 1.0)
    low = (numbers & (ABOVE - 1)) << PLACE
    c = (low + (1 << PLACE - 1)).view(np.float64)
    h = (low + (1 << PLACE)).view(np.float64) - low.view(np.float64)
    r, s = h / c, h / (1.0 - c)
    x = (
        kernel.log(c) - kernel.log_complement(c),
        r + s,
        (s * s - r * r) / 2,
        (r * r * r + s * s * s) / 3,
    )
    return tuple(sign * column for column in x)
