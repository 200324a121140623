"""The group table: a line per group with its value of each mean over groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from steelyard.cached import cached_property
from steelyard.metrics.division import rounded_products
from steelyard.model import Array, Key
from steelyard.report import csv
from steelyard.report.columns import INTEGER, NUMBER, TEXT, UNSIGNED, TypedColumn
from steelyard.report.line_table import LineTable
from steelyard.result.sections import or_none
from steelyard.states.groups.key_order import KeyColumn, key_order
from steelyard.views.group_rows import GroupRows, wide


@dataclass(frozen=True, repr=False)
class GroupTable(LineTable):
    """The groups of one score, in the total or in a slice, sorted by key.

    A metric that leaves a group out has None for it.
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
        """The table with some of the metrics."""
        return replace(self, _values={name: self._values[name] for name in metrics})

    @property
    def key_names(self) -> tuple[str, ...]:
        """The columns of the key of a group."""
        return tuple(self._keys)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._values)

    @cached_property
    def _order(self) -> Array:
        """The order of the groups by key."""
        return key_order(self._keys.values())

    def _make_columns(self) -> dict[str, TypedColumn]:
        columns = {name: _key_column(*keys, self._order) for name, keys in self._keys.items()}
        for name, numbers in self._numbers.items():
            if name == "weight":
                columns[name] = TypedColumn(
                    NUMBER, rounded_products(numbers[self._order], self._unit)
                )
            else:
                columns[name] = TypedColumn(INTEGER, numbers[self._order].tolist())
        for name, values in self._values.items():
            columns[name] = TypedColumn(NUMBER, or_none(values[self._order]))
        return columns

    @property
    def _key_count(self) -> int:
        return len(self._keys)

    @property
    def _line_name(self) -> str:
        return "groups"


def render(tables: Sequence[GroupTable]) -> str:
    """CSV of the groups of every score; several scores have a column for the score."""
    if len(tables) == 1:
        return tables[0].to_csv()
    written = [list(csv.records(table._columns)) for table in tables]
    lines = [f"score,{written[0][0]}"]
    for table, (_, *groups) in zip(tables, written, strict=True):
        lines += [f"{csv.field(table.score)},{group}" for group in groups]
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
    """The table of the groups chosen; a key column with the name of another column is renamed."""
    columns = {"n": rows.rows, "positives": rows.positives, "weight": wide(rows.weights)}
    # A state without rows has one column of keys, whatever the number of names.
    key_columns = rows.key_columns if len(rows) else rows.key_columns[:1] * len(names)
    keys = {
        f"group_{name}" if name in {*columns, *values} else name: (column[chosen], texts)
        for name, (column, texts) in zip(names, key_columns, strict=True)
    }
    numbers, shown = ({n: c[chosen] for n, c in each.items()} for each in (columns, values))
    return GroupTable(score, slice, keys, numbers, shown, rows.joined.unit)


def _key_column(keys: Array, texts: Sequence[str] | None, order: Array) -> TypedColumn:
    ordered = keys[order].tolist()
    if texts is not None:
        return TypedColumn(TEXT, [texts[number] for number in ordered])
    return TypedColumn(UNSIGNED if keys.dtype == np.uint64 else INTEGER, ordered)
