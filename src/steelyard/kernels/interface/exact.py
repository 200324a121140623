"""Types of exact numbers, which every kernel takes and gives.

**Digits.** A column of exact non-negative integers is a tuple of arrays, least significant digit
first, each value below 2**31, so that int64 holds a product of two digits. Weights are such
integers times 2**unit.

**Exact sums.** A column of exact sums, one for each code, is a dict of int64 arrays: signed digits
by the power of two that they count, a multiple of 31. A digit is a sum of at most 2**32 values of
less than 31 bits each.
"""

import numpy as np
import numpy.typing as npt

from steelyard.model import Array as Array

Columns = tuple[Array, ...]
Digits = tuple[Array, ...]
ExactSums = dict[int, Array]
UnsignedWords = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.intp]

DIGIT = 31  # bits
MASK = (1 << DIGIT) - 1
