"""The base of group tables and class tables: columns to look up, convert and print."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from steelyard.atomic_write import FilePath, write_atomically
from steelyard.cached import cached_property
from steelyard.report import csv, display, text
from steelyard.report.columns import TypedColumn
from steelyard.report.frames import ConvertsToFrames
from steelyard.report.text_table import Column, from_texts

LIMIT = 20  # lines that a prompt shows


class LineTable(ConvertsToFrames):
    """A table of columns: table["gauc"] is a list, with None where there is no value."""

    @abstractmethod
    def _make_columns(self) -> dict[str, TypedColumn]:
        """The columns, made when they are first read."""

    @property
    @abstractmethod
    def _key_count(self) -> int:
        """How many of the first columns are the key of a line."""

    @property
    @abstractmethod
    def _line_name(self) -> str:
        """The plural name of a line, such as "groups"."""

    @cached_property
    def _columns(self) -> dict[str, TypedColumn]:
        return self._make_columns()

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())).values)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self._columns)

    def __getitem__(self, name: str) -> list[Any]:
        """A column as a list, line by line."""
        return self._columns[name].values

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The lines, each as a dictionary by column."""
        laid = self._columns
        for line in zip(*(column.values for column in laid.values()), strict=True):
            yield dict(zip(laid, line, strict=True))

    def _frame_columns(self) -> dict[str, TypedColumn]:
        return self._columns

    def to_csv(self, path: FilePath | None = None) -> str:
        """CSV, also written to `path` if one is given."""
        return written(csv.write(self._columns), path)

    def __repr__(self) -> str:
        """The first lines, for a prompt."""
        keys, titles = self._key_count, list(map(display.key, self._columns))
        columns = [*Column.keys(*titles[:keys]), *Column.numbers(*titles[keys:])]
        values = [column.values[:LIMIT] for column in self._columns.values()]
        lines = (map(_shown, line) for line in zip(*values, strict=True))
        drawn = text.draw([from_texts(columns, lines)])
        more = len(self) - LIMIT
        return text.encodable(
            f"{drawn}\n… and {more:,} more {self._line_name}" if more > 0 else drawn
        )


def _shown(value: Any) -> str:
    if value is None:
        return display.DASH
    return display.number(value) if isinstance(value, float) else display.key(value)


def written(text: str, path: FilePath | None) -> str:
    """The text, which is also written to a file if a path is given."""
    if path is not None:
        write_atomically(path, text + "\n")
    return text
