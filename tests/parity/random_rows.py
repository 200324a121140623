"""Random weights, and how near another tool's float sums must be."""

import math

import numpy as np

from steelyard.model import Array

BOUND = 1e-12


def weights(dice: np.random.Generator, count: int, *, whole: bool = False) -> Array | None:
    """None, copies or, unless they must be whole, fractions."""
    kind = dice.integers(2 if whole else 3)
    if kind == 0:
        return None
    return dice.integers(1, 5, count) if kind == 1 else dice.random(count) + 0.01


def agree(ours: float, theirs: float, *, scale: float = 0.0, bound: float = BOUND) -> bool:
    """Whether two values are equal within a bound of themselves, or of a scale."""
    return math.isclose(ours, theirs, rel_tol=bound, abs_tol=bound * scale)
