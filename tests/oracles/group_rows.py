"""Rows in groups, and what an oracle answers about them: a line a group, a mean over the lines.

A group's value is exact here. The library rounds it once; the mean over groups is the exact mean of
those floats, rounded once more. `Lines.mean` does just that.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from tests.oracles.answers import Number, Why, as_decimal

Key = tuple[Any, ...]

# Why there is no mean. Each oracle says which of them holds.
NO_ROWS = "there are no rows"
NO_RELEVANT = "no group has a relevant row"
NO_GROUP_WITH_BOTH = "no group has both classes"
TOO_FEW = "no group has both classes and so many rows"
ALL_SMALL = "no group has so many rows"
NO_WEIGHT = "the groups that count have no weight"


class GroupRow(NamedTuple):
    """One row: a score of None is a row that was judged and not retrieved."""

    key: Key
    grade: Fraction
    score: float | None
    weight: Fraction = Fraction(1)
    group_weight: Fraction | None = None
    document: bytes = b""


class Line(NamedTuple):
    """What one group comes to: a value of None is a group that was left out.

    positives: rows of a grade of 1 or more; weight: of all its rows; counts: what it counts for
    """

    key: Key
    rows: int
    positives: int
    weight: Fraction
    counts: Fraction
    value: Number | None


class Lines(NamedTuple):
    """The group table. Where a metric pools its groups, `pooled` is what it divides."""

    lines: tuple[Line, ...]
    none: str
    pooled: tuple[Fraction, Fraction] | None = None

    @property
    def used(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.value is not None)

    def mean(self) -> Fraction | Why:
        """The exact mean of the groups' rounded values."""
        return self.mean_of({line.key: nearest(line.value) for line in self.used})

    def mean_of(self, values: Mapping[Key, float]) -> Fraction | Why:
        """The exact mean of the values that somebody else has for the groups."""
        if not self.lines:
            return Why(NO_ROWS)
        if not self.used:
            return Why(self.none)
        total = sum((line.counts for line in self.used), Fraction(0))
        if self.pooled is not None:
            above, below = self.pooled
            return above / below if below else Why(NO_WEIGHT)
        above = sum((Fraction(values[line.key]) * line.counts for line in self.used), Fraction(0))
        return above / total if total else Why(NO_WEIGHT)


def nearest(value: Number | None) -> float:
    """The float64 nearest to an exact value; Python rounds both kinds correctly."""
    assert value is not None
    return float(value) if isinstance(value, Decimal) else value.numerator / value.denominator


def decimal(value: Number) -> Decimal:
    """To the digits of the context."""
    return value if isinstance(value, Decimal) else as_decimal(value)


def groups(rows: Iterable[GroupRow]) -> dict[Key, list[GroupRow]]:
    """The rows that have weight, by key, in the order they came."""
    found: dict[Key, list[GroupRow]] = {}
    for row in rows:
        if row.weight:
            found.setdefault(row.key, []).append(row)
    return found


def line(rows: list[GroupRow], counts: Fraction, value: Number | None) -> Line:
    """The line of a group, whatever the metric."""
    positives = sum(row.grade >= 1 for row in rows)
    weight = sum((row.weight for row in rows), Fraction(0))
    return Line(rows[0].key, len(rows), positives, weight, counts, value)


def column_weight(rows: list[GroupRow]) -> Fraction:
    """The group's weight from the column: every row of the group has it."""
    (weight,) = {row.group_weight for row in rows}
    assert weight is not None
    return weight
