"""Bins of equal mass of all slices: their rows in two sorted runs, by exact cumulative weights.

The middle of a tied block decides, so that a block is never split, and copies of all rows change
nothing. Only ranges of the grid in which a bin may end are read row by row.
"""

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, Array, KeyedRun, LevelBins
from steelyard.kernels.numpy.levels.grid import BlockEnds, grid, merged
from steelyard.kernels.numpy.levels.weights import SliceWeights
from steelyard.kernels.numpy.sorting import starts_of
from steelyard.kernels.ragged import running_sums, steps

LARGEST = 1 << 62  # larger products are not computed in int64
SURE = 2.0**-40  # of a bin's number: more than the rounding error of a sum of 70 digits
Rows = tuple[Array, Array]  # the first row of a tied block, and the first row after it


def level_bins(
    positives: KeyedRun, negatives: KeyedRun, totals: Array, below: Array, bins: int
) -> LevelBins:
    """The bins of equal mass of each slice."""
    sides = positives, negatives
    points = grid(*sides)
    weights = _Weights(sides, totals, below, bins)
    at = weights.bins(points.slices, *((column, column) for column in points[1:]))
    same = at[1:] == at[:-1]
    keys, counts = [], []
    for place in range(len(sides)):
        sizes = steps(points[1 + place])
        whole = np.flatnonzero(same & (sizes > 0))
        ranges = np.flatnonzero(~same & (sizes > 0))
        own, rows = _rows_by_key(weights, points, place, ranges)
        keys.append(np.concatenate([points.slices[whole] * bins + at[whole], own]))
        counts.append(np.concatenate([sizes[whole], rows]))
    found = np.sort(np.concatenate(keys))
    found = found[starts_of(found)]
    bounds = (
        running_sums(np.bincount(found.searchsorted(own), rows, len(found)).astype(np.int64))
        for own, rows in zip(keys, counts, strict=True)
    )
    return LevelBins(found.searchsorted(np.arange(len(totals) + 1) * bins), found % bins, *bounds)


def _rows_by_key(
    weights: "_Weights", points: BlockEnds, place: int, ranges: Array
) -> tuple[Array, Array]:
    """The bins of a class in some ranges, slice · B + number, and how many rows are in each."""
    sides = weights.sides
    # The class comes first here: it has the blocks, which are located among the rows of the other.
    mine, other, ends = sides[place], sides[1 - place], points
    if place:
        ends = BlockEnds(points.slices, points.negatives, points.positives)
    keys, counts = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for found in merged(mine, other, ends, ranges):
        both = found.positives, found.negatives
        number = weights.bins(found.slices, *(both[::-1] if place else both))
        key = found.slices * weights.count + number
        first = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        start, end = found.positives
        keys.append(key[first])
        counts.append(np.add.reduceat(end - start, first))
    return np.concatenate(keys), np.concatenate(counts)


class _Weights:
    """Cumulative weights, which decide about bins; count: how many bins each slice has."""

    def __init__(
        self, sides: tuple[KeyedRun, KeyedRun], totals: Array, below: Array, count: int
    ) -> None:
        self.sides, self.count = sides, count
        self._weights = [SliceWeights(side) for side in sides]
        self._is_narrow = 2 * max(totals.tolist(), default=0) * count < LARGEST
        whole = np.int64 if self._is_narrow else object
        # Slices without rows have points of the grid too.
        self._totals = np.maximum(totals, 1).astype(whole)
        self._doubled_below = 2 * below.astype(whole)

    def bins(self, slices: Array, positives: Rows, negatives: Rows) -> Array:
        """The bin of each block: ⌊B·(weight before the block + weight up to its end)/2W⌋."""
        doubled = self._doubled(slices, (positives, negatives))
        if not self._is_narrow:
            return self._wide_bins(slices, doubled)
        whole: Array = doubled[0] + self._doubled_below.take(slices)
        for place, digit in enumerate(doubled[1:], start=1):
            whole += digit << (DIGIT * place)
        whole *= self.count
        whole //= 2 * self._totals.take(slices)
        return whole

    def _wide_bins(self, slices: Array, doubled: list[Array]) -> Array:
        """The same in float64, and in Python's integers where that is too close to an edge."""
        bits, scale, share = (column[slices] for column in self._float_scale)
        for place, digit in enumerate(doubled):
            share += np.ldexp(digit.astype(np.float64), DIGIT * place - bits)
        at = share * scale
        found = at.astype(np.int64)
        for i in np.flatnonzero(np.abs(at - np.rint(at)) <= SURE * at).tolist():
            whole = sum(int(digit[i]) << (DIGIT * place) for place, digit in enumerate(doubled))
            whole += self._doubled_below[slices[i]]
            found[i] = whole * self.count // (2 * self._totals[slices[i]])
        return found

    @cached_property
    def _float_scale(self) -> tuple[Array, Array, Array]:
        """For each slice the bits of W, B·2**bits/2W, and twice the weight below over 2**bits."""
        each = [
            (total.bit_length(), total, below)
            for total, below in zip(
                self._totals.tolist(), self._doubled_below.tolist(), strict=True
            )
        ]
        return (
            np.array([bits for bits, _, _ in each]),
            np.array([(self.count << bits) / (2 * total) for bits, total, _ in each]),
            np.array([below / (1 << bits) for bits, _, below in each]),
        )

    def _doubled(self, slices: Array, rows: tuple[Rows, Rows]) -> list[Array]:
        """Twice the weight before a block's middle, of the rows here: digits, not carried."""
        doubled: list[Array] = []
        for weights, ends in zip(self._weights, rows, strict=True):
            for digits in (weights.digits(slices, end) for end in ends):
                doubled += [np.zeros(len(slices), np.int64)] * (len(digits) - len(doubled))
                doubled[: len(digits)] = map(np.add, doubled, digits)
        return doubled
