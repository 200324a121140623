"""The corners of the ROC path, for plots of a curve: all of them, or thinned.

Between two neighbouring corners the path is straight, so corners lose nothing.
"""

from typing import NamedTuple

import numpy as np

from steelyard.model import Array
from steelyard.views.curve import SliceEntries
from steelyard.views.totals import SliceTotals


class RocPath(NamedTuple):
    """Cumulative weights at falling thresholds."""

    fp: Array
    tp: Array
    thresholds: Array


def corners(entries: SliceEntries) -> RocPath:
    """For each distinct positive score, the point just above it and the point at it."""
    return RocPath(
        _interleave(entries.fp_above, entries.fp),
        _interleave(entries.tp_above, entries.tp),
        _interleave(entries.next_above, entries.scores.astype(np.float64)),
    )


def append(lower: RocPath, upper: RocPath) -> RocPath:
    """The corners of two neighbouring ranges, by falling threshold."""
    return RocPath(*(np.concatenate(columns) for columns in zip(upper, lower, strict=True)))


def finish(path: RocPath, totals: SliceTotals, *, straight: bool) -> RocPath:
    """The whole path, from no row called positive to all of them, without redundant points.

    straight: whether the curve is a straight line where TP alone grows, as in ROC but not in PR;
        the points within such a line are then redundant too
    """
    fp = np.concatenate([[0], path.fp, [totals.negatives]])
    tp = np.concatenate([[0], path.tp, [totals.positives]])
    thresholds = np.concatenate([[np.inf], path.thresholds, [totals.lowest]])
    path = _keep(RocPath(fp, tp, thresholds), _moved(fp, tp))
    needless = _within_run(path.tp)
    if straight:
        needless |= _within_run(path.fp)
    return _keep(path, ~needless)


def thin(x: Array, y: Array, points: int | None) -> tuple[Array, float]:
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


def _interleave(first: Array, second: Array) -> Array:
    """Two columns by rising score, interleaved as one by falling score."""
    both = np.empty(2 * len(first), first.dtype)
    both[::2], both[1::2] = first[::-1], second[::-1]
    return both


def _keep(path: RocPath, chosen: Array) -> RocPath:
    return RocPath(*(column[chosen] for column in path))


def _moved(fp: Array, tp: Array) -> Array:
    """Points that differ from the one before."""
    return np.concatenate([[True], (fp[1:] != fp[:-1]) | (tp[1:] != tp[:-1])])


def _within_run(column: Array) -> Array:
    """Points whose neighbours on both sides have the same value."""
    within = np.zeros(len(column), bool)
    within[1:-1] = (column[2:] == column[1:-1]) & (column[1:-1] == column[:-2])
    return within
