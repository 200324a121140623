"""Missing values of a column of numbers: those known to be missing, and NaN."""

import numpy as np

from steelyard.model import Array, Mask


def checksum(array: Array) -> float:
    """A sum that is finite only if every value is: one quick pass that clears most columns."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(array.sum())


def or_nan(array: Array, missing: Mask | None) -> Mask | None:
    """The rows that have no value: those known to be missing, and those whose number is NaN."""
    if array.dtype.kind != "f" or not np.isnan(checksum(array)):
        return missing
    nan = np.isnan(array)  # all False where opposite infinities met in the sum
    return nan if missing is None else missing | nan
