"""Plain rows: labels of 0 and 1, finite scores, no weights."""

import math

import numpy as np

from steelyard.kernels.interface import (
    Array,
    ExactSums,
    GroupAreas,
    GroupedRows,
    ListTerm,
    PlainArea,
    PlainBins,
    PlainListTerms,
    PlainRows,
    PlainTerms,
    RowCodes,
    RowTerm,
    ScoreChunk,
    TermColumns,
    Ties,
)
from steelyard.kernels.numpy.adding_terms import add_terms
from steelyard.kernels.numpy.group_areas import group_areas
from steelyard.kernels.numpy.keys import code_keys
from steelyard.kernels.numpy.levels.bins import level_bins
from steelyard.kernels.numpy.levels.sums import level_sums
from steelyard.kernels.numpy.lists.ranking import rank_lists
from steelyard.kernels.numpy.lists.terms import list_gains
from steelyard.kernels.numpy.score_sorting import sort_scores
from steelyard.kernels.ragged import steps

MOST_GRADE = 255


def plain_rows(labels: Array, scores: Array) -> PlainRows | None:
    """What readers check of rows of two classes."""
    if len(labels) != len(scores) or not len(scores):
        return None
    positives = int(np.count_nonzero(labels))
    if labels.dtype != bool and np.count_nonzero(labels == 1) != positives:  # the others are 0
        return None
    ends = _ends(scores)
    return None if ends is None else PlainRows(positives, *ends)


def _ends(scores: Array) -> tuple[float, float] | None:
    """The least and the largest score, neither of them -0.0; None where one is not finite."""
    # NaN where a score is; -0.0 is 0.0 in all results.
    least, largest = scores.min().item() + 0.0, scores.max().item() + 0.0
    return (least, largest) if -math.inf < least <= largest < math.inf else None


def plain_area(labels: Array, scores: Array) -> PlainArea | None:
    """The same checks, and the area, from the place of each positive among the negatives."""
    found = plain_rows(labels, scores)
    if found is None:
        return None
    positive = labels.astype(bool, copy=False)
    up, down = scores[positive], scores[~positive]
    up.sort()  # in order they are placed in a fifth of the time
    down.sort()
    below, reached = down.searchsorted(up), down.searchsorted(up, side="right")
    tied = int((reached - below).sum())
    return PlainArea(len(up), len(down), 2 * int(below.sum()) + tied, tied)


def plain_terms(labels: Array, scores: Array, formulas: tuple[str, ...]) -> PlainTerms | None:
    """The same checks, and the exact sum of each formula over all rows."""
    found = plain_rows(labels, scores)
    if found is None:
        return None
    columns = TermColumns(
        len(scores),
        score=scores,
        positive=labels.astype(bool, copy=False),
        outside=found.least < 0 or found.largest > 1,
    )
    [sums] = add_terms([RowCodes(None, 1)], columns, [RowTerm(each, False) for each in formulas])
    power = min((power for column in sums for power in column), default=0)
    whole = [sum(int(digit[0]) << own - power for own, digit in each.items()) for each in sums]
    return PlainTerms(*found, power, whole)


def plain_group_areas(labels: Array, scores: Array, keys: Array) -> GroupAreas | None:
    """The same checks, and the groups of the total; their columns are int64."""
    if plain_rows(labels, scores) is None:
        return None
    codes, firsts = code_keys((keys,))
    rows = GroupedRows(codes, len(firsts), scores, labels.astype(np.uint8))
    [found] = group_areas(rows, None, 0, None)
    return GroupAreas(found.groups, None, *(column.astype(np.int64) for column in found[2:]))


def plain_list_terms(
    grades: Array, scores: Array, keys: Array | None, ties: Ties, terms: tuple[ListTerm, ...]
) -> PlainListTerms | None:
    """The lists of rows with grades, by named terms."""
    if len(grades) != len(scores) or not len(scores) or _ends(scores) is None:
        return None
    if not (grades.min() >= 0 and grades.max() <= MOST_GRADE):  # a NaN is neither
        return None
    narrow = grades.astype(np.uint8)
    if (narrow != grades).any():
        return None
    codes, count = np.zeros(len(scores), np.uint32), 1
    if keys is not None:
        codes, firsts = code_keys((keys,))
        count = len(firsts)
    [lists] = rank_lists(GroupedRows(codes, count, scores, narrow), None, ties, None)
    return PlainListTerms(lists.rows, list_gains(lists, terms))


def plain_level_bins(labels: Array, scores: Array, bins: int) -> PlainBins | None:
    """The same checks, and the bins of all rows."""
    found = plain_rows(labels, scores)
    if found is None or found.least < 0 or found.largest > 1:
        return None
    rows = ScoreChunk(None, scores, labels.astype(bool, copy=False))
    both = sort_scores([rows], 1, 0)[:2]
    made = level_bins(*both, np.array([len(scores)]), np.zeros(1, np.int64), bins)
    bounds = made.positives, made.negatives
    sums = []
    for term in ("expected", "variance"):
        up, down = (level_sums(*side, term, None) for side in zip(both, bounds, strict=True))
        sums.append({power: _sum(up, down, power) for power in sorted({*up, *down})})
    positives, negatives = map(steps, bounds)
    return PlainBins(made.numbers, positives + negatives, positives, *sums)


def _sum(left: ExactSums, right: ExactSums, power: int) -> Array:
    """A digit of the sums of two columns; one of them may have none."""
    both = [column[power] for column in (left, right) if power in column]
    return both[0] + both[1] if len(both) == 2 else both[0]
