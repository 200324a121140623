"""The values of row terms, block by block (`interface/terms.py` has their formulas)."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import Array
from steelyard.kernels.numpy.error_terms import CONDITIONS, FORMULAS
from steelyard.kernels.numpy.term_rows import TermRows
from steelyard.model import Floats, Mask


class TermValues(NamedTuple):
    """The values of some rows; values None: 1 each; rows: a mask of them, None: all."""

    values: Array | None
    rows: Mask | None = None


TermFunction = Callable[[TermRows], TermValues | None]  # None: all rows add 0


@cache
def term_function(formula: str) -> TermFunction:
    """The function that computes a formula of a block of rows."""
    name, _, argument = formula.partition(" ")
    if name in WITH_ARGUMENT:
        return WITH_ARGUMENT[name](argument)
    if name in FORMULAS:
        # Rows without numbers, those of classes, have no errors.
        return lambda rows: None if rows.columns.truth is None else _finite(rows.error(name))
    if name in CONDITIONS:
        return lambda rows: TermValues(None, CONDITIONS[name](*rows.truth_and_prediction))
    return WITHOUT_ARGUMENT[name]


# --- rows with a score ---------------------------------------------------------------------------
def square(rows: TermRows) -> TermValues:
    gap = rows.probability.copy()
    up = np.flatnonzero(rows.positive)
    gap[up] = 1.0 - gap[up]
    gap *= gap
    return TermValues(gap)


def surplus(rows: TermRows) -> TermValues:
    q = rows.probability
    return TermValues((rows.positive - q) * (1.0 - 2.0 * q))


def surplus_variance(rows: TermRows) -> TermValues:
    q = rows.probability
    slant = 1.0 - 2.0 * q
    return TermValues((slant * slant) * (q * (1.0 - q)))


def variance(rows: TermRows) -> TermValues:
    return TermValues(rows.probability * (1.0 - rows.probability))


def _reach(scores: Array, threshold: float) -> Mask:
    # Rounded to the score's type, so that 0.3 is the 0.3 that a float32 score can be.
    with np.errstate(over="ignore"):  # beyond float32 it is infinite, above every score
        reached: Mask = scores >= scores.dtype.type(threshold)
    return reached


def called(threshold: str) -> TermFunction:
    limit = float(threshold)
    return lambda rows: TermValues(None, _reach(rows.score, limit))


def hit(threshold: str) -> TermFunction:
    limit = float(threshold)
    return lambda rows: TermValues(None, _reach(rows.score, limit) & rows.positive)


def amount(column: str) -> TermFunction:
    return lambda rows: TermValues(rows.amount(column))


def earned_amount(column: str) -> TermFunction:
    return lambda rows: TermValues(rows.amount(column)[rows.positive], rows.positive)


def expected_amount(column: str) -> TermFunction:
    return lambda rows: TermValues(rows.probability * rows.amount(column))


# --- rows with a prediction ----------------------------------------------------------------------
def beyond(formulas: str) -> TermFunction:
    names = formulas.split(",")

    def values(rows: TermRows) -> TermValues | None:
        held = np.all([np.isfinite(rows.error(name)) for name in names], axis=0)
        return None if held.all() else TermValues(None, ~held)

    return values


def _infinite(logs: Floats) -> TermValues | None:
    """Rows whose logarithm is −∞."""
    return TermValues(None, logs == -np.inf) if logs.min(initial=0.0) == -np.inf else None


def _finite(values: Floats) -> TermValues:
    """The finite values."""
    with np.errstate(over="ignore", invalid="ignore"):
        sum_ = values.sum()
    if np.isfinite(sum_):  # the sum of a value that is not finite is not finite
        return TermValues(values)
    finite = np.isfinite(values)
    return TermValues(values) if finite.all() else TermValues(values[finite], finite)


WITHOUT_ARGUMENT: dict[str, TermFunction] = {
    "one": lambda rows: TermValues(None),
    "positive": lambda rows: TermValues(None, rows.positive),
    "score": lambda rows: TermValues(rows.score),
    "probability": lambda rows: TermValues(rows.probability),
    "log": lambda rows: _finite(rows.log),
    "infinite": lambda rows: _infinite(rows.log),
    "square": square,
    "surplus": surplus,
    "surplus_variance": surplus_variance,
    "variance": variance,
    "log_of_class": lambda rows: _finite(rows.log_of_class),
    "infinite_of_class": lambda rows: _infinite(rows.log_of_class),
    "squares_of_classes": lambda rows: TermValues(rows.squares_of_classes),
}
WITH_ARGUMENT: dict[str, Callable[[str], TermFunction]] = {
    "called": called,
    "hit": hit,
    "amount": amount,
    "earned_amount": earned_amount,
    "expected_amount": expected_amount,
    "beyond": beyond,
}
