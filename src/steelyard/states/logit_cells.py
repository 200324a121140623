"""Rows with about the same logit together: what fits on the logit scale read, however many rows.

A cell holds the probabilities that agree in exponent and 10 bits behind, or in more where all
logits lie close; above ½ those of 1 − q. Within it a smooth function of the logit is a cubic in z,
the place in the cell from −½ to ½, up to a part of about 2**-48. So the sums of 1, z, z² and z³ say
all that a fit needs: 10 million rows are gone over once, and each step of the fit goes over some
thousand cells. A slope of b makes a cell b times as wide for what is fitted, and the cubic b⁴ times
as rough: a fit that is steeper than `steepest` wants finer cells.

Exactness: sums over rows are exact, of the place itself and of its square and cube cut after 31
binary places; they do not depend on order or on the way that rows came.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, MASK, Columns, Digits
from steelyard.model import Array, Floats
from steelyard.states.sorted_side import SortedSide, blocks

MANTISSA = 52
FEWEST, MOST = 10, 40  # bits that number the cells of one exponent
FINER = 4  # more bits at a time, for a steep fit
WIDTH = 8  # a cell times the slope may be 2**-8: seen errors of a slope are below 1e-13 there
SPREAD = 8.0  # logits that lie closer get finer cells, as a fit may be that much steeper
_NONE = np.zeros(0, np.int64)
ABOVE = 1 << 60  # what the numbers of cells of 1 − q have on top
TINY, LIFT = 2.0**-1022, 60  # smaller numbers have fewer bits, and are lifted by that power of two
LIFTED = ABOVE << 1
LN2 = 0.6931471805599453  # the nearest float64


class LogitCells(NamedTuple):
    """Cells by number.

    logit: x₀ … x₃, where x₀ + x₁z + x₂z² + x₃z³ is the logit at z, less `centre`
    centre: about the mean of all logits, so that those that lie close are told apart
    positives, negatives: the sums of 1, z, z², z³ of the rows of a class, as a part of all weight
    infinite: the weight of rows whose logit is infinite, in the table's unit; they are in no cell
    bits: how many of them number the cells of one exponent
    """

    logit: tuple[Floats, ...]
    centre: float
    positives: tuple[Floats, ...]
    negatives: tuple[Floats, ...]
    infinite: int
    bits: int

    @property
    def steepest(self) -> float:
        """The largest slope that these cells are fine enough for."""
        return 2.0 ** (self.bits - WIDTH)


class _Parts(NamedTuple):
    """Sums over cells of one side, a cell perhaps several times."""

    numbers: list[Array]
    sums: list[tuple[Digits, ...]]
    infinite: list[int]


def cells(sides: tuple[SortedSide, SortedSide], bits: int | None = None) -> LogitCells:
    """The cells that rows are in: as fine as their spread asks for, or as told."""
    total = sides[0].weight + sides[1].weight
    bits = _bits(sides) if bits is None else bits
    place = MANTISSA - bits
    parts = [_read(side, place) for side in sides]
    numbers = np.unique(np.concatenate([n for part in parts for n in part.numbers] or [_NONE]))
    positives, negatives = (_shares(part, numbers, total, place) for part in parts)
    infinite = sum(weight for part in parts for weight in part.infinite)
    # Weights of 1e300 and 1e-300: beside the one, float64 has no share for the other.
    some = positives[0] + negatives[0] > 0.0
    numbers, positives, negatives = numbers[some], _take(positives, some), _take(negatives, some)
    first, *rest = _logits(numbers, place)
    centre = float(kernels.active().exact_sum((positives[0] + negatives[0]) * first))
    return LogitCells((first - centre, *rest), centre, positives, negatives, infinite, bits)


def finer(sides: tuple[SortedSide, SortedSide], than: LogitCells) -> LogitCells | None:
    """Finer cells of the same rows, where there are any."""
    bits = min(than.bits + FINER, MOST)
    return cells(sides, bits) if bits > than.bits else None


def _bits(sides: tuple[SortedSide, SortedSide]) -> int:
    """How many bits number cells: a fit's slope times the width of a cell must stay small."""
    ends = np.array([end for side in sides if len(side) for end in side.ends()])
    ends = ends[(ends > 0.0) & (ends < 1.0)]
    if len(ends) == 0:
        return FEWEST
    logits = kernels.active().log(ends) - kernels.active().log_complement(ends)
    spread = max(float(logits.max() - logits.min()), TINY)
    return min(max(FEWEST + int(np.frexp(SPREAD / spread)[1]), FEWEST), MOST)


def _read(side: SortedSide, place: int) -> _Parts:
    parts = _Parts([], [], [])
    for block in blocks(0, len(side)):
        q, weights = side.cut_probabilities(block), side.weights(block)
        if q.min() == 0.0 or q.max() == 1.0:
            finite = (q > 0.0) & (q < 1.0)
            rows = np.flatnonzero(~finite)
            parts.infinite.append(
                len(rows) if weights is None else kernels.active().total(_take(weights, rows))
            )
            q, weights = q[finite], None if weights is None else _take(weights, finite)
        if len(q):
            _add(parts, q, weights, place)
    return parts


def _take(columns: Columns, rows: Array) -> Columns:
    return tuple(column[rows] for column in columns)


def _add(parts: _Parts, q: Floats, weights: Digits | None, place: int) -> None:
    """The sums of a block; sorted rows of a cell lie side by side."""
    bits = q.view(np.int64)
    flags: Array | int = 0
    if q.max() >= 0.5 or q.min() < TINY:
        above, tiny = q >= 0.5, q < TINY
        lifted = np.where(tiny, q * 2.0**LIFT, q)
        bits = np.where(above, 1.0 - q, lifted).view(np.int64)  # exact: q is from ½ to 1 there
        flags = np.where(above, ABOVE, 0) | np.where(tiny, LIFTED, 0)
    numbers = (bits >> place) | flags
    starts = np.flatnonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))
    rest = bits & ((1 << place) - 1)
    t = rest * 2.0**-place
    square = t * t
    columns = (rest, _cut(square), _cut(square * t))
    ends = np.append(starts, len(q))
    kernel = kernels.active()
    if weights is None:
        # At most 2**16 rows of 42 bits: int64 holds the sums.
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


def _shares(part: _Parts, numbers: Array, total: int, place: int) -> tuple[Floats, ...]:
    """The sums of 1, z, z², z³ of each cell, as a part of all weight."""
    if not part.numbers:
        return tuple(np.zeros(len(numbers)) for _ in range(4))
    cell = np.searchsorted(numbers, np.concatenate(part.numbers))
    shares = []
    # Binary places of 1, t, t² and t³, where t = z + ½.
    for k, places in enumerate((0, place, DIGIT, DIGIT)):
        whole = np.zeros(len(numbers), object)
        here = [kernels.active().integers(sums[k]).astype(object) for sums in part.sums]
        np.add.at(whole, cell, np.concatenate(here))
        shares.append((whole / (total << places)).astype(np.float64))  # each rounded once
    one, t, square, cube = shares
    return one, t - one / 2, square - t + one / 4, cube - 1.5 * square + 0.75 * t - one / 8


def _logits(numbers: Array, place: int) -> tuple[Floats, ...]:
    """ln(p/(1−p)) as a cubic in z, where p = c + z·h is q or 1 − q."""
    kernel = kernels.active()
    sign = np.where(numbers & ABOVE, -1.0, 1.0)
    low = (numbers & (ABOVE - 1)) << place
    c = (low + (1 << place - 1)).view(np.float64)
    h = (low + (1 << place)).view(np.float64) - low.view(np.float64)
    r, s = h / c, h / (1.0 - c)
    lift = np.where(numbers & LIFTED, LIFT * LN2, 0.0)
    x = (
        kernel.log(c) - kernel.log_complement(c) - lift,
        r + s,
        (s * s - r * r) / 2,
        (r * r * r + s * s * s) / 3,
    )
    return tuple(sign * column for column in x)
