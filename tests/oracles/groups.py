"""GAUC, literally: every pair of a positive and a negative of one group is looked at."""

from collections.abc import Iterable
from fractions import Fraction

from tests.oracles.answers import AnyAnswer, Why
from tests.oracles.group_rows import (
    ALL_SMALL,
    NO_GROUP_WITH_BOTH,
    NO_ROWS,
    TOO_FEW,
    GroupRow,
    Lines,
    column_weight,
    groups,
    line,
    nearest,
)
from tests.oracles.histograms import equal_edges, in_bin

Rows = list[GroupRow]
CHOICES = ("rows", "positives", "pairs", "equal")


def gauc(
    rows: Iterable[GroupRow],
    group_weight: str = "rows",
    single_class: float | str = "skip",
    min_rows: int = 1,
) -> Lines:
    """The mean of the groups' AUCs, by the groups' weights.

    `min_rows` counts rows, not weight: a group of two rows that weigh a tenth each is no smaller
    than it was, and the default of 1 leaves no group out.
    """
    lines = [
        line(
            group,
            group_weight_of(group, group_weight),
            group_auc(group, single_class) if len(group) >= min_rows else None,
        )
        for group in groups(rows).values()
    ]
    if single_class != "skip":
        return Lines(tuple(lines), ALL_SMALL)
    return Lines(tuple(lines), NO_GROUP_WITH_BOTH if min_rows == 1 else TOO_FEW)


def uauc(rows: Iterable[GroupRow], single_class: float | str = "skip", min_rows: int = 1) -> Lines:
    """GAUC where all groups count alike."""
    return gauc(rows, "equal", single_class, min_rows)


def group_values(lines: Lines, bins: int = 20) -> AnyAnswer:
    """The histogram of the values of a mean over groups, given its lines, and what is in it.

    From 0 to 1, or from the lowest to the highest value where one is outside.
    """
    if not lines.used:
        return Why(lines.none if lines.lines else NO_ROWS)
    values = [nearest(line.value) for line in lines.used]
    inside = all(0 <= value <= 1 for value in values)
    edges = equal_edges(*((0.0, 1.0) if inside else (min(values), max(values))), bins)
    counts = [sum(in_bin(value, edges, place) for value in values) for place in range(bins)]
    groups_there, rows_there = len(lines.lines), sum(line.rows for line in lines.lines)
    rows_used = sum(line.rows for line in lines.used)
    return edges, counts, len(values), groups_there, rows_used, rows_there


def positives(rows: Rows) -> Rows:
    return [row for row in rows if row.grade == 1]


def negatives(rows: Rows) -> Rows:
    return [row for row in rows if row.grade == 0]


def weight(rows: Rows) -> Fraction:
    return sum((row.weight for row in rows), Fraction(0))


def group_auc(rows: Rows, single_class: float | str) -> Fraction | None:
    """The weight of the pairs in the right order, ties by half, of all pairs."""
    right = all_pairs = Fraction(0)
    for positive in positives(rows):
        for negative in negatives(rows):
            assert positive.score is not None
            assert negative.score is not None
            pair = positive.weight * negative.weight
            all_pairs += pair
            if positive.score > negative.score:
                right += pair
            elif positive.score == negative.score:
                right += pair / 2
    if all_pairs:
        return right / all_pairs
    return None if single_class == "skip" else Fraction(single_class)


def group_weight_of(rows: Rows, choice: str) -> Fraction:
    """`rows` = Σw, `positives` = Σw⁺, `pairs` = W⁺W⁻, `equal` = 1, else a column's."""
    if choice not in CHOICES:
        return column_weight(rows)
    above, below = weight(positives(rows)), weight(negatives(rows))
    return {"rows": above + below, "positives": above, "pairs": above * below}.get(
        choice, Fraction(1)
    )
