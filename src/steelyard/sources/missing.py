"""Missing values of a column of numbers: those known to be missing, and NaN."""

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Mask


def or_nan(array: Array, missing: Mask | None) -> Mask | None:
    """The rows without a value: those known to be missing, and those whose number is NaN."""
    if array.dtype.kind != "f" or not kernels.active().check_column(array, ["present"]).bad[0].rows:
        return missing
    nan = np.isnan(array)
    return nan if missing is None else missing | nan
