"""Rows by group, score and grade: one sort of packed keys, compared with a plain sort.

The scores are those that packing could take for one another: alike in all but the last bits, equal,
below zero, both -0.0 and 0.0.
"""

from collections.abc import Callable

import numpy as np
import pytest

from steelyard.kernels.interface import GroupedRows
from steelyard.kernels.numpy import grouping, packing
from steelyard.kernels.numpy.sorted_groups import SortedGroups
from steelyard.model import Array

ROWS = 3000
Dice = np.random.Generator


def alike(dice: Dice) -> Array:
    """Neighbours among the float64: they differ in the last two bits."""
    return 0.3 + dice.integers(0, 4, ROWS) * 2.0**-54


def few_alike(dice: Dice) -> Array:
    """Scores far apart, save for two of one group in a hundred."""
    scores = dice.random(ROWS)
    scores[::100] = np.nextafter(0.5, dice.integers(0, 2, ROWS)[::100])
    return scores


SCORES: dict[str, Callable[[Dice], Array]] = {
    "far apart": lambda dice: dice.normal(size=ROWS),
    "alike": alike,
    "a few alike": few_alike,
    "tied": lambda dice: dice.integers(-3, 4, ROWS) / 8,
    "zeros": lambda dice: dice.choice([0.0, -0.0, 5e-324, -5e-324], ROWS),
    "once float32": lambda dice: dice.random(ROWS, dtype=np.float32).astype(float),
    "float32": lambda dice: dice.normal(size=ROWS).astype(np.float32),
    "float32, tied": lambda dice: dice.integers(-3, 4, ROWS).astype(np.float32),
}


def rows_of(codes: Array, scores: Array, grades: Array, *slices: Array) -> GroupedRows:
    return GroupedRows(codes.astype(np.uint32), int(codes.max()) + 1, scores, grades, slices)


def check(
    found: SortedGroups, rows: GroupedRows, codes: Array, slices: Array | None, tables: str
) -> None:
    """The table is that of a plain sort by slice, group, score, grade."""
    of_slice = np.zeros(len(codes), int) if slices is None else slices
    meant = np.lexsort((-rows.grades.astype(float), -rows.scores, codes, of_slice))
    pair = of_slice[meant] * (codes.max() + 1) + codes[meant]
    score = rows.scores[meant]
    first = np.append(True, pair[1:] != pair[:-1])
    block_start = first | np.append(True, score[1:] != score[:-1])
    assert found.grades.tolist() == rows.grades[meant].tolist(), tables
    assert found.block_start.tolist() == block_start.tolist(), tables
    assert found.starts.tolist() == [*np.flatnonzero(first).tolist(), len(codes)], tables
    assert found.groups.tolist() == codes[meant][first].tolist(), tables
    if slices is None:
        assert found.slices is None
    else:
        assert found.slices is not None
        assert found.slices.tolist() == of_slice[meant][first].tolist(), tables
    if found.rows is not None:
        assert found.rows.tolist() == meant.tolist(), tables


@pytest.mark.parametrize("highest", [0, 1, 4, 255])
@pytest.mark.parametrize("groups", [40, 1500], ids=["few groups", "many groups"])
@pytest.mark.parametrize("together", [False, True], ids=["shuffled", "side by side"])
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("sample", [False, True], ids=["whatever the sample says", "by the sample"])
def test_rows_are_sorted_by_slice_group_score_and_grade(
    kind: str,
    together: bool,
    groups: int,
    highest: int,
    sample: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not sample:
        monkeypatch.setattr(packing, "RARE", 0)  # packs whatever it finds
    dice = np.random.default_rng(7)
    codes, scores = dice.integers(0, groups, ROWS), SCORES[kind](dice)
    codes = np.unique(codes, return_inverse=True)[1]  # every number has a row
    grades = dice.integers(0, highest + 1, ROWS).astype(np.uint8)
    codes = np.sort(codes) if together else codes
    few, many = dice.integers(0, 3, ROWS), dice.integers(0, 70_000, ROWS)
    for with_rows in (False, True):
        for slices in ((), (few,), (few, many)):
            rows = rows_of(codes, scores, grades, *slices)
            found = grouping.sort_groups(rows, with_rows=with_rows)
            assert len(found) == 1 + len(slices)
            for table, by in zip(found, (None, *slices), strict=True):
                check(table, rows, codes, by, f"{len(slices)} slicings, rows {with_rows}")
            assert not with_rows or all(table.rows is not None for table in found)


@pytest.mark.parametrize("kind", SCORES)
def test_unscored_rows_are_in_no_list(kind: str) -> None:
    """A group without scored rows has an empty list; grades are not whole."""
    dice = np.random.default_rng(5)
    codes, scores = dice.integers(0, 700, ROWS), SCORES[kind](dice)
    codes = np.unique(codes, return_inverse=True)[1]
    grades, unscored = dice.integers(0, 9, ROWS) / 4, dice.random(ROWS) < 0.4
    few = dice.integers(0, 3, ROWS)
    rows = rows_of(codes, scores, grades, few)
    tables = grouping.sort_groups(rows, unscored, with_rows=False)
    for table, by in zip(tables, (np.zeros(ROWS, int), few), strict=True):
        pairs = sorted(set(zip(by.tolist(), codes.tolist(), strict=True)))
        assert table.groups.tolist() == [group for _, group in pairs]
        assert table.judged is not None
        starts, judged = table.judged
        for place, (slice_, group) in enumerate(pairs):
            own = (by == slice_) & (codes == group)
            listed = sorted(zip(-scores[own & ~unscored], -grades[own & ~unscored], strict=True))
            some = slice(table.starts[place], table.starts[place + 1])
            assert table.grades[some].tolist() == [-grade for _, grade in listed]
            wanted = [i == 0 or listed[i][0] != listed[i - 1][0] for i in range(len(listed))]
            assert table.block_start[some].tolist() == wanted
            rest = judged[starts[place] : starts[place + 1]]
            assert sorted(rest) == sorted(grades[own & unscored])


@pytest.mark.parametrize(
    ("kind", "packs"),
    [("far apart", True), ("once float32", True), ("float32, tied", True), ("alike", False)],
)
def test_keys_are_packed_only_where_that_is_faster(kind: str, packs: bool) -> None:
    """Not where most rows would have to be sorted again."""
    dice = np.random.default_rng(8)
    codes = dice.integers(0, 40, ROWS).astype(np.uint32)
    rows = GroupedRows(codes, 1 << 18, SCORES[kind](dice), np.ones(ROWS, np.uint8))
    assert (packing.sort_packed(rows, None) is not None) == packs


def test_only_some_groups_are_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again = []
    whole = grouping._sort_rows

    def spy(rows: GroupedRows, starts: Array | None) -> object:
        again.append(len(rows.scores))
        return whole(rows, starts)

    monkeypatch.setattr(grouping, "_sort_rows", spy)
    dice = np.random.default_rng(9)
    scores = dice.random(ROWS)
    codes = dice.permutation(ROWS) // 3
    scores[codes == 0] = 0.5, np.nextafter(0.5, 1), 0.25
    grouping.sort_groups(rows_of(codes, scores, np.ones(ROWS, np.uint8)), with_rows=False)
    assert again == [3]


def test_float32_scores_that_do_not_fit_a_packed_key() -> None:
    """With 2**24 numbers and 256 grades, a float32 has a bit too many for the packed key."""
    scores = np.array([0.5, np.nextafter(np.float32(0.5), np.float32(1)), 0.5], np.float32)
    grades = np.array([255, 0, 3], np.uint8)
    rows = GroupedRows(np.array([1, 0, 1], np.uint32), 1 << 24, scores, grades)
    assert packing.sort_packed(rows, None) is None
    (found,) = grouping.sort_groups(rows._replace(groups=2), with_rows=False)
    assert found.grades.tolist() == [0, 255, 3]
    assert found.block_start.tolist() == [True, True, False]


@pytest.mark.parametrize("slices", [(), (np.zeros(0, np.int64),)], ids=["total", "by"])
@pytest.mark.parametrize("with_rows", [False, True])
def test_no_rows(slices: tuple[Array, ...], with_rows: bool) -> None:
    none = np.zeros(0)
    rows = GroupedRows(none.astype(np.uint32), 0, none, none.astype(np.uint8), slices)
    for table in grouping.sort_groups(rows, with_rows=with_rows):
        assert table.starts.tolist() == [0]
        assert not any(map(len, (table.groups, table.grades, table.block_start)))
