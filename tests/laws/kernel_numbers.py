"""Python's numbers for what kernels take and give: digits, exact sums; and every set of kernels."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels.interface import DIGIT, MASK, Digits, ExactSums

each_kernel = pytest.mark.parametrize(
    "kernel", [pytest.param(kernel, id=name) for name, kernel in kernels.available().items()]
)


def integers_of(digits: Digits) -> list[int]:
    """The integers that digits stand for, by Python's arithmetic."""
    columns = [[int(value) for value in digit] for digit in digits]
    return [sum(d << (DIGIT * i) for i, d in enumerate(row)) for row in zip(*columns, strict=True)]


def digits_of(numbers: Sequence[int], dtype: type = np.int64) -> Digits:
    """Digits of integers, by Python's arithmetic."""
    places = max(1, *(-(-number.bit_length() // DIGIT) for number in numbers), 1)
    return tuple(
        np.array([(number >> (DIGIT * place)) & MASK for number in numbers], dtype)
        for place in range(places)
    )


def are_digits(digits: Digits) -> bool:
    return all(((digit >= 0) & (digit <= MASK)).all() for digit in digits)


def fractions_of(levels: ExactSums, count: int) -> list[Fraction]:
    """What digits add up to, code by code; they are on the one grid, and int64."""
    sums = [Fraction(0)] * count
    for power, digits in levels.items():
        assert power % DIGIT == 0
        assert digits.dtype == np.int64
        assert len(digits) == count
        sums = [s + int(d) * Fraction(2) ** power for s, d in zip(sums, digits, strict=True)]
    return sums
