"""Plain rows: both sets of kernels say the same of them, and what the other kernels say."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels.interface import (
    GroupAreas,
    GroupedRows,
    ListTerm,
    PlainBins,
    PlainListTerms,
    PlainTerms,
    RowCodes,
    RowTerm,
    ScoreChunk,
    TermColumns,
)
from steelyard.kernels.interface.lists import LIST_TERMS, Ties
from steelyard.kernels.interface.terms import SCORE_FORMULAS
from steelyard.model import Array
from tests.effort import random_cases

TYPES = (bool, np.uint8, np.int64, np.float32, np.float64)
KEYS = (np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64)
FORMULAS = [name for name in SCORE_FORMULAS if "amount" not in name]
ARGUMENTS = {"called": " 0.5", "hit": " 0.3"}
TERMS = [name for name in LIST_TERMS if name != "stops"]
TIES: tuple[Ties, ...] = ("expected", "optimistic", "pessimistic")


def plain(rng: np.random.Generator, rows: int) -> tuple[Array, Array]:
    """Labels and scores, few of which are not plain."""
    labels = rng.integers(0, 2, rows).astype(TYPES[rng.integers(5)])
    scores = rng.normal(0, 10.0 ** rng.integers(-30, 30), rows)
    if rng.random() < 0.5:
        scores = rng.choice([0.0, -0.0, 5e-324, -5e-324, 0.5, 1.0], rows)
    scores = scores.astype((np.float32, np.float64)[rng.integers(2)])
    if rows and rng.random() < 0.1:
        labels[rng.integers(rows)] = 2
    if rows and rng.random() < 0.1:
        scores[rng.integers(rows)] = rng.choice([np.nan, np.inf, -np.inf])
    return labels, scores[: rows - (rng.random() < 0.05)]


def test_they_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        [facts, *others] = [each.plain_rows(labels, scores) for each in every.values()]
        assert all(other == facts for other in others), seed
        [area, *more] = [each.plain_area(labels, scores) for each in every.values()]
        assert all(other == area for other in more), seed
        assert (area is None) == (facts is None)
        if area is not None and facts is not None:
            assert facts.positives == np.count_nonzero(labels)
            assert [facts.least, facts.largest] == [scores.min().item(), scores.max().item()]
            chunk = ScoreChunk(None, scores, labels.astype(bool))
            totals, _ = every["numpy"].curve_points([chunk], 1, 0, points=False)
            wanted = (totals.positives, totals.negatives, totals.doubled_area, totals.tied_pairs)
            assert [*area] == [column.item() for column in wanted], seed


def exact(found: PlainTerms | None) -> list[Fraction] | None:
    """The checks and the sums, with their unit."""
    if found is None:
        return None
    facts = [Fraction(found.positives), Fraction(found.least), Fraction(found.largest)]
    return facts + [each * Fraction(2) ** found.power for each in found.sums]


def test_terms_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        if rng.random() < 0.5:
            with np.errstate(invalid="ignore"):
                scores = scores / np.maximum(np.abs(scores).max(initial=1), 1)
        chosen = rng.choice(FORMULAS, rng.integers(0, 6), replace=False).tolist()
        formulas = tuple(each + ARGUMENTS.get(each, "") for each in chosen)
        with np.errstate(over="ignore"):
            [terms, *others] = [
                each.plain_terms(labels, scores, formulas) for each in every.values()
            ]
        assert all(exact(other) == exact(terms) for other in others), seed
        facts = every["numpy"].plain_rows(labels, scores)
        assert (terms is None) == (facts is None)
        if terms is not None and facts is not None:
            assert (terms.positives, terms.least, terms.largest) == facts
            outside = facts.least < 0 or facts.largest > 1
            columns = TermColumns(
                len(scores), score=scores, positive=labels.astype(bool), outside=outside
            )
            rows = [RowTerm(each, True) for each in formulas]
            with np.errstate(over="ignore"):
                [sums] = every["numpy"].add_terms([RowCodes(None, 1)], columns, rows)
            wanted = [sum(int(d[0]) * Fraction(2) ** p for p, d in each.items()) for each in sums]
            assert (exact(terms) or [])[3:] == wanted, seed


def by_group(found: GroupAreas | PlainListTerms | None) -> list[tuple[bytes, ...]] | None:
    """The groups in an order that all kernels have."""
    if found is None:
        return None
    if isinstance(found, GroupAreas):
        columns = [*found[2:]]
    else:
        columns = [found.rows, *(column for columns in found.columns for column in columns)]
    assert all(column.dtype in (np.int64, np.float64) for column in columns)
    return sorted(tuple(each.tobytes() for each in row) for row in zip(*columns, strict=True))


def test_groups_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        keys = rng.integers(0, rng.integers(1, 20), len(labels)).astype(KEYS[rng.integers(6)])
        groups = [each.plain_group_areas(labels, scores, keys) for each in every.values()]
        [areas, *others] = map(by_group, groups)
        assert all(other == areas for other in others), seed
        assert (areas is None) == (every["numpy"].plain_rows(labels, scores) is None)
        if areas is not None:
            codes, firsts = every["numpy"].code_keys((keys,))
            rows = GroupedRows(codes, len(firsts), scores, labels.astype(np.uint8))
            [wanted] = every["numpy"].group_areas(rows, None, 0, None)
            wide = (column.astype(np.int64) for column in wanted[2:])
            assert areas == by_group(GroupAreas(wanted.groups, None, *wide)), seed


def test_lists_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        if labels.dtype != bool:
            labels = labels * rng.choice([0, 1, 3, 200, 255, 300, -1, 0.5], len(labels))
            with np.errstate(invalid="ignore", over="ignore"):
                labels = labels.astype(TYPES[rng.integers(1, 5)])
        keys = rng.integers(0, rng.integers(1, 20), len(labels)).astype(KEYS[rng.integers(6)])
        given = keys if rng.random() < 0.8 else None
        names = rng.choice(TERMS, rng.integers(0, 4)).tolist()
        k = None if rng.random() < 0.5 else int(rng.integers(1, 9))
        terms = tuple(
            ListTerm(
                name, k, float(rng.choice([0.5, 1.0, 3.0])), str(rng.choice(["linear", "exp2"]))
            )
            for name in names
        )
        ties = TIES[rng.integers(3)]
        with np.errstate(over="ignore", invalid="ignore"):
            found = [
                each.plain_list_terms(labels, scores, given, ties, terms) for each in every.values()
            ]
        [lists, *others] = map(by_group, found)
        assert all(other == lists for other in others), seed


def bins_of(found: PlainBins | None) -> list[Any] | None:
    """The bins, their sums as fractions."""
    if found is None:
        return None
    sums = [
        [sum(int(d[place]) * Fraction(2) ** p for p, d in each.items()) for each in found[3:]]
        for place in range(len(found.numbers))
    ]
    return [*(column.tolist() for column in found[:3]), sums]


def test_bins_agree() -> None:
    every = kernels.available()
    for seed in range(random_cases(300, 100_000)):
        rng = np.random.default_rng(seed)
        labels, scores = plain(rng, int(rng.integers(0, 60)))
        if rng.random() < 0.9:
            kinds = [rng.random(len(scores)), rng.integers(0, 5, len(scores)) / 4]
            kinds.append(rng.choice([0.0, -0.0, 5e-324, 1e-300, 0.5, 1.0], len(scores)))
            scores = kinds[rng.integers(3)].astype(scores.dtype)
        count = int(rng.integers(1, 20))
        found = [each.plain_level_bins(labels, scores, count) for each in every.values()]
        [bins, *others] = map(bins_of, found)
        assert all(other == bins for other in others), seed
        facts = every["numpy"].plain_rows(labels, scores)
        usual = facts is not None and facts.least >= 0 and facts.largest <= 1
        assert (bins is None) != usual
        if bins is not None:
            numbers, weight, positives, sums = bins
            assert [sum(weight), sum(positives)] == [len(labels), np.count_nonzero(labels)]
            assert sum(each[0] for each in sums) == sum(map(Fraction, scores.tolist()))
            assert numbers == sorted({*numbers})


@pytest.mark.parametrize("kernel", list(kernels.available()))
def test_grades_are_from_0_to_255(kernel: str) -> None:
    found, scores = kernels.available()[kernel], np.array([0.5, 0.25])
    for strange in (-1, 256, 0.5, float("nan"), float("inf")):
        grades = np.array([1.0, strange])
        assert found.plain_list_terms(grades, scores, None, "expected", ()) is None
    made = found.plain_list_terms(np.array([255, 0]), scores, None, "expected", ())
    assert made is not None
    assert made.rows.tolist() == [2]


@pytest.mark.parametrize("kernel", list(kernels.available()))
def test_sums_that_128_bits_do_not_hold(kernel: str) -> None:
    found = kernels.available()[kernel]
    made = found.plain_terms(np.array([0, 1]), np.array([1e300, 1e-300]), ("score",))
    assert made is not None
    assert Fraction(made.sums[0]) * Fraction(2) ** made.power == Fraction(1e300) + Fraction(1e-300)


@pytest.mark.parametrize("kernel", list(kernels.available()))
@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        ([], []),
        ([0, 1], [0.5]),
        ([0, 2], [0.5, 0.5]),
        ([0, -1], [0.5, 0.5]),
        ([0.0, float("nan")], [0.5, 0.5]),
        ([0.0, 0.5], [0.5, 0.5]),
        ([0, 1], [0.5, float("inf")]),
        ([0, 1], [0.5, float("nan")]),
    ],
)
def test_what_is_declined(kernel: str, labels: list[float], scores: list[float]) -> None:
    found = kernels.available()[kernel]
    columns = np.array(labels), np.array(scores, np.float64)
    assert found.plain_rows(*columns) is None
    assert found.plain_area(*columns) is None
    assert found.plain_terms(*columns, ("one",)) is None
    assert found.plain_group_areas(*columns, np.zeros(len(labels), np.int64)) is None
