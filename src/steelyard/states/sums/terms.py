"""Row terms: what each row adds to a named sum.

A term is a formula, each operation of which is rounded once, times the row's weight; the sum over
all rows is exact. A name may have an argument after a space: "called 0.5" is the weight of the rows
with a score of 0.5 or more.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Floats, Mask
from steelyard.states.sums import error_terms
from steelyard.states.sums.term_rows import Formula, TermRows


class TermValues(NamedTuple):
    """The term's values of some rows; values None: 1 each; rows: a mask of them, None: all."""

    values: Array | None
    rows: Mask | None = None


TermFunction = Callable[[TermRows], TermValues | None]  # None: all rows add 0


@dataclass(frozen=True)
class Term:
    """A row term.

    function: computes the values of a block of rows; rows that it leaves out add 0
    weighted: whether values are multiplied by the row's weight, or else by the rows it aggregates
    signed: whether a sum may be negative
    """

    function: TermFunction
    weighted: bool = True
    signed: bool = False


# --- rows ----------------------------------------------------------------------------------------
DROPPED = "dropped"  # the dropped rows, which a batch counts


def each_row(rows: TermRows) -> TermValues:
    return TermValues(None)


# --- rows with a score ---------------------------------------------------------------------------
def positive(rows: TermRows) -> TermValues:
    return TermValues(None, rows.positive)


def score(rows: TermRows) -> TermValues:
    return TermValues(rows.score)


def probability(rows: TermRows) -> TermValues:
    return TermValues(rows.probability)


def log(rows: TermRows) -> TermValues:
    return _finite(rows.log)


def infinite(rows: TermRows) -> TermValues | None:
    """Rows whose loss is infinite."""
    return _infinite(rows.log)


def square(rows: TermRows) -> TermValues:
    """(1 − q)·(1 − q) of positives, q·q of the others."""
    gap = rows.probability.copy()
    up = np.flatnonzero(rows.positive)
    gap[up] = 1.0 - gap[up]
    gap *= gap
    return TermValues(gap)


def surplus(rows: TermRows) -> TermValues:
    """(y − q)·(1 − 2q)"""
    q = rows.probability
    return TermValues((rows.positive - q) * (1.0 - 2.0 * q))


def surplus_variance(rows: TermRows) -> TermValues:
    """((1 − 2q)·(1 − 2q))·(q·(1 − q))"""
    q = rows.probability
    slant = 1.0 - 2.0 * q
    return TermValues((slant * slant) * (q * (1.0 - q)))


def variance(rows: TermRows) -> TermValues:
    """The variance of a label of that probability: q·(1 − q)."""
    return TermValues(variance_of(rows.probability))


def variance_of(q: Floats) -> Floats:
    return q * (1.0 - q)


@cache
def called(threshold: str) -> TermFunction:
    """Rows called positive: the score is at or above the threshold, rounded to its type."""
    limit = _threshold(threshold)
    return lambda rows: TermValues(None, _reach(rows.score, limit))


@cache
def hit(threshold: str) -> TermFunction:
    """Positive rows called positive."""
    limit = _threshold(threshold)
    return lambda rows: TermValues(None, _reach(rows.score, limit) & rows.positive)


def _threshold(text: str) -> float:
    """The threshold of its canonical text."""
    limit = float(text)
    if not isfinite(limit) or repr(limit + 0.0) != text:  # -0.0 + 0.0 is 0.0
        raise ValueError(f"a threshold of {text}")
    return limit


def _reach(scores: Array, limit: float) -> Mask:
    """Whether each score is at or above the threshold."""
    # Rounded to the score's type, so that 0.3 is the 0.3 that a float32 score can be.
    with np.errstate(over="ignore"):  # beyond float32 it is infinite, above every score
        reached: Mask = scores >= scores.dtype.type(limit)
    return reached


@cache
def amount(column: str) -> TermFunction:
    """A bid or revenue."""
    return lambda rows: TermValues(rows.amounts(column))


@cache
def earned_amount(column: str) -> TermFunction:
    """A bid or revenue of the positives alone."""
    return lambda rows: TermValues(rows.amounts(column)[rows.positive], rows.positive)


@cache
def expected_amount(column: str) -> TermFunction:
    """Probability times amount, rounded once."""
    return lambda rows: TermValues(rows.probability * rows.amounts(column))


# --- rows with a prediction ----------------------------------------------------------------------
def prediction(rows: TermRows) -> TermValues | None:
    if rows.batch.numbers is None:  # classes have no sum
        return None
    return TermValues(rows.prediction)


def log_of_class(rows: TermRows) -> TermValues:
    return _finite(rows.log_of_class)


def squares_of_classes(rows: TermRows) -> TermValues:
    return TermValues(rows.squares_of_classes)


def infinite_of_class(rows: TermRows) -> TermValues | None:
    return _infinite(rows.log_of_class)


@cache
def formula_values(formula: Formula) -> TermFunction:
    """The values of a formula of truth and prediction, where float64 holds them."""
    return lambda rows: _finite(rows.values(formula))


@cache
def beyond(formulas: tuple[Formula, ...]) -> TermFunction:
    """Rows with a formula whose value float64 does not hold."""

    def values(rows: TermRows) -> TermValues | None:
        held = np.all([np.isfinite(rows.values(formula)) for formula in formulas], axis=0)
        return None if held.all() else TermValues(None, ~held)

    return values


@cache
def rows_where(condition: Callable[[Floats, Floats], Mask]) -> TermFunction:
    """Rows that meet a condition of truth and prediction."""
    return lambda rows: TermValues(None, condition(rows.truth, rows.prediction))


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


COUNTS: dict[str, Term] = {
    DROPPED: Term(each_row, weighted=False),
    "rows": Term(each_row, weighted=False),
    "positives": Term(positive, weighted=False),
    "infinite": Term(infinite, weighted=False),
    "infinite_of_class": Term(infinite_of_class, weighted=False),
    **{
        name: Term(rows_where(kind), weighted=False)
        for name, kind in error_terms.CONDITIONS.items()
    },
}
SUMS: dict[str, Term] = {
    "weight": Term(each_row),
    "weighted_positives": Term(positive),
    "prediction_sum": Term(score, weighted=False, signed=True),
    "weighted_prediction_sum": Term(score, signed=True),
    "number_sum": Term(prediction, weighted=False, signed=True),
    "weighted_number_sum": Term(prediction, signed=True),
    "expected": Term(probability),
    "log": Term(log, signed=True),
    "squares": Term(square),
    "surplus": Term(surplus, signed=True),
    "surplus_variance": Term(surplus_variance),
    "variance": Term(variance),
    "log_of_class": Term(log_of_class, signed=True),
    "squares_of_classes": Term(squares_of_classes),
    **{
        f"weight_of_{name}": Term(rows_where(kind)) for name, kind in error_terms.CONDITIONS.items()
    },
    **{
        name: Term(formula_values(formula), signed=name in error_terms.SIGNED)
        for name, formula in error_terms.FORMULAS.items()
    },
}
WITH_ARGUMENT: dict[str, Callable[[str], TermFunction]] = {
    "called": called,
    "hit": hit,
    "amount": amount,
    "earned_amount": earned_amount,
    "expected_amount": expected_amount,
}


SUBSETS = (  # terms of some of the rows, and of some of their weight
    ("rows", ("positives", "infinite", "infinite_of_class")),
    ("weight", ("weighted_positives",)),
)
Difference = tuple[tuple[str, ...], tuple[str, ...]]


def never_below_zero(terms: Collection[str]) -> Iterator[Difference]:
    """Differences of sums that cannot be negative, as they are sums of some rows themselves."""
    found: list[Difference] = [((whole,), (part,)) for whole, parts in SUBSETS for part in parts]
    for name in terms:
        kind, _, threshold = name.partition(" ")
        if kind == "hit":
            called = f"called {threshold}"
            found += [((called,), (name,)), (("weighted_positives",), (name,))]
            found.append((("weight", name), ("weighted_positives", called)))
    return (pair for pair in found if {*pair[0], *pair[1]} <= set(terms))


@cache
def find(name: str) -> Term:
    """The term of a name; a ValueError where there is none."""
    kind, blank, argument = name.partition(" ")
    if blank and kind in WITH_ARGUMENT:
        return Term(WITH_ARGUMENT[kind](argument))
    if blank and kind == "beyond":
        formulas = tuple(map(error_terms.FORMULAS.get, argument.split(",")))
        if None not in formulas:
            return Term(beyond(formulas), weighted=False)
    if name in COUNTS or name in SUMS:
        return COUNTS[name] if name in COUNTS else SUMS[name]
    raise ValueError(f"no term is called {name!r}")


def is_count(name: str) -> bool:
    """Whether the term counts rows, so that its sums are whole numbers."""
    return name in COUNTS or name.startswith("beyond ")
