"""Cells of rows with about the same logit, of all slices: exact moments of the place in a cell.

A cell has the probabilities q with the same exponent and the same first bits after it; from ½ on
those of 1 − q, which is exact there. Numbers below 2**-1022 have fewer bits, and are multiplied by
2**60 first.
"""

import numpy as np

from steelyard.kernels.digits import carry, integers, sum_groups
from steelyard.kernels.interface import DIGIT, MASK, Array, Columns, Digits, KeyedRun, LevelCells
from steelyard.kernels.numpy.exact import dot_groups
from steelyard.kernels.probabilities import clipped, probabilities
from steelyard.kernels.ragged import steps
from steelyard.kernels.row_blocks import blocks

MANTISSA = 52
TINY, LIFT = 2.0**-1022, 60
TOP = 1 << 61  # the code of a cell of 1 − q is subtracted from it
LIFTED = 1 << 60  # is subtracted from the code of a cell of lifted numbers
MOMENTS = 4


def level_cells(
    positives: KeyedRun,
    negatives: KeyedRun,
    bits: Array,
    downsampled: float | None,
    clip: float | None,
) -> LevelCells:
    """The cells of each slice."""
    sides = [_side_cells(side, bits, downsampled, clip) for side in (positives, negatives)]
    slices = np.concatenate([side[0] for side in sides])
    codes = np.concatenate([side[1] for side in sides])
    order = np.lexsort((codes, slices))
    new = _is_new(slices[order], codes[order])
    cell = np.empty(len(order), np.int64)
    cell[order] = np.cumsum(new) - 1
    slices, codes = (column[order[new]] for column in (slices, codes))
    count, moments = len(sides[0][0]), []
    for (_, _, columns, _), own in zip(sides, (cell[:count], cell[count:]), strict=True):
        spread = [np.zeros(len(codes), column.dtype) for column in columns]
        for whole, column in zip(spread, columns, strict=True):
            whole[own] = column
        moments.append(tuple(spread))
    infinite = sides[0][3].astype(object) + sides[1][3]
    starts = slices.searchsorted(np.arange(len(bits) + 1))
    return LevelCells(starts, codes, moments[0], moments[1], infinite)


def _is_new(slices: Array, codes: Array) -> Array:
    """Which entries have another slice or code than the one before."""
    new = np.ones(len(codes), bool)
    np.not_equal(slices[1:], slices[:-1], out=new[1:])
    new[1:] |= codes[1:] != codes[:-1]
    return new


def _side_cells(
    side: KeyedRun, bits: Array, downsampled: float | None, clip: float | None
) -> tuple[Array, Array, list[Array], Array]:
    """The slices, codes and moments of the cells of one class, and its weights of no cell."""
    sizes = steps(side.starts)
    of_slice = np.repeat(np.arange(len(sizes)), sizes)
    places = MANTISSA - bits
    one = bool((places == places[:1]).all())
    keys: list[Columns] = [(np.zeros(0, np.int64),) * 2]
    sums: list[list[Digits]] = [[] for _ in range(MOMENTS)]
    infinite = np.zeros(len(sizes), object)
    for rows in blocks(len(side.scores)):
        q = clipped(probabilities(side.scores[rows], downsampled), clip)
        slices, weights = of_slice[rows], tuple(digit[rows] for digit in side.digits or ())
        if q.min() == 0.0 or q.max() == 1.0:
            finite = (q > 0.0) & (q < 1.0)
            _add_weights(infinite, slices[~finite], _chosen(weights, ~finite))
            q, slices, weights = q[finite], slices[finite], _chosen(weights, finite)
        codes, terms = _positions(q, places[:1] if one else places[slices])
        starts = np.flatnonzero(_is_new(slices, codes))
        keys.append((slices[starts], codes[starts]))
        for moment, column in zip(sums, _moments(terms, weights, starts), strict=True):
            moment.append(column)
    slices, codes = (np.concatenate(columns) for columns in zip(*keys, strict=True))
    # The last cell of a block may go on in the next one.
    order = _order(slices, codes)
    slices, codes = slices[order], codes[order]
    starts = np.flatnonzero(_is_new(slices, codes))
    columns = [integers(_joined(moment, order, starts)) for moment in sums]
    return slices[starts], codes[starts], columns, infinite


def _order(slices: Array, codes: Array) -> Array | slice:
    """The order by slice and code. Of two downsampled scores the higher one may have the
    probability that is lower in its last bit: a cell may have rows before and after another.
    """
    falls = (slices[1:] == slices[:-1]) & (codes[1:] < codes[:-1])
    return np.lexsort((codes, slices)) if falls.any() else slice(None)


def _positions(q: Array, place: Array) -> tuple[Array, Columns]:
    """The code of each row's cell, and t, t² and t³ in whole multiples of a power of two.

    t is the place in the cell from 0 to 1, of as many bits as `place` says.
    """
    above, tiny = q >= 0.5, q < TINY
    bits = np.where(above, 1.0 - q, np.where(tiny, q * 2.0**LIFT, q)).view(np.int64)
    code = bits >> place
    code = np.where(above, TOP - code, np.where(tiny, code - LIFTED, code))
    rest = bits & ((1 << place) - 1)
    t = rest * np.ldexp(1.0, -place)
    square = t * t
    cube = square * t
    for power in (square, cube):  # truncated after 31 binary places
        power *= 2.0**DIGIT
    return code, (rest, square.astype(np.int64), cube.astype(np.int64))


def _moments(terms: Columns, weights: Digits, starts: Array) -> list[Digits]:
    """The exact sums over adjacent rows of the weight, and of the weight times each term."""
    ends = np.append(starts, len(terms[0]))
    if weights:
        dots = (dot_groups(weights, _digits(term), ends) for term in terms)
        return [sum_groups(weights, ends), *dots]
    # int64 holds the sums of at most 2**16 rows of 42 bits.
    sums = (np.add.reduceat(term, starts) if len(starts) else term for term in terms)
    return [_digits(column) for column in (steps(ends), *sums)]


def _digits(column: Array) -> Digits:
    """Whole numbers below 2**62 as digits."""
    return column & MASK, column >> DIGIT


def _joined(parts: list[Digits], order: Array | slice, starts: Array) -> Digits:
    """Digits of several blocks in an order, added up from each start to the next."""
    columns = []
    for place in range(max(map(len, parts), default=1)):
        digits = [
            part[place] if place < len(part) else np.zeros(len(part[0]), np.int64) for part in parts
        ]
        column = np.concatenate([np.zeros(0, np.int64), *digits])[order]
        columns.append(np.add.reduceat(column, starts) if len(starts) else column)
    return carry(columns)


def _chosen(weights: Digits, rows: Array) -> Digits:
    return tuple(digit[rows] for digit in weights)


def _add_weights(totals: Array, slices: Array, weights: Digits) -> None:
    """Add the weights of some rows to those of their slices."""
    for place, digit in enumerate(weights or (np.ones(len(slices), np.int64),)):
        more = np.bincount(slices, digit, len(totals)).astype(np.int64)
        totals += more.astype(object) << (DIGIT * place)
