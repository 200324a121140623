"""The groups of a comparison: both values of each, and which differ most."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steelyard.metrics.record import Metric
from steelyard.model import Key
from steelyard.reading.key_order import KeyTuple, key_order
from steelyard.report import csv
from steelyard.report.columns import INTEGER, NUMBER, TEXT, TypedColumn, key_column
from steelyard.report.groups import GroupTable
from steelyard.report.line_table import LineTable
from steelyard.result.sections import or_none
from steelyard.stats.differences import goodness

COUNTS = ("n", "positives")
VALUES = ("baseline", "candidate", "difference")


@dataclass(frozen=True, repr=False)
class GroupDifferences(LineTable):
    """The value of each group on both sides, and how much better the candidate is, by key.

    score, against: the candidate and the baseline
    n, positives: of the candidate; of the baseline, where only it has the group
    A group that a side does not have, or that a metric leaves out, has None as the difference.
    """

    metric: str
    score: str
    against: str
    slice: Mapping[str, Key]
    _keys: int
    _lines: Mapping[str, TypedColumn]

    def _make_columns(self) -> dict[str, TypedColumn]:
        return dict(self._lines)

    @property
    def _key_count(self) -> int:
        return self._keys

    @property
    def _line_name(self) -> str:
        return "groups"

    @property
    def key_names(self) -> tuple[str, ...]:
        return self.columns[: self._keys]

    def worst(self, count: int = 10) -> "GroupDifferences":
        """The groups with the largest losses, the largest first."""
        losses = [place for place in self.by_difference if self._amount(place) < 0]
        return self._first(count, losses)

    def best(self, count: int = 10) -> "GroupDifferences":
        """The groups with the largest gains, the largest first."""
        gains = [place for place in reversed(self.by_difference) if self._amount(place) > 0]
        return self._first(count, gains)

    def ordered(self) -> "GroupDifferences":
        """All groups that have a difference, from the largest loss to the largest gain."""
        return self._first(len(self), self.by_difference)

    @property
    def by_difference(self) -> list[int]:
        """The places of the groups that have a difference, in the order of it."""
        known = [place for place, amount in enumerate(self["difference"]) if amount is not None]
        return sorted(known, key=self._amount)

    def _amount(self, place: int) -> float:
        return float(self["difference"][place])

    def _first(self, count: int, places: Sequence[int]) -> "GroupDifferences":
        lines = {
            name: TypedColumn(column.type, [column.values[place] for place in places[:count]])
            for name, column in self._columns.items()
        }
        return replace(self, _lines=lines)


def group_differences(
    metric: Metric, name: str, baseline: GroupTable, candidate: GroupTable, names: tuple[str, str]
) -> GroupDifferences:
    """The groups of either side; name: that of the metric; names: of the baseline, the candidate"""
    tables = (baseline, candidate)
    keys = [_keys(table) for table in tables]
    every = keys[1]
    if keys[0] != keys[1]:
        every = list(dict.fromkeys([*keys[0], *keys[1]]))
        every = [every[place] for place in key_order(every)]
    counts: dict[str, list[int | None]] = {}
    for column in COUNTS:
        old, new = (_placed(every, keys[side], tables[side][column]) for side in (0, 1))
        pairs = zip(old, new, strict=True)
        counts[column] = [before if after is None else after for before, after in pairs]
    both = [_placed(every, keys[side], tables[side][name]) for side in (0, 1)]
    good = [goodness(np.array(each, float), metric.better, metric.scale).amount for each in both]
    values = (*both, or_none(good[1] - good[0]))
    taken = {*COUNTS, *VALUES}
    lines = {
        f"group_{key}" if key in taken else key: key_column([each[place] for each in every])
        for place, key in enumerate(baseline.key_names)
    }
    lines |= {column: TypedColumn(INTEGER, found) for column, found in counts.items()}
    lines |= {column: TypedColumn(NUMBER, v) for column, v in zip(VALUES, values, strict=True)}
    slice_ = dict(candidate.slice)
    return GroupDifferences(name, names[1], names[0], slice_, len(baseline.key_names), lines)


def _keys(table: GroupTable) -> list[KeyTuple]:
    return list(zip(*(table[name] for name in table.key_names), strict=True))


def _placed(every: Sequence[KeyTuple], keys: Sequence[KeyTuple], column: list[Any]) -> list[Any]:
    """A column of one side for the groups of both; None where it does not have a group."""
    if every is keys or every == keys:
        return column
    known = dict(zip(keys, column, strict=True))
    return [known.get(key) for key in every]


def together(tables: Iterable[GroupDifferences]) -> dict[str, TypedColumn]:
    """The columns of several tables below each other, after their metric and scores."""
    found: dict[str, TypedColumn] = {}
    for table in tables:
        which = {name: getattr(table, name) for name in ("metric", "score", "against")}
        named = {name: TypedColumn(TEXT, [text] * len(table)) for name, text in which.items()}
        own = {f"group_{n}" if n in which else n: c for n, c in table._columns.items()}
        for name, column in (named | own).items():
            before = found.get(name, TypedColumn(column.type, []))
            found[name] = TypedColumn(column.type, before.values + column.values)
    return found


def render(tables: Iterable[GroupDifferences]) -> str:
    """CSV of the groups of every metric and pair."""
    return csv.write(together(tables))
