"""The group table: one line a group, with what every metric over groups has for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from steelyard.metrics.division import rounded_products
from steelyard.model import Array, Key
from steelyard.report import csv
from steelyard.report.columns import INTEGER, NUMBER, TEXT, UNSIGNED, TypedColumn
from steelyard.report.line_table import LineTable
from steelyard.states.groups.key_order import KeyColumn, key_order
from steelyard.views.group_rows import GroupRows

FIELDS = ("n", "positives", "weight")


@dataclass(frozen=True, repr=False)
class GroupTable(LineTable):
    """The groups of one score, of the total or of a slice, by key.

    A group that a metric left out has None there.
    """

    score: str
    slice: Mapping[str, Key]
    _keys: Mapping[str, KeyColumn]
    _numbers: Mapping[str, Array]
    _values: Mapping[str, Array]
    _unit: int

    def __len__(self) -> int:
        keys, _ = next(iter(self._keys.values()))
        return len(keys)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self._keys, *self._numbers, *self._values)

    def only(self, metrics: Sequence[str]) -> "GroupTable":
        """The same with some of the metrics."""
        return replace(self, _values={name: self._values[name] for name in metrics})

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._values)

    @cached_property
    def _order(self) -> Array:
        """The groups by key, sorted when someone looks."""
        return key_order(self._keys.values())

    def _make_columns(self) -> dict[str, TypedColumn]:
        laid = {name: _key_column(*keys, self._order) for name, keys in self._keys.items()}
        for name, numbers in self._numbers.items():
            if name == "weight":
                laid[name] = TypedColumn(NUMBER, rounded_products(numbers[self._order], self._unit))
            else:
                laid[name] = TypedColumn(INTEGER, numbers[self._order].tolist())
        for name, values in self._values.items():
            laid[name] = TypedColumn(NUMBER, _or_none(values[self._order]))
        return laid

    @property
    def _key_count(self) -> int:
        return len(self._keys)

    @property
    def _line_name(self) -> str:
        return "groups"


def render(tables: Sequence[GroupTable]) -> str:
    """CSV of the groups of every score's total; with several scores, each line says whose it is."""
    totals = [table for table in tables if not table.slice]
    texts = [table.to_csv() for table in totals]
    if len(totals) == 1:
        return texts[0]
    lines = [f"score,{texts[0].partition(chr(10))[0]}"]
    for table, written in zip(totals, texts, strict=True):
        score = csv.field(table.score)
        lines += [f"{score},{line}" for line in written.split("\n")[1:]]
    return "\n".join(lines)


def group_table(
    rows: GroupRows,
    chosen: Array,
    names: Sequence[str],
    values: Mapping[str, Array],
    *,
    score: str,
    slice: Mapping[str, Key],
) -> GroupTable:
    """The table of the groups chosen. A key that is called like a column of ours is renamed."""
    taken = {*FIELDS, *values}
    keys = {
        f"group_{name}" if name in taken else name: (column[chosen], words)
        for name, (column, words) in zip(names, rows.key_columns, strict=True)
    }
    numbers = {"n": rows.rows, "positives": rows.positives, "weight": rows.weights}
    shown = {name: column[chosen] for name, column in values.items()}
    counted = {name: column[chosen] for name, column in numbers.items()}
    return GroupTable(score, slice, keys, counted, shown, rows.joined.unit)


def _key_column(keys: Array, words: Sequence[str] | None, order: Array) -> TypedColumn:
    ordered = keys[order].tolist()
    if words is not None:
        return TypedColumn(TEXT, [words[number] for number in ordered])
    return TypedColumn(UNSIGNED if keys.dtype == np.uint64 else INTEGER, ordered)


def _or_none(values: Array) -> list[float | None]:
    missing = np.isnan(values)
    listed: list[float | None] = values.tolist()
    for place in np.flatnonzero(missing).tolist():
        listed[place] = None
    return listed
