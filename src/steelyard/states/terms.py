"""What a row adds to a loss: a formula each, every operation of which is rounded once.

A loss is the sum of its rows' terms times their weights, and that sum is exact. Terms are made of
the probabilities q of some rows, and of which of them were positive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from steelyard import kernels
from steelyard.model import Floats, Mask


@dataclass(frozen=True)
class Term:
    """A kind of loss.

    names: what it sums; signed: those sums that may be negative
    of: the terms of rows, in the order of the names
    logarithm: whether it sees probabilities that are cut, where a clip is given; terms may be
        infinite where none is
    """

    names: tuple[str, ...]
    of: Callable[[Floats, Mask], tuple[Floats, ...]]
    signed: tuple[str, ...] = ()
    logarithm: bool = False


def log(q: Floats, positive: Mask) -> tuple[Floats]:
    """ln q of positives, ln(1 − q) of the others; −∞ where that was held to be impossible."""
    return (kernels.active().log_chance(q, positive),)


def variance(q: Floats) -> Floats:
    """What a row of that probability varies by: q·(1 − q)."""
    return q * (1.0 - q)


def squared(gap: Floats) -> Floats:
    return gap * gap


def square(q: Floats, positive: Mask) -> tuple[Floats]:
    """(1 − q)·(1 − q) of positives, q·q of the others."""
    gap = q.copy()
    up = np.flatnonzero(positive)
    gap[up] = 1.0 - gap[up]
    gap *= gap
    return (gap,)


def surplus(q: Floats, positive: Mask) -> tuple[Floats, Floats]:
    """(y − q)·(1 − 2q), and its variance, ((1 − 2q)·(1 − 2q))·(q·(1 − q))."""
    slant = 1.0 - 2.0 * q
    return (positive - q) * slant, (slant * slant) * (q * (1.0 - q))


def clipped(q: Floats, clip: float) -> Floats:
    """Probabilities cut to [clip, 1 − clip]."""
    return np.clip(q, clip, 1.0 - clip)


TERMS: Mapping[str, Term] = {
    "log": Term(("log",), log, signed=("log",), logarithm=True),
    "square": Term(("squares",), square),
    "surplus": Term(("surplus", "variance"), surplus, signed=("surplus",)),
}
