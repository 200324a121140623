"""Products of exact integer columns, row by row and as sums of each slice.

`starts`: where each slice starts, and the end of all. Sums of slices are Python integers.
"""

import numpy as np

from steelyard.kernels.digits import carry
from steelyard.kernels.interface import DIGIT, MASK, Array, Digits
from steelyard.kernels.numpy.keyed import sum_between


def times(left: Digits, right: Digits) -> Digits:
    """The products of two columns; the halves of a product of digits are added separately."""
    sums = [np.zeros(len(left[0]), np.int64) for _ in range(len(left) + len(right))]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product = a.astype(np.int64, copy=False) * b.astype(np.int64, copy=False)
            sums[i + j] += product & MASK
            sums[i + j + 1] += product >> DIGIT
    return carry(sums)


def total_between(digits: Digits, starts: Array) -> Array:
    """The sum of each slice."""
    sums: Array = np.zeros(len(starts) - 1, object)
    for place, digit in enumerate(digits):
        here = sum_between(digit.astype(np.int64, copy=False), starts)
        sums = sums + (here.astype(object) << (DIGIT * place))
    return sums


def dot_between(left: Digits, right: Digits, starts: Array) -> Array:
    """The sum of the products of each slice."""
    sums: Array = np.zeros(len(starts) - 1, object)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product = a.astype(np.int64, copy=False) * b.astype(np.int64, copy=False)
            if int(product.max(initial=0)) * len(product) < 1 << 63:
                here = sum_between(product, starts).astype(object)
            else:
                here = total_between((product & MASK, product >> DIGIT), starts)
            sums = sums + (here << (DIGIT * (i + j)))
    return sums
