"""The rows of a DuckDB table as plain lists, from all its blocks."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from steelyard.model import Array
from steelyard.sources.blocks import ColumnRequest, SourceColumn
from steelyard.sources.duck.connection import open_table


def values(column: SourceColumn) -> list[Any]:
    """Each row's value, with None where it is missing."""
    found: list[Any] = column.values.tolist()
    if column.keys is not None:
        known = [*column.keys, None]  # a code says nothing where all is missing
        found = [known[code] for code in found]
    if column.missing is None:
        return found
    return [None if gone else value for value, gone in zip(found, column.missing, strict=True)]


def rows(
    source: Any, *wanted: tuple[str, str], where: str | None = None, **options: Any
) -> list[list[Any]]:
    """One list per requested column, over all blocks; their row numbers must be consecutive."""
    asked: Sequence[ColumnRequest] = [ColumnRequest(*one) for one in wanted]
    lists: list[list[Any]] = [[] for _ in asked]
    with open_table(source, **options) as table:
        start = 0
        for block in table.blocks(asked, where):
            assert block.start == start
            start += block.rows
            for found, one in zip(lists, asked, strict=True):
                found += values(block.columns[one])
    assert all(len(found) == start for found in lists)
    return lists


def read(path: str | os.PathLike[str], columns: Iterable[str]) -> dict[str, Array]:
    """Columns by name, read as labels: numbers in their own type, text as objects."""
    wanted = [ColumnRequest(name, "label") for name in dict.fromkeys(columns)]
    with open_table(path) as table:
        blocks = list(table.blocks(wanted, None))
    return {
        one.text: np.concatenate([_plain(block.columns[one]) for block in blocks]) for one in wanted
    }


def _plain(column: SourceColumn) -> Array:
    if column.keys is None:
        return column.values
    wordy = any(isinstance(word, str) for word in column.keys)
    return np.array(column.keys, object if wordy else None)[column.values]
