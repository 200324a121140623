"""The lowest and highest cumulative difference Σ w(y − q) at block ends, by rising score.

It rises only at positives, so that it is highest just after one and lowest just before one, or at
one of the ends. It is known nearly, in whole multiples of a small share of the slice's weight,
whose sums are exact in any order. Block ends that may be the highest or lowest are few, and only
their differences are computed exactly.
"""

import numpy as np

from steelyard.kernels.digits import integers, sum_groups
from steelyard.kernels.interface import DIGIT, Array, ExactSums, KeyedRun, LevelWalk
from steelyard.kernels.numpy.coded import add_column
from steelyard.kernels.numpy.levels.grid import BlockEnds, grid, in_order, merged
from steelyard.kernels.numpy.levels.sums import level_sums
from steelyard.kernels.probabilities import probabilities
from steelyard.kernels.ragged import steps
from steelyard.kernels.row_blocks import blocks

BITS = 60  # of a cumulative difference of all slices in int64: each is below 1 in its slice


def level_walk(positives: KeyedRun, negatives: KeyedRun, downsampled: float | None) -> LevelWalk:
    """The cumulative difference of each slice: its end, its lowest and its highest value."""
    sides, points = (positives, negatives), grid(positives, negatives)
    nearly = _Differences(*sides, downsampled)
    low, high = _ends(points, nearly, sides)
    last = np.append(points.slices[1:] != points.slices[:-1], True)
    every = in_order([points.take(last | np.append(True, last[:-1])), low, high])
    sums = _exact(sides, every, downsampled)
    end = every.slices.searchsorted(np.arange(len(positives.starts) - 1), "right") - 1
    chosen = end, _most(every, low, sums, -1), _most(every, high, sums, 1)
    return LevelWalk(*({power: digit[at] for power, digit in sums.items()} for at in chosen))


class _Differences:
    """Cumulative differences in multiples of 2**−bits of each slice's weight.

    slack: of each slice, more than the sum of the errors of two of them
    """

    def __init__(self, positives: KeyedRun, negatives: KeyedRun, downsampled: float | None) -> None:
        sides = positives, negatives
        self._bits = BITS - len(positives.starts).bit_length()
        rows = steps(positives.starts) + steps(negatives.starts)
        # Each row is rounded to half a multiple, after operations with an error of 2**-50 in all.
        self.slack = 2 * rows + (1 << max(self._bits - 48, 0))
        totals = _totals(sides)
        self._sums = [
            _running(side, totals, self._bits, downsampled, rises)
            for side, rises in zip(sides, (True, False), strict=True)
        ]
        self._starts = self._sums[0][positives.starts[:-1]] - self._sums[1][negatives.starts[:-1]]

    def at(self, ends: BlockEnds) -> Array:
        """The differences at block ends."""
        up, down = self._sums
        found: Array = up.take(ends.positives)
        found -= down.take(ends.negatives)
        found -= self._starts.take(ends.slices)
        return found

    def rise(self, points: BlockEnds, sign: int) -> Array:
        """How far each range of a grid rises if all its positives come first, or falls."""
        sums, rows = (self._sums[0], points[1]) if sign > 0 else (self._sums[1], points[2])
        return steps(sums[rows])


def _totals(sides: tuple[KeyedRun, KeyedRun]) -> Array:
    """The weight of each slice, int64 or Python integers."""
    parts = [
        steps(side.starts)
        if side.digits is None
        else integers(sum_groups(side.digits, side.starts)).astype(object)
        for side in sides
    ]
    total: Array = parts[0] + parts[1]
    return total


def _running(
    side: KeyedRun, totals: Array, bits: int, downsampled: float | None, rises: bool
) -> Array:
    """The running sums of w(1 − q), or of w·q, in multiples of 2**−bits of the slice's weight."""
    factors = _factors(totals, bits, len(side.digits or (0,)))
    sums = np.zeros(len(side.scores) + 1, np.int64)
    for rows in blocks(len(side.scores)):
        q = probabilities(side.scores[rows], downsampled)
        first = int(side.starts.searchsorted(rows.start, "right")) - 1
        starts = side.starts[first : int(side.starts.searchsorted(rows.stop))]
        sizes = np.diff(np.maximum(starts, rows.start), append=rows.stop)
        each = [np.repeat(factor[first : first + len(sizes)], sizes) for factor in factors]
        if side.digits is not None:
            each = [digit[rows] * one for digit, one in zip(side.digits, each, strict=True)]
        amounts = sum(each[1:], each[0])
        amounts *= 1.0 - q if rises else q
        sums[rows.start + 1 : rows.stop + 1] = np.rint(amounts, out=amounts)
    return np.cumsum(sums, out=sums)


def _factors(totals: Array, bits: int, places: int) -> list[Array]:
    """For each digit of a weight, what 1 of it is in multiples of 2**−bits of each slice's weight.

    Digits that are too low to count have 0; those above the weight of a slice are 0 there, and
    have any finite number.
    """
    whole = [max(int(total), 1) for total in totals.tolist()]
    sizes = np.array([total.bit_length() for total in whole])
    scale = np.array([(1 << total.bit_length()) / total for total in whole])
    return [
        np.ldexp(scale, bits + np.minimum(DIGIT * place - sizes, DIGIT)) for place in range(places)
    ]


def _ends(
    points: BlockEnds, nearly: _Differences, sides: tuple[KeyedRun, KeyedRun]
) -> tuple[BlockEnds, BlockEnds]:
    """The block ends where the difference may be the lowest, and where it may be the highest."""
    at, rises = nearly.at(points), steps(points.positives) > 0
    ranges = np.zeros(len(at) - 1, bool)
    for sign in (-1, 1):
        best = _highest(points.slices, sign * at) - nearly.slack
        ranges |= rises & (sign * at[:-1] + nearly.rise(points, sign) >= best[points.slices[:-1]])
    parts = [[points], [points]]
    for found in merged(*sides, points, np.flatnonzero(ranges)):
        for place, own in enumerate(parts):
            ends = BlockEnds(found.slices, found.positives[place], found.negatives[place])
            own.append(_near(ends, nearly, 2 * place - 1))
    low, high = (_near(in_order(own), nearly, 2 * place - 1) for place, own in enumerate(parts))
    return low, high


def _near(ends: BlockEnds, nearly: _Differences, sign: int) -> BlockEnds:
    """Those that may be the highest of their slice among them, or with sign −1 the lowest."""
    at = sign * nearly.at(ends)
    first = np.flatnonzero(np.append(True, ends.slices[1:] != ends.slices[:-1]))
    best = np.maximum.reduceat(at, first)
    own = ends.slices[first]
    least = np.repeat(best - nearly.slack[own], np.diff(first, append=len(at)))
    return ends.take(at >= least)


def _highest(slices: Array, values: Array) -> Array:
    """The highest value of each slice; all of them have values, in their order."""
    first = np.flatnonzero(np.append(True, slices[1:] != slices[:-1]))
    found: Array = np.maximum.reduceat(values, first)
    return found


def _exact(
    sides: tuple[KeyedRun, KeyedRun], ends: BlockEnds, downsampled: float | None
) -> ExactSums:
    """The exact difference at each block end, minus that at the start of its slice."""
    moves: ExactSums = {}
    up = sides[0]
    weights = (
        (steps(ends.positives),) if up.digits is None else sum_groups(up.digits, ends.positives)
    )
    for place, digit in enumerate(weights):
        add_column(moves, DIGIT * place, digit.astype(np.int64))
    for side, rows in zip(sides, ends[1:], strict=True):
        for power, digit in level_sums(side, rows, "expected", downsampled).items():
            add_column(moves, power, -digit)
    starts = ends.slices.searchsorted(ends.slices)
    found = {}
    for power, digit in moves.items():
        running = np.append(0, np.cumsum(digit))
        found[power] = running - running[starts]
    return found


def _most(every: BlockEnds, chosen: BlockEnds, sums: ExactSums, sign: int) -> Array:
    """For each slice the place of the highest, or lowest, of the chosen ends among all ends."""
    places = every.keys.searchsorted(chosen.keys)
    starts = chosen.slices.searchsorted(np.arange(int(every.slices[-1]) + 2))
    found = places[starts[:-1]]
    for number in np.flatnonzero(steps(starts) > 1).tolist():
        some = places[starts[number] : starts[number + 1]].tolist()
        power = min(sums)
        whole = [sum(int(d[i]) << (p - power) for p, d in sums.items()) * sign for i in some]
        found[number] = some[whole.index(max(whole))]
    return found
