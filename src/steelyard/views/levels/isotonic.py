"""Isotonic regression of labels on scores: corners of the lower hull of a cumulative diagram."""

from typing import NamedTuple

import numpy as np

from steelyard.kernels.hulls import lower_hulls
from steelyard.model import Array
from steelyard.views.part_columns import SliceLists, take


class HullCorners(NamedTuple):
    """HullCorners by slice and rising score: the weight of each class below, in the whole slice."""

    negatives: Array
    positives: Array


def join(lower: SliceLists, upper: SliceLists) -> SliceLists:
    """The corners of two adjacent ranges; the last of the first is the first of the second."""
    both = lower.followed_by(upper)
    slices, (x, y) = both.slices, both.columns
    if x.dtype == object or y.dtype == object:
        x, y = x.astype(object), y.astype(object)
    same = (slices[1:] == slices[:-1]) & (x[1:] == x[:-1]) & (y[1:] == y[:-1])
    kept = np.flatnonzero(np.append(True, ~same))
    corners = kept[lower_hulls(slices[kept], x[kept], y[kept])]
    starts = slices[corners].searchsorted(np.arange(len(both) + 1))
    return SliceLists(starts, take(HullCorners(x, y), corners))
