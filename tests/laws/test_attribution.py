"""The parts of a change add up to it, as fractions; oracles on rows, one pair at a time."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.diagnosis.parts.attribution import (
    MeanSums,
    PairSums,
    parts_of_entropy,
    parts_of_mean,
    parts_of_pairs,
)
from steelyard.metrics.entropy import entropy

Rows = Sequence[tuple[int, int, int, int]]  # slice, label, score, weight

SLICES = 4
ROW = st.tuples(st.integers(0, SLICES - 1), st.integers(0, 1), st.integers(0, 5), st.integers(1, 3))
LOG = st.lists(ROW, min_size=2, max_size=25).filter(lambda rows: {row[1] for row in rows} == {0, 1})


def pair_sums(rows: Rows) -> PairSums:
    """By definition: every positive with every negative."""
    areas = [[0] * SLICES for _ in range(SLICES)]
    for up, down in product(rows, rows):
        if up[1] == 1 and down[1] == 0:
            won = 2 * (up[2] > down[2]) + (up[2] == down[2])
            areas[up[0]][down[0]] += won * up[3] * down[3]
    sides = [
        [sum(row[3] for row in rows if row[:2] == (k, side)) for k in range(SLICES)]
        for side in (1, 0)
    ]
    return PairSums(sides[0], sides[1], areas)


def auc(rows: Rows) -> Fraction | None:
    pairs = [(up, down) for up, down in product(rows, rows) if up[1] > down[1]]
    weight = sum(up[3] * down[3] for up, down in pairs)
    won = sum((2 * (up[2] > down[2]) + (up[2] == down[2])) * up[3] * down[3] for up, down in pairs)
    return Fraction(won, 2 * weight) if weight else None


def mean_sums(rows: Rows, top: int, bottom: int) -> MeanSums:
    """Sums of (1, label, score + 1, weight) by slice."""
    terms = [(1, row[1] * row[3], (row[2] + 1) * row[3], row[3]) for row in rows]
    sums = [
        [sum(t[place] for t, row in zip(terms, rows, strict=True) if row[0] == k) for k in range(4)]
        for place in (top, bottom)
    ]
    return MeanSums(*([Fraction(number) for number in column] for column in sums))


@given(LOG, LOG)
def test_the_parts_of_auc_add_up(before: Rows, after: Rows) -> None:
    sums = pair_sums(before), pair_sums(after)
    assert [each.value for each in sums] == [auc(before), auc(after)]
    parts = parts_of_pairs(*sums)
    assert sum(part.total for part in parts) == sums[1].value - sums[0].value


@pytest.mark.parametrize("terms", [(1, 3), (1, 2), (2, 3)], ids=["ctr", "copc", "logloss"])
@given(before=LOG, after=LOG)
def test_the_parts_of_means_add_up(terms: tuple[int, int], before: Rows, after: Rows) -> None:
    sums = mean_sums(before, *terms), mean_sums(after, *terms)
    parts = parts_of_mean(*sums)
    assert sum(part.total for part in parts) == sums[1].value - sums[0].value


@given(LOG, LOG)
def test_the_parts_of_normalized_entropy_add_up(before: Rows, after: Rows) -> None:
    losses = mean_sums(before, 2, 3), mean_sums(after, 2, 3)
    bases = [
        entropy(*(sum(row[3] for row in rows if row[1] == y) for y in (1, 0)))
        for rows in (before, after)
    ]
    parts, base = parts_of_entropy(losses, (bases[0], bases[1]))
    change = losses[1].value / bases[1] - losses[0].value / bases[0]
    assert sum(part.total for part in parts) + base == change


def test_equal_logs_have_no_parts() -> None:
    rows = [(0, 1, 3, 1), (0, 0, 2, 1), (1, 1, 1, 2), (1, 0, 4, 1)]
    parts = parts_of_pairs(pair_sums(rows), pair_sums(rows))
    assert {part.total for part in parts} == {0}


def test_a_slice_on_one_side_is_mix_alone() -> None:
    before = [(0, 1, 3, 1), (0, 0, 2, 1)]
    after = [*before, (1, 1, 0, 1), (1, 0, 5, 1)]
    parts = parts_of_pairs(pair_sums(before), pair_sums(after))
    assert [part.within for part in parts] == [0] * SLICES
    assert sum(part.mix for part in parts) == Fraction(1, 4) - 1
    means = parts_of_mean(mean_sums(before, 2, 3), mean_sums(after, 2, 3))
    assert [part.within for part in means] == [0] * SLICES


def test_copies_of_all_rows_change_nothing() -> None:
    """A log that is twice another has the same shares and values: no part is above 0."""
    rows = [(0, 1, 3, 1), (0, 0, 2, 1), (1, 1, 1, 2), (1, 0, 4, 1)]
    for part in parts_of_pairs(pair_sums(rows), pair_sums(rows * 2)):
        assert part.within == part.mix == 0


def test_clicks_without_predictions_are_counted() -> None:
    """A slice whose predictions are all 0 has no COPC, and still its clicks are part of the sum."""
    before = MeanSums([Fraction(3), Fraction(0)], [Fraction(3), Fraction(0)])
    after = MeanSums([Fraction(3), Fraction(2)], [Fraction(3), Fraction(0)])
    parts = parts_of_mean(before, after)
    assert sum(part.total for part in parts) == Fraction(2, 3)


# Bickel, Hammel & O'Connell (1975), Science 187:398: applicants and admitted by department A to F.
MEN = [(825, 512), (560, 353), (325, 120), (417, 138), (191, 53), (373, 22)]
WOMEN = [(108, 89), (25, 17), (593, 202), (375, 131), (393, 94), (341, 24)]


def test_admissions_at_berkeley() -> None:
    men, women = (
        MeanSums([Fraction(a) for _, a in side], [Fraction(n) for n, _ in side])
        for side in (MEN, WOMEN)
    )
    assert round(float(men.value), 6) == 0.445188
    assert round(float(women.value), 6) == 0.303542
    parts = parts_of_mean(women, men)
    within, mix = sum(part.within for part in parts), sum(part.mix for part in parts)
    assert within + mix == men.value - women.value
    assert round(float(within), 6) == -0.036028
    assert round(float(mix), 6) == 0.177674  # women applied where few are admitted
