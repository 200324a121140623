"""The Brier score after isotonic recalibration, which mcb and dsc are made of.

Pooling adjacent violators makes blocks of p positives and n negatives whose shares of positives
rise; predicting a block's share for all its rows costs p·n/(p+n).
"""

import numpy as np

from steelyard.kernels.ragged import steps
from steelyard.metrics.division import sums_of_quotients
from steelyard.model import Array
from steelyard.views.part_columns import SliceLists


def recalibrated(corners: SliceLists) -> tuple[Array, Array]:
    """The squared error after isotonic recalibration, exactly: numerators and denominators."""
    slices = corners.slices
    inner = np.flatnonzero(slices[1:] == slices[:-1])
    n, p = (steps(column)[inner] for column in corners.columns)
    if p.dtype != object and max(p.max(initial=0), n.max(initial=0)) >= 1 << 31:
        n, p = n.astype(object), p.astype(object)
    return sums_of_quotients(p * n, p + n, slices[inner].searchsorted(np.arange(len(corners) + 1)))
