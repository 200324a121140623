"""The corners of the ROC path, for plots of a curve: all of them, or thinned.

Between two neighbouring corners the path is straight, so corners lose nothing. The metrics of a
whole curve have the same parts, so that corners are found once for all of them.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.metrics.division import ratios
from steelyard.model import Array, Floats
from steelyard.views.curve import SliceEntries, each_slice
from steelyard.views.totals import SliceTotals


class RocPath(NamedTuple):
    """Cumulative weights at falling thresholds."""

    fp: Array
    tp: Array
    thresholds: Array

    def take(self, places: Array | slice) -> "RocPath":
        return RocPath(*(column[places] for column in self))


class Corners:
    """The corners of one slice in neighbouring ranges, the highest range first."""

    def __init__(self, ranges: list[RocPath]) -> None:
        self._ranges = ranges
        self._curve: WholeCurve | None = None

    def above(self, lower: "Corners") -> "Corners":
        return Corners([*self._ranges, *lower._ranges])

    def curve(self, totals: SliceTotals) -> "WholeCurve":
        """The curve of the slice, whose totals these are; made once for all metrics."""
        if self._curve is None:
            self._curve = WholeCurve(self._ranges, totals)
        return self._curve


class WholeCurve:
    """The curve of a slice, from no row called positive to all of them."""

    def __init__(self, ranges: list[RocPath], totals: SliceTotals) -> None:
        self._ranges, self.totals = ranges, totals

    @cached_property
    def points(self) -> RocPath:
        """The corners, and all within a run of positives, where precision is not straight."""
        kind, totals = self._ranges[0].fp.dtype, self.totals
        start = RocPath(np.zeros(1, kind), np.zeros(1, kind), np.array([np.inf]))
        ends = np.array([totals.negatives], kind), np.array([totals.positives], kind)
        every = [start, *self._ranges, RocPath(*ends, np.array([totals.lowest]))]
        # The first point of a range may be the last one of the range above it.
        chunks = [
            below.take(slice(_is_seam(above, below), None)) for above, below in pairwise(every)
        ]
        return RocPath(*(np.concatenate(columns) for columns in zip(start, *chunks, strict=True)))

    @cached_property
    def corners(self) -> RocPath:
        """The corners alone: without the points within a straight line."""
        fp = self.points.fp
        same = fp[1:] == fp[:-1]
        turns = np.concatenate([[True], ~(same[1:] & same[:-1]), [True]])
        return self.points.take(np.flatnonzero(turns))


def _is_seam(above: RocPath, below: RocPath) -> bool:
    return bool(above.fp[-1] == below.fp[0] and above.tp[-1] == below.tp[0])


def corners(entries: SliceEntries, points: int | None) -> Corners:
    """For each distinct positive score, the point just above it and the point at it.

    The point just above it is left out if no negative is between it and the positive score above.
    """
    count = len(entries.scores)
    if count == 0:
        return Corners([])
    kept = np.ones(2 * count, bool)
    kept[2::2] = entries.long_fp_above[-2::-1] != entries.long_fp[:0:-1]
    places = np.flatnonzero(kept)
    path = RocPath(
        _interleave(entries.long_fp_above, entries.long_fp),
        _interleave(entries.long_tp_above, entries.long_tp),
        _interleave(entries.next_above, entries.scores),
    )
    return Corners([path.take(places)])


def join(lower: Corners, upper: Corners) -> Corners:
    return upper.above(lower)


CORNERS = each_slice(corners)


def thin(x: Floats, y: Floats, points: int | None) -> tuple[Array, float]:
    """The points to keep, and a bound on the change of the area under the curve.

    Points are taken at equal steps along the curve, measured as |Δx| + |Δy|. A long straight step,
    such as that of a large tied block, keeps both ends: the short steps before it would otherwise
    share a box with it. The curve between two kept points lies in the box around them, so the
    areas of the boxes bound the error.
    """
    if points is None or points >= len(x):
        return np.arange(len(x)), 0.0
    steps = np.abs(np.diff(x)) + np.abs(np.diff(y))
    long = steps > 3 * steps.sum() / points  # fewer than a third of the points, with two ends each
    starts = np.flatnonzero(long)
    ends = np.unique(np.concatenate([[0], starts, starts + 1, [len(x) - 1]]))
    along = np.concatenate([[0.0], np.cumsum(np.where(long, 0.0, steps))])
    inner = np.linspace(0, along[-1], points - len(ends) + 2)[1:-1]
    kept = np.unique(np.append(ends, np.searchsorted(along, inner)))
    high = np.maximum(np.maximum.reduceat(y, kept[:-1]), y[kept[1:]])
    low = np.minimum(np.minimum.reduceat(y, kept[:-1]), y[kept[1:]])
    boxes = (high - low) * np.abs(np.diff(x[kept]))
    return kept, float(boxes[np.diff(kept) > 1].sum() * (1 + 1e-12))


def rates(path: RocPath, totals: SliceTotals) -> tuple[Floats, Floats]:
    """The false and the true positive rate of each point, for `thin`: not rounded correctly."""
    return ratios(path.fp, max(totals.negatives, 1)), ratios(path.tp, totals.positives)


def _interleave(first: Array, second: Array) -> Array:
    """Two columns by rising score, interleaved as one by falling score."""
    both = np.empty(2 * len(first), first.dtype)
    both[::2], both[1::2] = first[::-1], second[::-1]
    return both
