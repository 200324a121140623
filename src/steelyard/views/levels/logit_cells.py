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

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, MASK, Columns, Digits
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Array, Floats, Reading
from steelyard.reading.batch import clipped, probabilities
from steelyard.views.levels.sorted_side import SortedSide
from steelyard.views.totals import SliceTotals

MANTISSA = 52
FEWEST, MOST = 10, 40  # bits that number the cells of one exponent
FINER = 4  # more bits at a time, for a steep fit
WIDTH = 8  # cell width times slope is at most 2**-8: the error of a slope is below 1e-13 there
SPREAD = 8.0  # logits with a smaller range get finer cells, as a fit may be steeper
NO_CELLS = np.zeros(0, np.int64)
ABOVE = 1 << 60  # a flag in the numbers of cells of 1 − q
TINY, LIFT = 2.0**-1022, 60  # smaller numbers have fewer bits, and are multiplied by 2**LIFT
LIFTED = ABOVE << 1  # a flag in the numbers of their cells
LN2 = 0.6931471805599453  # the nearest float64


class LogitCells(NamedTuple):
    """Cells by number.

    logit: x₀ … x₃, where x₀ + x₁z + x₂z² + x₃z³ is the logit at z, minus `centre`
    centre: about the mean of all logits, so that close logits keep their differences in float64
    positives, negatives: the sums of 1, z, z², z³ of the rows of a class, as shares of all weight
    whole: the exact weights
    infinite: the weight of rows whose logit is infinite, in the table's unit; they are in no cell
    bits: how many bits number the cells of one exponent
    """

    logit: tuple[Floats, ...]
    centre: float
    positives: tuple[Floats, ...]
    negatives: tuple[Floats, ...]
    whole: "WholeWeights"
    infinite: int
    bits: int

    @property
    def steepest(self) -> float:
        """The largest slope that these cells are fine enough for."""
        return 2.0 ** (self.bits - WIDTH)


class WholeWeights(NamedTuple):
    """Exact weights of cells, in the table's unit.

    below: by rising logit, the weight of the first cells: of none, of one, and so on
    """

    below: list[int]
    positives: int
    negatives: int
    total: int

    def misplaced(self, above: int, *, rising: bool) -> float:
        """The weight of negatives above a place minus that of positives below, as a share.

        above: how many cells are above, the last ones by rising logit, or if not rising the first
        """
        if rising:
            return (self.negatives - self.below[len(self.below) - 1 - above]) / self.total
        return (self.below[above] - self.positives) / self.total


class SideCells(NamedTuple):
    """Exact sums over the cells of one class.

    numbers: of the cells that have rows, rising
    sums: of 1, t, t² and t³ of each cell, t = z + ½ from 0 to 1: whole multiples of a power of two
    infinite: the weight of rows whose logit is infinite; they are in no cell
    low, high: the lowest and the highest probability; NaN where there are no rows
    """

    numbers: Array
    sums: tuple[Array, ...]
    infinite: int
    low: float
    high: float


class CellSums(NamedTuple):
    """Exact sums over the cells of both classes; bits: how many number the cells of an exponent."""

    positives: SideCells
    negatives: SideCells
    bits: int


class _BlockSums(NamedTuple):
    """Sums over cells of one side, of each block of rows: a cell may occur several times."""

    numbers: list[Array]
    sums: list[tuple[Digits, ...]]
    infinite: list[int]


def cell_sums(
    sides: tuple[SortedSide, SortedSide], totals: SliceTotals, reading: Reading, bits: int | None
) -> CellSums:
    """The cells of rows; bits: how fine, None: by the range of the slice's logits."""
    bits = _bits(totals, reading) if bits is None else bits
    up, down = (_side_cells(side, MANTISSA - bits) for side in sides)
    return CellSums(up, down, bits)


def join(lower: CellSums, upper: CellSums) -> CellSums:
    """The cells of both ranges, which have the same number of bits."""
    return CellSums(
        _join(lower.positives, upper.positives), _join(lower.negatives, upper.negatives), lower.bits
    )


def _join(lower: SideCells, upper: SideCells) -> SideCells:
    return _added(
        np.concatenate([lower.numbers, upper.numbers]),
        [np.concatenate(both) for both in zip(lower.sums, upper.sums, strict=True)],
        lower.infinite + upper.infinite,
        float(np.fmin(lower.low, upper.low)),
        float(np.fmax(lower.high, upper.high)),
    )


def _side_cells(side: SortedSide, place: int) -> SideCells:
    parts = _read(side, place)
    whole = [
        np.concatenate(
            [
                np.zeros(0, object),
                *(kernels.active().integers(s[k]).astype(object) for s in parts.sums),
            ]
        )
        for k in range(4)
    ]
    low, high = side.ends() if len(side) else (np.nan, np.nan)
    return _added(np.concatenate([NO_CELLS, *parts.numbers]), whole, sum(parts.infinite), low, high)


def _added(
    numbers: Array, sums: Sequence[Array], infinite: int, low: float, high: float
) -> SideCells:
    """Sums by cell, of cells that may occur several times."""
    cells, place = np.unique(numbers, return_inverse=True)
    added = []
    for column in sums:
        whole = np.zeros(len(cells), object)
        np.add.at(whole, place, column)
        added.append(whole)
    return SideCells(cells, tuple(added), infinite, low, high)


def cells(found: CellSums, total: int) -> LogitCells:
    """The cells of both classes, with sums as shares of all weight."""
    place = MANTISSA - found.bits
    sides = (found.positives, found.negatives)
    numbers = np.unique(np.concatenate([side.numbers for side in sides]))
    positives, negatives = (_shares(side, numbers, total, place) for side in sides)
    infinite = sum(side.infinite for side in sides)
    # A weight of 1e-300 has a share of 0 where another weight is 1e300.
    some = positives[0] + negatives[0] > 0.0
    numbers, positives, negatives = numbers[some], _take(positives, some), _take(negatives, some)
    first, *rest = _logits(numbers, place)
    centre = float(kernels.active().exact_sum((positives[0] + negatives[0]) * first))
    whole = _whole_weights(sides, numbers, np.argsort(first, kind="stable"), total)
    logit = (first - centre, *rest)
    return LogitCells(logit, centre, positives, negatives, whole, infinite, found.bits)


def _whole_weights(
    sides: tuple[SideCells, SideCells], numbers: Array, order: Array, total: int
) -> WholeWeights:
    """The exact weights of some cells; order: that of their logits."""
    weights = np.zeros((2, len(numbers)), object)
    for mine, side in zip(weights, sides, strict=True):
        kept = np.isin(side.numbers, numbers)
        mine[np.searchsorted(numbers, side.numbers[kept])] = side.sums[0][kept]
    below = [0, *accumulate(weights.sum(axis=0)[order].tolist())]
    positives, negatives = (sum(mine.tolist()) for mine in weights)
    return WholeWeights(below, positives, negatives, total)


def finer(bits: int) -> int | None:
    """The bits of finer cells; None where cells are the finest already."""
    more = min(bits + FINER, MOST)
    return more if more > bits else None


def _bits(totals: SliceTotals, reading: Reading) -> int:
    """How many bits number cells: the slope of a fit times the width of a cell must stay small.

    Where the logit at an end is infinite, there is no fit, and any number will do.
    """
    scores = np.array([totals.lowest, totals.highest]).astype(reading.score_type)
    ends = clipped(probabilities(scores, reading), reading)
    ends = ends[(ends > 0.0) & (ends < 1.0)]
    if len(ends) == 0:
        return FEWEST
    logits = kernels.active().log(ends) - kernels.active().log_complement(ends)
    spread = max(float(logits.max() - logits.min()), TINY)
    return min(max(FEWEST + int(np.frexp(SPREAD / spread)[1]), FEWEST), MOST)


def _read(side: SortedSide, place: int) -> _BlockSums:
    """The sums of all rows, block by block; place: how many low bits are the position in a cell."""
    parts = _BlockSums([], [], [])
    for block in blocks(len(side)):
        q, weights = side.clipped_probabilities(block), side.weights(block)
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
    """Some rows of each column."""
    return tuple(column[rows] for column in columns)


def _add(parts: _BlockSums, q: Floats, weights: Digits | None, place: int) -> None:
    """Append the sums of a block; as rows are sorted, those of a cell are adjacent."""
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
        # int64 holds the sums of at most 2**16 rows of 42 bits.
        sums = (np.diff(ends), *(np.add.reduceat(column, starts) for column in columns))
        parts.sums.append(tuple(_digits(column) for column in sums))
    else:
        dots = (kernel.dot_groups(weights, _digits(column), ends) for column in columns)
        parts.sums.append((kernel.sum_groups(weights, ends), *dots))
    parts.numbers.append(numbers[starts])


def _cut(numbers: Floats) -> Array:
    """Numbers below 1 truncated after 31 binary places, as whole multiples of 2**-31."""
    return (numbers * 2.0**DIGIT).astype(np.int64)


def _digits(column: Array) -> Digits:
    """Whole numbers below 2**62 as digits."""
    return column & MASK, column >> DIGIT


def _shares(side: SideCells, numbers: Array, total: int, place: int) -> tuple[Floats, ...]:
    """The sums of 1, z, z², z³ of each cell, as shares of all weight."""
    cell = np.searchsorted(numbers, side.numbers)
    shares = []
    # Binary places of 1, t, t² and t³.
    for column, places in zip(side.sums, (0, place, DIGIT, DIGIT), strict=True):
        share = np.zeros(len(numbers))
        share[cell] = (column / (total << places)).astype(np.float64)  # each rounded once
        shares.append(share)
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
