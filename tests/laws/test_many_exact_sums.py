"""Exact sums of many lines, which are rounded in blocks."""

from fractions import Fraction

import numpy as np

from steelyard.kernels.row_blocks import BLOCK
from steelyard.states import exact_sums


def test_many_lines_are_rounded_as_each_alone() -> None:
    random = np.random.default_rng(0)
    size = 2 * BLOCK + 5
    digits = {power: random.integers(-(2**31), 2**31, size) for power in (-62, -31, 0, 31)}
    scale = random.integers(-40, 40, size)
    found = exact_sums.floats(digits, np.arange(size), scale)
    for line in (0, 1, BLOCK - 1, BLOCK, 2 * BLOCK - 1, 2 * BLOCK, size - 1):
        exact = sum(Fraction(2) ** power * int(digit[line]) for power, digit in digits.items())
        assert found[line] == float(exact * Fraction(2) ** int(scale[line]))
    one = exact_sums.floats(digits, np.arange(size), np.array([3]))
    assert (one == exact_sums.floats(digits, np.arange(size), 3)).all()
