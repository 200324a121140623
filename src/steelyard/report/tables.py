"""The tables beside a result, one for each score and slice, made when one is asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from steelyard.model import Key
from steelyard.report.classes import ClassTable
from steelyard.report.groups import GroupTable

TableType = TypeVar("TableType", GroupTable, ClassTable)


@dataclass(frozen=True)
class TablesOnRequest(Generic[TableType]):
    """Tables that `make` makes of a score and a slice.

    metrics: those that the tables have columns for
    """

    metrics: tuple[str, ...]
    make: Callable[[str, Mapping[str, Key]], TableType]

    def made(self, places: Iterable[tuple[str, Mapping[str, Key]]]) -> "TablesOnRequest[TableType]":
        """The same with all tables made: they can go elsewhere without what they are from."""
        if isinstance(self.make, StoredTables):
            return self
        tables = tuple(self.make(score, slice_) for score, slice_ in places)
        return TablesOnRequest(self.metrics, StoredTables(tables))


@dataclass(frozen=True)
class StoredTables(Generic[TableType]):
    """Tables that are there already, found by score and slice."""

    tables: Sequence[TableType]

    def __call__(self, score: str, slice_: Mapping[str, Key]) -> TableType:
        return self._found[score, frozenset(slice_.items())]

    @cached_property
    def _found(self) -> dict[tuple[str, frozenset[tuple[str, Key]]], TableType]:
        return {(table.score, frozenset(table.slice.items())): table for table in self.tables}


def on_request(
    tables: Sequence[TableType] | TablesOnRequest[TableType],
) -> TablesOnRequest[TableType] | None:
    """The tables given, whichever way; None where there are none."""
    if isinstance(tables, TablesOnRequest):
        return tables
    if not tables:
        return None
    return TablesOnRequest(tables[0].metrics, StoredTables(tuple(tables)))
