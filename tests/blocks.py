"""The rows of a DuckDB table as plain lists, whatever blocks they came in."""

from collections.abc import Sequence
from typing import Any

from steelyard.batch import Column, Wanted
from steelyard.sources.duckdb import open_table


def values(column: Column) -> list[Any]:
    """Each row's value, with None where it is missing."""
    found: list[Any] = column.values.tolist()
    if column.words is not None:
        known = [*column.words, None]  # a code says nothing where all is missing
        found = [known[code] for code in found]
    if column.missing is None:
        return found
    return [None if gone else value for value, gone in zip(found, column.missing, strict=True)]


def rows(
    source: Any, *wanted: tuple[str, str], where: str | None = None, **options: Any
) -> list[list[Any]]:
    """One list a wanted column, over all blocks; row numbers must go on where they stopped."""
    asked: Sequence[Wanted] = [Wanted(*one) for one in wanted]
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
