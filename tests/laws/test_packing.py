"""Rows by group, score and grade: one sort of packed keys, compared with a plain sort.

The scores are those that packing could take for one another: alike in all but the last bits, equal,
below zero, both -0.0 and 0.0.
"""

from collections.abc import Callable

import numpy as np
import pytest

from steelyard import kernels
from steelyard.kernels.interface import GroupCodes
from steelyard.kernels.numpy import grouping, packing
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


@pytest.mark.parametrize("highest", [0, 1, 4, 255])
@pytest.mark.parametrize("numbers", [40, 1 << 18], ids=["few groups", "many numbers"])
@pytest.mark.parametrize("together", [False, True], ids=["shuffled", "side by side"])
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("sample", [False, True], ids=["whatever the sample says", "by the sample"])
def test_rows_are_sorted_by_group_score_and_grade(
    kind: str,
    together: bool,
    numbers: int,
    highest: int,
    sample: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not sample:
        monkeypatch.setattr(packing, "RARE", 0)  # packs whatever it finds
    dice = np.random.default_rng(7)
    codes, scores = dice.integers(0, 40, ROWS), SCORES[kind](dice)
    grades = dice.integers(0, highest + 1, ROWS).astype(np.uint8)
    if together:
        codes = np.sort(codes)
        starts = np.append(np.unique(codes, return_index=True)[1], ROWS)
        groups = GroupCodes(None, starts, (np.arange(40),))
    else:
        groups = GroupCodes(codes, None, (np.arange(numbers),))
    found = kernels.active().sort_groups(groups, scores, grades, rows=False)
    meant = np.lexsort((-grades.astype(int), -scores, codes))
    code, score = codes[meant], scores[meant]
    block_start = np.append(True, (code[1:] != code[:-1]) | (score[1:] != score[:-1]))
    assert found.grades.tolist() == grades[meant].tolist()
    assert found.block_start.tolist() == block_start.tolist()
    sizes = np.bincount(codes, minlength=len(found.starts) - 1)
    assert np.diff(found.starts).tolist() == sizes.tolist()


@pytest.mark.parametrize(
    ("kind", "packs"),
    [("far apart", True), ("once float32", True), ("float32, tied", True), ("alike", False)],
)
def test_keys_are_packed_only_where_that_is_faster(kind: str, packs: bool) -> None:
    """Not where most rows would have to be sorted again."""
    dice = np.random.default_rng(8)
    groups = GroupCodes(dice.integers(0, 40, ROWS), None, (np.arange(1 << 18),))
    found = packing.sort_packed(groups, SCORES[kind](dice), np.ones(ROWS, np.uint8))
    assert (found is not None) == packs


def test_only_some_groups_are_sorted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again = []
    whole = grouping._sort_rows

    def spy(groups: GroupCodes, scores: Array, grades: Array) -> object:
        again.append(len(scores))
        return whole(groups, scores, grades)

    monkeypatch.setattr(grouping, "_sort_rows", spy)
    dice = np.random.default_rng(9)
    scores = dice.random(ROWS)
    scores[:2] = 0.5, np.nextafter(0.5, 1)
    codes = np.arange(ROWS) // 3
    grouping.sort_groups(
        GroupCodes(codes, None, (np.arange(1 << 18),)), scores, np.ones(ROWS, np.uint8), rows=False
    )
    assert again == [3]


def test_float32_scores_that_do_not_fit_a_packed_key() -> None:
    """With 2**24 numbers and 256 grades, a float32 has a bit too many for the packed key."""
    scores = np.array([0.5, np.nextafter(np.float32(0.5), np.float32(1)), 0.5], np.float32)
    groups = GroupCodes(np.zeros(3, np.int64), None, (np.empty(1 << 24, np.int64),))
    grades = np.array([255, 0, 3], np.uint8)
    found = kernels.active().sort_groups(groups, scores, grades, rows=False)
    assert found.grades.tolist() == [0, 255, 3]
    assert found.block_start.tolist() == [True, True, False]
