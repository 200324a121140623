"""The entries that a thinned curve is taken from: few of many, and the same for any ranges.

An entry is a distinct positive score. Entries are divided into cells: FP and TP in equal steps, and
the depth TP + FP in steps of equal ratio, since precision changes with the logarithm of the depth.
The first and the last entry of each cell are kept, and the first and last that are corners of the
ROC path; so are the entries of the best F1 and of Youden's index, and those around the break-even
point. Of 800,000 entries about 43,000 are kept for 200 points. Where a cell begins depends on the
totals of the slice alone, so that ranges may be thinned one by one.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steelyard.metrics.curves.operating_point import first_of_largest
from steelyard.metrics.division import ratios
from steelyard.model import Array
from steelyard.views.totals import SliceTotals

# For each point of the curve: equal steps of FP and of TP, and entries that are not worth thinning.
STEPS = 16


class Entries(NamedTuple):
    """Some entries of one slice, by falling score.

    fp, tp, fp_above, tp_above: weights at or above each score, and strictly above it
    next_above: the lowest negative score above it
    number: its place among all entries of the range, or of the slice
    apart: whether negatives are between it and the entry above it
    turns: whether the ROC path has a corner at it
    """

    fp: Array
    tp: Array
    fp_above: Array
    tp_above: Array
    scores: Array
    next_above: Array
    number: Array
    apart: Array
    turns: Array

    def take(self, places: Array) -> "Entries":
        return Entries(*(column[places] for column in self))


def keeps_all(count: int, points: int | None) -> bool:
    return points is None or count <= STEPS * points


def chosen(fp: Array, tp: Array, turns: Array, totals: SliceTotals, points: int | None) -> Array:
    """The places of the entries to keep; columns are by falling score."""
    assert points is not None
    called, last = fp + tp, len(fp) - 1
    cuts = np.concatenate(
        [
            fp.searchsorted(_equal_steps(fp, totals.negatives, STEPS * points)),
            tp.searchsorted(_equal_steps(tp, totals.positives, STEPS * points)),
            called.searchsorted(_equal_ratios(called, (8 * points).bit_length())),
            called.searchsorted(np.array([totals.positives], called.dtype)),
        ]
    )
    corners = np.flatnonzero(turns)
    of_corners = corners.searchsorted(cuts)
    best = [best_f1(fp, tp, totals), youden(fp, tp, totals)]
    return np.unique(
        np.concatenate(
            [
                [0, last, *(place for place in best if place is not None)],
                np.maximum(cuts - 1, 0),
                np.minimum(cuts, last),
                corners[np.maximum(of_corners - 1, 0)],
                corners[np.minimum(of_corners, len(corners) - 1)],
                # The last entry of a range counts as a corner, as its neighbour is not known.
                corners[:1],
                corners[-2:],
            ]
        )
    )


def _equal_steps(column: Array, total: int, steps: int) -> Array:
    """The multiples of total/steps within a rising column, rounded up to whole numbers."""
    low, high = (int(end) * steps // max(total, 1) for end in (column[0], column[-1]))
    return np.array([-(-total * step // steps) for step in range(low + 1, high + 1)], column.dtype)


def _equal_ratios(column: Array, bits: int) -> Array:
    """The whole numbers within a rising column that have at most so many significant bits."""
    low, high = int(column[0]), int(column[-1])
    found: list[int] = []
    for size in range(low.bit_length(), high.bit_length() + 1):
        shift = max(size - bits, 0)
        first, end = max(low + 1, 1 << size - 1 if size else 0), min(high + 1, 1 << size)
        found += range(-(-first >> shift) << shift, end, 1 << shift)
    return np.array(found, column.dtype)


def best_f1(fp: Array, tp: Array, totals: SliceTotals) -> int:
    """The place of the largest F1; of several, the first, which has the highest threshold."""

    def exact(place: int) -> Fraction:
        found, called = int(tp[place]), int(tp[place]) + int(fp[place])
        return Fraction(2 * found, called + totals.positives)

    return first_of_largest(ratios(2 * tp, tp + fp + totals.positives), exact)


def youden(fp: Array, tp: Array, totals: SliceTotals) -> int | None:
    """The place of the largest TPR − FPR, of several the first; None if calling nothing is best."""
    up, down = totals.positives, totals.negatives

    def exact(place: int) -> Fraction:
        return Fraction(int(tp[place]) * down - int(fp[place]) * up)

    place = first_of_largest(ratios(tp, up) - ratios(fp, max(down, 1)), exact)
    return place if exact(place) > 0 else None
