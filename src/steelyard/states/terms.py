"""What a row adds to a loss: a formula each, every operation of which is rounded once.

A loss is the sum of its rows' terms times their weights, and that sum is exact. Terms are made for
the positives and for the negatives apart, whose probabilities are given.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from steelyard import kernels
from steelyard.model import Floats


@dataclass(frozen=True)
class Term:
    """A kind of loss.

    names: what it sums; signed: those sums that may be negative
    positive, negative: the terms of probabilities of rows of that class, by what they add to
    logarithm: whether it sees probabilities that are cut, where a clip is given
    """

    names: tuple[str, ...]
    positive: Callable[[Floats], Mapping[str, Floats]]
    negative: Callable[[Floats], Mapping[str, Floats]]
    signed: tuple[str, ...] = ()
    logarithm: bool = False


def log_of_positives(q: Floats) -> dict[str, Floats]:
    """ln q, which is infinite where a positive was held to be impossible."""
    return {"positive_log": kernels.active().log(q)}


def log_of_negatives(q: Floats) -> dict[str, Floats]:
    """ln(1 − q)."""
    return {"negative_log": kernels.active().log_complement(q)}


def square_of_positives(q: Floats) -> dict[str, Floats]:
    """(1 − q)·(1 − q)."""
    rest = 1.0 - q
    rest *= rest
    return {"squares": rest}


def square_of_negatives(q: Floats) -> dict[str, Floats]:
    return {"squares": q * q}


def surplus_of_positives(q: Floats) -> dict[str, Floats]:
    """(1 − q)·(1 − 2q), and its variance, ((1 − 2q)·(1 − 2q))·(q·(1 − q))."""
    slant = 1.0 - 2.0 * q
    return {"surplus": (1.0 - q) * slant, "variance": _variance(q, slant)}


def surplus_of_negatives(q: Floats) -> dict[str, Floats]:
    """−q·(1 − 2q), and its variance."""
    slant = 1.0 - 2.0 * q
    return {"surplus": -q * slant, "variance": _variance(q, slant)}


def _variance(q: Floats, slant: Floats) -> Floats:
    variance: Floats = (slant * slant) * (q * (1.0 - q))
    return variance


def clipped(q: Floats, clip: float) -> Floats:
    """Probabilities cut to [clip, 1 − clip]."""
    return np.clip(q, clip, 1.0 - clip)


TERMS: Mapping[str, Term] = {
    "log": Term(
        ("positive_log", "negative_log"),
        log_of_positives,
        log_of_negatives,
        signed=("positive_log", "negative_log"),
        logarithm=True,
    ),
    "square": Term(("squares",), square_of_positives, square_of_negatives),
    "surplus": Term(
        ("surplus", "variance"), surplus_of_positives, surplus_of_negatives, signed=("surplus",)
    ),
}
