"""The oracles themselves: lists by hand, and two ways to the mean over all orders of a tie."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from sklearn.metrics import average_precision_score, ndcg_score

from tests.oracles.answers import Number, Why
from tests.oracles.group_rows import GroupRow, Lines, nearest
from tests.oracles.groups import gauc
from tests.oracles.ranking import (
    DIGITS,
    METRICS,
    arrangements,
    blocks_of,
    by_orders,
    by_rotations,
    count_orders,
    ranking,
)
from tests.oracles.ranking_closed import CLOSED, Blocks, Judged
from tests.tables.case import parsed
from tests.tables.groups import SPECS

# Parameters of all groups, not of one list.
OF_GROUPS = ("ties", "empty", "group_weight", "rel", "average", "k")


def settings() -> list[tuple[str, dict[str, Any]]]:
    """Each ranking metric with every set of parameters of its own that the table has."""
    own = [
        (name, {key: value for key, value in params.items() if key not in OF_GROUPS})
        for name, params in map(parsed, SPECS)
        if name in METRICS
    ]
    return [one for place, one in enumerate(own) if one not in own[:place]]


def some_blocks(dice: Random, sizes: tuple[int, ...], grades: int) -> Blocks:
    return tuple(tuple(Fraction(dice.randrange(grades)) for _ in range(n)) for n in sizes)


SHAPES = ((1,), (2,), (4,), (6,), (7,), (1, 3), (3, 1, 2), (2, 2, 2), (4, 3), (1, 1, 1, 1), (3, 4))


def close(left: Number, right: Number) -> bool:
    """Rationals are equal; decimals agree but for their last few digits."""
    if isinstance(left, Fraction):
        return left == right
    assert isinstance(right, Decimal)
    return abs(left - right) <= abs(left) * Decimal(10) ** (6 - DIGITS)


@pytest.mark.parametrize(("metric", "params"), settings(), ids=str)
def test_the_mean_over_all_orders(metric: str, params: dict[str, Any]) -> None:
    """By rotations of sums over ranks, and by the closed forms that there are."""
    if not METRICS[metric].graded:
        params = {**params, "rel": Fraction(1)}
    for blocks, known in some_lists(metric):
        brute = by_orders(metric, blocks, known, tuple(params.items()))
        with localcontext(prec=DIGITS):
            if METRICS[metric].adds:
                turned = by_rotations(metric, blocks, known, tuple(params.items()))
                assert close(brute, turned), (blocks, known)
            if metric in CLOSED:
                closed = CLOSED[metric](blocks, known, **params)
                assert close(brute, closed), (blocks, known)


def some_lists(metric: str) -> Iterator[tuple[Blocks, Judged]]:
    """Tied blocks of many shapes, cut at several ranks; precision and F1 need a cut."""
    for shape in SHAPES:
        dice = Random(f"{shape}")
        for levels in (2, 4):
            # Two rows that were not retrieved count in R and in the ideal list.
            blocks, others = some_blocks(dice, shape, levels), some_blocks(dice, (2,), levels)
            every = tuple(sorted(sum(blocks + others, ())))
            R = sum(grade >= 1 for grade in every)
            if not METRICS[metric].graded:
                blocks = tuple(tuple(Fraction(grade >= 1) for grade in block) for block in blocks)
            cuts = (1, 2, 3, sum(shape), sum(shape) + 2)
            for k in cuts if metric in ("precision", "f1") else (None, *cuts):
                if R:
                    yield blocks, Judged(R, every, k)


def test_arrangements_are_the_distinct_permutations() -> None:
    grades = tuple(map(Fraction, (0, 1, 1, 2, 0)))
    listed = list(arrangements(grades))
    assert set(listed) == set(permutations(grades))
    assert len(listed) == len(set(listed)) == count_orders((grades,)) == 30


# --- by hand -------------------------------------------------------------------------------------


def listed(grades: list[int], scores: list[float | None] | None = None) -> list[GroupRow]:
    """One group; without scores the rows stand in their order."""
    given = scores or [float(-place) for place in range(len(grades))]
    return [GroupRow((), Fraction(g), s) for g, s in zip(grades, given, strict=True)]


def only(lines: Lines) -> Number:
    (line,) = lines.lines
    assert line.value is not None
    return line.value


@pytest.mark.parametrize(
    ("metric", "k", "params", "expected"),
    [
        ("map", None, {}, (1 + Fraction(2, 3) + Fraction(3, 5)) / 4),
        ("map", 2, {}, Fraction(1, 4)),
        ("map", 2, {"denominator": "min"}, Fraction(1, 2)),
        ("mrr", None, {}, Fraction(1)),
        ("mrr", None, {"rel": 2}, Fraction(1, 3)),
        ("mrr", 2, {"rel": 2}, Fraction(0)),
        ("hit_rate", 2, {"rel": 2}, Fraction(0)),
        ("precision", 3, {}, Fraction(2, 3)),
        ("precision", 10, {}, Fraction(3, 10)),
        ("precision", 10, {"denominator": "min"}, Fraction(3, 5)),
        ("recall", 3, {}, Fraction(1, 2)),
        ("recall", 3, {"denominator": "min"}, Fraction(2, 3)),
        ("f1", 3, {}, Fraction(4, 7)),
        ("r_precision", None, {}, Fraction(1, 2)),
        ("cg", None, {}, Fraction(5)),
        ("cg", 3, {"gain": "exp2"}, Fraction(4)),
        ("rbp", None, {"p": 0.5}, Fraction(1, 2) * (1 + Fraction(1, 4) + Fraction(1, 16))),
        ("err", 3, {"max_grade": 2}, Fraction(1, 4) + Fraction(3, 4) * Fraction(3, 4) / 3),
    ],
)
def test_a_list_by_hand(
    metric: str, k: int | None, params: dict[str, Any], expected: Fraction
) -> None:
    """Grades 1 0 2 0 2 in that order, and one relevant row that was not retrieved."""
    rows = [*listed([1, 0, 2, 0, 2]), GroupRow((), Fraction(1), None)]
    assert only(ranking(metric, rows, k, **params)) == expected


def test_a_tie_by_hand() -> None:
    """One relevant row among three tied: each rank with a third."""
    rows = listed([1, 0, 0], [0.5, 0.5, 0.5])
    assert only(ranking("mrr", rows)) == (1 + Fraction(1, 2) + Fraction(1, 3)) / 3
    assert only(ranking("mrr", rows, 2)) == Fraction(1, 2)
    assert only(ranking("hit_rate", rows, 2)) == Fraction(2, 3)
    assert only(ranking("mrr", rows, ties="pessimistic")) == Fraction(1, 3)
    assert only(ranking("mrr", rows, ties="optimistic")) == 1
    assert only(ranking("mrr", rows, ties="stable")) == 1


def test_trec_goes_by_document_descending() -> None:
    """As bytes: "d9" is after "d10", and é after z."""
    names = ("d10", "d9", "é", "z")
    rows = [
        GroupRow((), Fraction(place), 1.0, document=n.encode()) for place, n in enumerate(names)
    ]
    assert blocks_of(rows, "trec") == tuple((Fraction(place),) for place in (2, 3, 1, 0))


@pytest.mark.parametrize(
    ("gain", "expected"), [("linear", "0.8183541905"), ("exp2", "0.7812708868")]
)
def test_the_seeds_ndcg(gain: str, expected: str) -> None:
    """Six rows retrieved, of eight."""
    rows = [*listed([3, 2, 3, 0, 1, 2]), *(GroupRow((), Fraction(g), None) for g in (3, 0))]
    assert f"{only(ranking('ndcg', rows, 6, gain=gain)):.10f}" == expected


def test_gauc_by_hand() -> None:
    """Users a (3 of 4 pairs, 4 rows) and b (1 tie, 2 rows); c has one class."""
    one, none = Fraction(1), Fraction(0)
    rows = [
        *(GroupRow(("a",), y, s) for y, s in [(none, 0.1), (none, 0.4), (one, 0.35), (one, 0.8)]),
        *(GroupRow(("b",), y, 0.5) for y in (one, none)),
        GroupRow(("c",), one, 0.9),
    ]
    assert gauc(rows).mean() == (4 * Fraction(3, 4) + 2 * Fraction(1, 2)) / 6
    assert gauc(rows, "pairs").mean() == (4 * Fraction(3, 4) + Fraction(1, 2)) / 5
    assert gauc(rows, "equal").mean() == Fraction(5, 8)
    assert gauc(rows, "equal", single_class=0.5).mean() == (Fraction(5, 4) + Fraction(1, 2)) / 3
    assert gauc(rows, min_rows=3).mean() == Fraction(3, 4)
    assert len(gauc(rows).used) == 2
    assert gauc(rows[-1:]).mean() == Why("no group has both classes")
    assert gauc([]).mean() == Why("there are no rows")


def test_a_mean_is_of_rounded_values() -> None:
    """0.1 and 0.7 are no floats: the mean of the nearest floats is not 0.4, not even rounded."""
    rows = [
        *(GroupRow((1,), Fraction(y), float(-s)) for s, y in enumerate([1, *[0] * 9])),
        *(GroupRow((2,), Fraction(y), float(-s)) for s, y in enumerate([1] * 7)),
    ]
    lines = ranking("precision", rows, 10)
    assert [line.value for line in lines.lines] == [Fraction(1, 10), Fraction(7, 10)]
    assert lines.mean() == (Fraction(0.1) + Fraction(0.7)) / 2
    assert float((Fraction(0.1) + Fraction(0.7)) / 2) != 0.4
    assert nearest(Fraction(1, 10)) == 0.1


# --- against scikit-learn ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_sklearn_has_the_same_expectation(seed: int) -> None:
    """Its NDCG averages over ties, and without ties its average precision is AP."""
    dice = Random(seed)
    size = dice.randrange(3, 8)
    grades = [dice.randrange(5) for _ in range(size - 1)] + [1]
    tied = [dice.randrange(3) / 4 for _ in range(size)]
    rows = listed(grades, list(tied))
    for k in (None, 2):
        expected = ndcg_score([grades], [tied], k=k)
        assert float(only(ranking("ndcg", rows, k))) == pytest.approx(expected, rel=1e-14)
    apart = dice.sample(range(100), size)
    value = only(ranking("map", listed(grades, [float(score) for score in apart])))
    assert float(value) == pytest.approx(
        average_precision_score([grade >= 1 for grade in grades], apart), rel=1e-14
    )
