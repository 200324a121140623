"""Ranking metrics, literally: a list is a sequence of grades, a tie is all its orders.

Each metric is a function of one ordered list, registered by `on_list`. Under `ties="expected"` the
answer is the mean over every order that the tied blocks allow. A metric that is a sum over ranks
has the same mean over the rotations of each block, which are few. Of others that have too many
orders to list, `ranking_closed` has the expectation by probability. Only the logarithms of a
discount leave the rationals: these answers are decimals of 50 digits.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from inspect import signature
from itertools import product
from math import factorial, prod
from typing import Any, NamedTuple

from tests.oracles.answers import Number, written
from tests.oracles.group_rows import (
    NO_RELEVANT,
    GroupRow,
    Lines,
    column_weight,
    decimal,
    groups,
    line,
)
from tests.oracles.ranking_closed import CLOSED, Blocks, Grades, Judged, all_or_cut

DIGITS = 50
MOST_RANKS = 12_000  # of all orders together, that are listed
FEW_RANKS = 2_000  # from here on a closed form is asked, if there is one
LONGEST_TIE = 7  # rows whose orders are listed
ZERO = Fraction(0)


class ListMetric(NamedTuple):
    """A metric of one ordered list.

    graded: it reads grades, where others read only whether a row is relevant
    adds: it is a sum over ranks, of terms that depend on the rank and its row alone
    """

    value: Callable[..., Number]
    graded: bool
    adds: bool


METRICS: dict[str, ListMetric] = {}


def on_list(*, adds: bool = False) -> Callable[[Callable[..., Number]], Callable[..., Number]]:
    """Registers a metric of one ordered list by its name; `map_` is map."""

    def register(function: Callable[..., Number]) -> Callable[..., Number]:
        graded = "rel" not in signature(function).parameters
        METRICS[function.__name__.removesuffix("_")] = ListMetric(function, graded, adds)
        return function

    return register


# --- one ordered list ----------------------------------------------------------------------------


def gain_of(grade: Fraction, gain: str) -> Fraction:
    if gain == "linear":
        return grade
    assert grade.denominator == 1
    return Fraction(2**grade.numerator - 1)


@cache
def discount(rank: int) -> Decimal:
    """1/log2(rank + 1)."""
    with localcontext(prec=DIGITS + 10):
        return Decimal(2).ln() / Decimal(rank + 1).ln()


@on_list(adds=True)
def cg(ranked: Grades, known: Judged, gain: str = "linear") -> Number:
    return sum((gain_of(grade, gain) for grade in known.top(ranked)), ZERO)


@on_list(adds=True)
def dcg(ranked: Grades, known: Judged, gain: str = "linear") -> Number:
    total = Decimal(0)
    for rank, grade in enumerate(known.top(ranked), start=1):
        total += decimal(gain_of(grade, gain)) * discount(rank)
    return total


@on_list(adds=True)
def ndcg(ranked: Grades, known: Judged, gain: str = "linear") -> Number:
    """Of the DCG of the best list that could be made of all rows, retrieved or not."""
    best = tuple(sorted(known.every, reverse=True))
    return decimal(dcg(ranked, known, gain)) / decimal(dcg(best, known, gain))


@on_list()
def map_(ranked: Grades, known: Judged, rel: Fraction, denominator: str = "R") -> Number:
    """The precision at each relevant row, summed, of R."""
    total, hits = ZERO, 0
    for rank, grade in enumerate(known.top(ranked), start=1):
        if grade >= rel:
            hits += 1
            total += Fraction(hits, rank)
    return total / all_or_cut(known.R, known.k, denominator)


@on_list()
def mrr(ranked: Grades, known: Judged, rel: Fraction) -> Number:
    for rank, grade in enumerate(known.top(ranked), start=1):
        if grade >= rel:
            return Fraction(1, rank)
    return ZERO


@on_list()
def hit_rate(ranked: Grades, known: Judged, rel: Fraction) -> Number:
    return Fraction(any(grade >= rel for grade in known.top(ranked)))


def hits(ranked: Grades, rel: Fraction) -> int:
    return sum(grade >= rel for grade in ranked)


@on_list(adds=True)
def precision(ranked: Grades, known: Judged, rel: Fraction, denominator: str = "k") -> Number:
    """A list that is shorter than k is filled up with misses, unless its own length divides."""
    assert known.k is not None
    depth = min(known.k, len(ranked)) if denominator == "min" else known.k
    # Nothing retrieved: relevant rows without a hit are 0.
    return Fraction(hits(known.top(ranked), rel), depth) if depth else ZERO


@on_list(adds=True)
def recall(ranked: Grades, known: Judged, rel: Fraction, denominator: str = "R") -> Number:
    below = all_or_cut(known.R, known.k, denominator)
    return Fraction(hits(known.top(ranked), rel), below)


@on_list(adds=True)
def f1(ranked: Grades, known: Judged, rel: Fraction) -> Number:
    """The harmonic mean of precision and recall, zero where both are."""
    above, below = precision(ranked, known, rel), recall(ranked, known, rel)
    assert isinstance(above, Fraction)
    assert isinstance(below, Fraction)
    return 2 * above * below / (above + below) if above + below else ZERO


@on_list(adds=True)
def r_precision(ranked: Grades, known: Judged, rel: Fraction) -> Number:
    return Fraction(hits(ranked[: known.R], rel), known.R)


@on_list(adds=True)
def rbp(ranked: Grades, known: Judged, rel: Fraction, p: float = 0.8) -> Number:
    """A reader goes on to the next row with probability p."""
    going, total = Fraction(1), ZERO
    for grade in known.top(ranked):
        total += going * (grade >= rel)
        going *= written(p)
    return (1 - written(p)) * total


@on_list()
def err(ranked: Grades, known: Judged, max_grade: int = 4) -> Number:
    """The mean reciprocal of the rank where a reader is satisfied."""
    going, total = Fraction(1), ZERO
    for rank, grade in enumerate(known.top(ranked), start=1):
        stop = gain_of(grade, "exp2") / 2**max_grade
        total += going * stop / rank
        going *= 1 - stop
    return total


# --- ties ----------------------------------------------------------------------------------------


def blocks_of(rows: Iterable[GroupRow], ties: str) -> Blocks:
    """The grades of each block, from the highest score down; rows without a score have no rank."""
    scored: dict[float, list[GroupRow]] = {}
    for row in rows:
        if row.score is not None:
            scored.setdefault(row.score + 0.0, []).append(row)  # -0.0 + 0.0 is 0.0
    found: list[Grades] = []
    for score in sorted(scored, reverse=True):
        block = scored[score]
        if ties == "expected":
            found.append(tuple(row.grade for row in block))
        else:
            found += [(row.grade,) for row in inside(block, ties)]
    return tuple(found)


def inside(block: list[GroupRow], ties: str) -> list[GroupRow]:
    """The rows of a block, in the order that the rule gives them."""
    if ties == "pessimistic":
        return sorted(block, key=lambda row: row.grade)
    if ties == "optimistic":
        return sorted(block, key=lambda row: row.grade, reverse=True)
    if ties == "trec":
        return sorted(block, key=lambda row: row.document, reverse=True)
    assert ties == "stable"
    return block


def arrangements(grades: Grades) -> Iterator[Grades]:
    """The orders of a block that differ; each stands for equally many permutations."""
    if not grades:
        yield ()
    for first in sorted(set(grades)):
        rest = list(grades)
        rest.remove(first)
        for others in arrangements(tuple(rest)):
            yield (first, *others)


def count_orders(blocks: Blocks) -> int:
    return prod(
        factorial(len(block)) // prod(map(factorial, Counter(block).values())) for block in blocks
    )


Params = tuple[tuple[str, Any], ...]


def by_orders(metric: str, blocks: Blocks, known: Judged, params: Params) -> Number:
    """The mean over every order that the ties allow."""
    return _mean(metric, product(*map(list, map(arrangements, blocks))), known, params)


def by_rotations(metric: str, blocks: Blocks, known: Judged, params: Params) -> Number:
    """The mean over the rotations of each block: every row has every rank of its block as often.

    That is the mean over all orders, for a sum over ranks. Blocks add up one by one: the first
    order, and what rotating each block alone adds to it.
    """
    with localcontext(prec=DIGITS):
        first = _mean(metric, [blocks], known, params)
        total = first
        for place, block in enumerate(blocks):
            if len(set(block)) > 1:
                turned = [(*blocks[:place], one, *blocks[place + 1 :]) for one in rotations(block)]
                total = plus(total, _mean(metric, turned, known, params), first)
        return total


def rotations(block: Grades) -> list[Grades]:
    return [block[start:] + block[:start] for start in range(len(block))]


def plus(total: Number, more: Number, less: Number) -> Number:
    """total + more − less, all of one kind."""
    found: Number = total + more - less  # type: ignore[operator]  # a metric is of one kind
    return found


def _mean(metric: str, orders: Iterable[Blocks], known: Judged, params: Params) -> Number:
    with localcontext(prec=DIGITS):
        values = [METRICS[metric].value(sum(order, ()), known, **dict(params)) for order in orders]
        return sum(values[1:], values[0]) / len(values)


@cache
def expectation(metric: str, blocks: Blocks, known: Judged, params: Params) -> Number:
    """By rotations where they are enough, by orders where they can be counted, or closed."""
    if METRICS[metric].adds:
        return by_rotations(metric, blocks, known, params)
    ranks = count_orders(blocks) * sum(map(len, blocks))
    if ranks <= (FEW_RANKS if metric in CLOSED else MOST_RANKS):
        return by_orders(metric, blocks, known, params)
    with localcontext(prec=DIGITS):
        return CLOSED[metric](blocks, known, **dict(params))


# --- all groups ----------------------------------------------------------------------------------


def reaches(metric: str, longest: int) -> bool:
    """Whether there is an answer for ties of so many rows."""
    return metric in CLOSED or METRICS[metric].adds or longest <= LONGEST_TIE


def ranking(
    metric: str,
    rows: Iterable[GroupRow],
    k: int | None = None,
    ties: str = "expected",
    empty: float | str = "skip",
    group_weight: str = "equal",
    rel: float = 1,
    average: str = "macro",
    **params: Any,
) -> Lines:
    """A line for each group, in the order the groups came."""
    least = written(rel)
    lines, above, below = [], ZERO, ZERO
    for group in groups(rows).values():
        R = sum(row.grade >= least for row in group)
        weight = _weight(group, R, group_weight)
        value = _value(metric, group, k, ties, least, R, params)
        if R == 0:
            value = None if empty == "skip" else Fraction(empty)
        elif average == "micro":
            assert isinstance(value, Fraction)
            size = all_or_cut(R, k, params.get("denominator", "R"))
            above += weight * value * size
            below += weight * size
        lines.append(line(group, weight, value))
    pooled = (above, below) if average == "micro" else None
    return Lines(tuple(lines), NO_RELEVANT, pooled)


def _value(
    metric: str,
    group: list[GroupRow],
    k: int | None,
    ties: str,
    rel: Fraction,
    R: int,
    params: dict[str, Any],
) -> Number | None:
    if R == 0:
        return None
    blocks = blocks_of(group, ties)
    every = tuple(sorted(row.grade for row in group))
    if not METRICS[metric].graded:
        params = {**params, "rel": rel}
        blocks = tuple(tuple(Fraction(grade >= rel) * rel for grade in b) for b in blocks)
    return expectation(metric, blocks, Judged(R, every, k), tuple(sorted(params.items())))


def _weight(group: list[GroupRow], R: int, choice: str) -> Fraction:
    """Row weights do not enter: rows and relevant rows are counted."""
    n = len(group)
    counted = {"equal": 1, "rows": n, "positives": R, "pairs": R * (n - R)}
    return Fraction(counted[choice]) if choice in counted else column_weight(group)
