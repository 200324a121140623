"""The compiled kernels of groups and lists give the bits of the NumPy kernels."""

from typing import Any

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels import threads
from steelyard.kernels.interface import Array, GroupedRows, ListTerm, RankedLists
from steelyard.kernels.interface.lists import LIST_TERMS
from tests.laws.group_rows import draw_groups
from tests.laws.test_rust_kernels import is_same

pytestmark = pytest.mark.skipif("rust" not in kernels.available(), reason="they were not built")


def both() -> Any:
    return (kernels.available()[name] for name in ("rust", "numpy"))


def check_areas(seed: int, large: bool) -> None:
    drawn = draw_groups(seed, large)
    rust, specification = both()
    expected = specification.group_areas(*drawn[:4])
    for number in (1, 3):
        with threads.limited(number):
            found = rust.group_areas(*drawn[:4])
        assert len(found) == len(expected)
        for table, wanted in zip(found, expected, strict=True):
            assert all(map(is_same, table, wanted)), seed


def test_areas_of_groups_have_the_bits_of_the_specification() -> None:
    for seed in range(300):
        check_areas(seed, large=False)


def test_areas_of_groups_of_many_parts_have_the_bits_of_the_specification() -> None:
    for seed in range(6):
        check_areas(seed, large=True)


@pytest.mark.full
def test_areas_of_groups_of_many_seeds() -> None:
    for seed in range(1000, 51_000):
        check_areas(seed, large=seed % 500 == 0)


def check_lists(seed: int, large: bool) -> None:
    drawn = draw_groups(seed, large)
    rust, specification = both()
    ties = ("expected", "optimistic", "pessimistic", "keys")[seed % 4]
    keys = drawn.keys if ties == "keys" else None
    expected = specification.rank_lists(drawn.rows, drawn.unscored, ties, keys)
    for number in (1, 3):
        with threads.limited(number):
            found = rust.rank_lists(drawn.rows, drawn.unscored, ties, keys)
        assert len(found) == len(expected)
        for table, wanted in zip(found, expected, strict=True):
            assert all(map(is_same, table[:-1], wanted[:-1])), seed
            assert (table.judged is None) == (wanted.judged is None)
            if table.judged is not None:
                assert all(map(is_same, sorted_judged(table), sorted_judged(wanted))), seed


def draw_terms(rng: np.random.Generator) -> list[ListTerm]:
    """Every named term once; k, rel and gain at random."""
    return [
        ListTerm(
            name,
            None if rng.random() < 0.3 else int(rng.choice([0, 1, 2, 5, 10, 1000])),
            float(rng.choice([0.5, 1.0, 2.0])),
            str(rng.choice(["linear", "exp2"])),
            p=float(rng.choice([0.0, 0.8, 1.0])),
            max_grade=4,
        )
        for name in LIST_TERMS
    ]


def check_terms(seed: int, large: bool) -> None:
    drawn = draw_groups(seed, large)
    rust, specification = both()
    ties = ("expected", "optimistic", "pessimistic", "expected")[seed % 4]
    terms = draw_terms(np.random.default_rng(seed))
    for lists in specification.rank_lists(drawn.rows, drawn.unscored, ties, None):
        expected = specification.list_gains(lists, terms)
        for number in (1, 3):
            with threads.limited(number):
                found = rust.list_gains(lists, terms)
            for columns, wanted, term in zip(found, expected, terms, strict=True):
                assert len(columns) == len(wanted)
                assert all(map(is_same, columns, wanted)), (seed, term)


def test_terms_of_lists_have_the_bits_of_the_specification() -> None:
    for seed in range(200):
        check_terms(seed, large=False)


@pytest.mark.full
def test_terms_of_lists_of_many_seeds() -> None:
    for seed in range(1000, 31_000):
        check_terms(seed, large=seed % 500 == 0)


def sorted_judged(lists: RankedLists) -> tuple[Array, Array]:
    """Grades of unscored rows have no order within a list."""
    assert lists.judged is not None
    starts, grades = lists.judged
    groups = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return starts, grades[np.lexsort((grades, groups))]


def test_lists_have_the_bits_of_the_specification() -> None:
    for seed in range(300):
        check_lists(seed, large=False)


def test_lists_of_many_parts_have_the_bits_of_the_specification() -> None:
    for seed in range(8):
        check_lists(seed, large=True)


@pytest.mark.full
def test_lists_of_many_seeds() -> None:
    for seed in range(1000, 51_000):
        check_lists(seed, large=seed % 500 == 0)


@pytest.mark.parametrize(
    "weights",
    [
        np.array([2.0**-1074, 2.0**1000, 1.0]),
        tuple(np.full(3, 2**31 - 1, np.uint32) for _ in range(4)),
    ],
    ids=["floats", "digits"],
)
def test_weights_beyond_62_bits_are_left_to_numpy(weights: Any) -> None:
    rows = draw_groups(0, False).rows
    assert rows is not None
    three = np.arange(3)
    few = rows._replace(
        codes=three.astype(np.uint32) % 2,
        groups=2,
        scores=three / 4,
        grades=np.array([1, 1, 0], np.uint8),
        slices=(),
    )
    unit = -1074 if isinstance(weights, np.ndarray) else 0
    rust, specification = both()
    for found, wanted in zip(
        rust.group_areas(few, weights, unit, None),
        specification.group_areas(few, weights, unit, None),
        strict=True,
    ):
        assert all(map(is_same, found, wanted))


def test_group_columns_that_do_not_fit_are_an_error() -> None:
    """The binding checks what it is given, and a code beyond the groups is the last one."""
    from steelyard.kernels import _rust

    codes, scores, grades = np.arange(3, dtype=np.uint32), np.zeros(3), np.ones(3, np.uint8)
    rows: Any
    for rows in (
        (codes[:2], 3, scores, grades, None, []),
        (codes, 3, scores, grades[:2], None, []),
        (codes, 3, scores, grades, np.zeros(2, bool), []),
        (codes, 3, scores, grades, None, [codes[:1]]),
    ):
        with pytest.raises(ValueError, match="different lengths"):
            _rust.group_areas(rows, None, 0, None, 1)
        with pytest.raises(ValueError, match="different lengths"):
            _rust.rank_lists(rows, "expected", None, 1)
    rows = (codes, 3, scores, grades, None, [])
    with pytest.raises(ValueError, match="different lengths"):
        _rust.group_areas(rows, np.ones(2), 0, None, 1)
    with pytest.raises(ValueError, match="a key for each row"):
        _rust.rank_lists(rows, "keys", np.zeros(2, np.int64), 1)
    with pytest.raises(ValueError, match="without groups"):
        _rust.rank_lists((codes, 0, *rows[2:]), "expected", None, 1)
    assert _rust.group_areas((codes + 7, *rows[1:]), None, 0, None, 1) is not None
    lists = np.array([0, 2, 1]), grades, codes, codes, None
    term = "gain", 9, 0.0, False, 0.0, np.ones(9)
    assert _rust.list_gains(lists, term, np.empty(2), 1)
    with pytest.raises(ValueError, match="another length"):
        _rust.list_gains(lists, term, np.empty(3), 1)


def test_long_tied_lists_have_the_bits_of_the_specification() -> None:
    """Heavy ties in one list of many rows: its rows are sorted, not compared with one another."""
    rng = np.random.default_rng(5)
    count = 60_000
    scores = np.round(rng.random(count), 2)
    grades = (rng.random(count) < 0.4) * rng.integers(1, 4, count)
    rows = GroupedRows(np.zeros(count, np.uint32), 1, scores, grades.astype(np.uint8))
    rust, specification = both()
    for ties in ("expected", "optimistic", "pessimistic", "keys"):
        keys = rng.integers(0, 9, count) if ties == "keys" else None
        (found,), (wanted,) = (k.rank_lists(rows, None, ties, keys) for k in (rust, specification))
        assert all(map(is_same, found[:-1], wanted[:-1]))
