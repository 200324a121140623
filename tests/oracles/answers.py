"""Rows and answers of the oracles: what every metric is, literally, on fractions.

Slow, and from the definitions. Nothing is shared with the library: no sorting of columns, no
digits, no chunks. A threshold is a distinct score, a point is what filtering the rows at that
threshold counts, and an answer is a Fraction. Only √ and ln leave the rationals; those answers are
decimals with digits to spare.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    """One row: is it positive, the exact score, the exact weight."""

    label: bool
    score: float
    weight: Fraction


@dataclass(frozen=True)
class Rows:
    """The rows that have weight, and the type that their scores are compared in."""

    rows: tuple[Row, ...]
    type: str = "float64"

    def weight(self, chosen: Callable[[Row], bool]) -> Fraction:
        return sum((row.weight for row in self.rows if chosen(row)), Fraction(0))

    # P and N are what every formula calls them.
    @property
    def P(self) -> Fraction:  # noqa: N802
        return self.weight(lambda row: row.label)

    @property
    def N(self) -> Fraction:  # noqa: N802
        return self.weight(lambda row: not row.label)


@dataclass(frozen=True)
class Why:
    """The reason why there is no value."""

    text: str


class Point(NamedTuple):
    """What is called positive at a threshold."""

    tp: Fraction
    fp: Fraction
    threshold: float


Number = Fraction | Decimal


class Near(NamedTuple):
    """A number that is left of terms of both signs; `size` is what they come to unsigned."""

    value: Number
    size: Number


Answer = Number | Near | Why
AnyAnswer = Answer | tuple[Any, ...] | list[Any]  # cells and points of curves too
Oracle = Callable[..., AnyAnswer]

ORACLES: dict[str, Oracle] = {}


def oracle(*needs: str) -> Callable[[Oracle], Oracle]:
    """Register an oracle; the classes it needs are looked for first."""

    def register(function: Oracle) -> Oracle:
        def guarded(rows: Rows, **params: Any) -> AnyAnswer:
            if needs and not rows.rows:
                return Why("there are no rows")
            if "positives" in needs and rows.P == 0:
                return Why("there are no positives")
            if "negatives" in needs and rows.N == 0:
                return Why("there are no negatives")
            return function(rows, **params)

        ORACLES[function.__name__] = guarded
        return guarded

    return register


def written(parameter: float) -> Fraction:
    """The decimal number that stands in the call: 0.1 is a tenth."""
    return Fraction(repr(float(parameter)))


def quotient(above: Fraction, below: Fraction, why: str) -> Answer:
    return above / below if below else Why(why)


def rounded(value: Number) -> float:
    """The float64 nearest to an exact answer; Python rounds both kinds correctly."""
    if isinstance(value, Decimal):
        return float(value)
    try:
        return value.numerator / value.denominator
    except OverflowError:  # a pnr may be larger than any float
        return float("inf") if value > 0 else float("-inf")


def as_decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def cells(rows: Rows, threshold: float) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """TP, FP, FN, TN: a score at or above the threshold, rounded to its type, is positive."""
    with np.errstate(over="ignore"):
        limit = float(np.dtype(rows.type).type(threshold))
    return (
        rows.weight(lambda row: row.label and row.score >= limit),
        rows.weight(lambda row: not row.label and row.score >= limit),
        rows.weight(lambda row: row.label and row.score < limit),
        rows.weight(lambda row: not row.label and row.score < limit),
    )
