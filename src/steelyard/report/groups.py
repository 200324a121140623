"""The group table: one line a group, with what every metric over groups has for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from steelyard.aside import Path, write_aside
from steelyard.metrics.value import rounded_products
from steelyard.model import Array, Key
from steelyard.report import csv, frames, shown, text
from steelyard.report.columns import INTEGER, NUMBER, TEXT, UNSIGNED, Column
from steelyard.states import GroupRows, KeyColumn, key_order

FIELDS = ("n", "positives", "weight")
LIMIT = 20  # groups that a prompt shows


@dataclass(frozen=True)
class GroupTable:
    """The groups of one score, of the total or of a slice, by key.

    len(table), table["gauc"] and table.columns are what it holds; a group that a metric left out
    has None there.
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

    def __getitem__(self, name: str) -> list[Any]:
        """A column as a list, group by group."""
        return self._laid[name].values

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The groups, each as a mapping of its columns."""
        laid = self._laid
        for line in zip(*(column.values for column in laid.values()), strict=True):
            yield dict(zip(laid, line, strict=True))

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

    @cached_property
    def _laid(self) -> dict[str, Column]:
        laid = {name: _key_column(*keys, self._order) for name, keys in self._keys.items()}
        for name, numbers in self._numbers.items():
            if name == "weight":
                laid[name] = Column(NUMBER, rounded_products(numbers[self._order], self._unit))
            else:
                laid[name] = Column(INTEGER, numbers[self._order].tolist())
        for name, values in self._values.items():
            laid[name] = Column(NUMBER, _or_none(values[self._order]))
        return laid

    def to_polars(self) -> Any:
        """A Polars DataFrame, one line a group."""
        return frames.polars(self._laid)

    def to_pandas(self) -> Any:
        """A pandas DataFrame, one line a group."""
        return frames.pandas(self._laid)

    def to_arrow(self) -> Any:
        """A PyArrow Table, one line a group."""
        return frames.arrow(self._laid)

    def to_csv(self, path: Path | None = None) -> str:
        """CSV with one line a group, written to `path` too if one is given."""
        written = csv.write(self._laid)
        if path is not None:
            write_aside(path, written + "\n")
        return written

    def __repr__(self) -> str:
        """The first groups, as they fit a prompt."""
        lines = [tuple(map(shown.key, self._laid))]
        columns = [column.values[:LIMIT] for column in self._laid.values()]
        lines += [tuple(map(_shown, line)) for line in zip(*columns, strict=True)]
        drawn = text.grid(lines, left=range(len(self._keys)))
        more = len(self) - LIMIT
        return text.printable(f"{drawn}\n… and {more:,} more groups" if more > 0 else drawn)


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
    names: Sequence[str],
    values: Mapping[str, Array],
    *,
    score: str,
    slice: Mapping[str, Key],
) -> GroupTable:
    """The table of a state's groups. A key that is called like a column of ours is renamed."""
    taken = {*FIELDS, *values}
    keys = {
        f"group_{name}" if name in taken else name: column
        for name, column in zip(names, rows.key_columns, strict=True)
    }
    numbers = {"n": rows.rows, "positives": rows.positives, "weight": rows.weights}
    return GroupTable(score, slice, keys, numbers, dict(values), rows.joined.unit)


def _shown(value: Any) -> str:
    if value is None:
        return shown.DASH
    return shown.number(value) if isinstance(value, float) else shown.key(value)


def _key_column(keys: Array, words: Sequence[str] | None, order: Array) -> Column:
    ordered = keys[order].tolist()
    if words is not None:
        return Column(TEXT, [words[number] for number in ordered])
    return Column(UNSIGNED if keys.dtype == np.uint64 else INTEGER, ordered)


def _or_none(values: Array) -> list[float | None]:
    missing = np.isnan(values)
    listed: list[float | None] = values.tolist()
    for place in np.flatnonzero(missing).tolist():
        listed[place] = None
    return listed
