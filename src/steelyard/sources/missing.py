"""Missing values of a column of numbers: those known to be missing, and NaN."""

import numpy as np

from steelyard.model import Array, Mask


def checksum(array: Array) -> float:
    """A sum that is finite only if every value is: a quick test that most columns pass."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(array.sum())


def or_nan(array: Array, missing: Mask | None) -> Mask | None:
    """The rows without a value: those known to be missing, and those whose number is NaN."""
    if array.dtype.kind != "f" or not np.isnan(checksum(array)):
        return missing
    nan = np.isnan(array)  # all False if infinities of both signs made the sum NaN
    return nan if missing is None else missing | nan
