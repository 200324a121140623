"""The tables beside a result, one for each score and slice, made when one is asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from steelyard.model import Key
from steelyard.report.classes import ClassTable
from steelyard.report.groups import GroupTable

Table = TypeVar("Table", GroupTable, ClassTable)
Slice = Mapping[str, Key]


@dataclass(frozen=True)
class TablesOnRequest(Generic[Table]):
    """Tables that `make` makes of a score and a slice.

    metrics: those that the tables have columns for
    """

    metrics: tuple[str, ...]
    make: Callable[[str, Slice], Table]

    def made(self, places: Iterable[tuple[str, Slice]]) -> "TablesOnRequest[Table]":
        """The same with all tables made: they can go elsewhere without what they are from."""
        if isinstance(self.make, TablesAtHand):
            return self
        tables = tuple(self.make(score, slice_) for score, slice_ in places)
        return TablesOnRequest(self.metrics, TablesAtHand(tables))


@dataclass(frozen=True)
class TablesAtHand(Generic[Table]):
    """Tables that are there already, found by score and slice."""

    tables: Sequence[Table]

    def __call__(self, score: str, slice_: Slice) -> Table:
        return self._found[score, frozenset(slice_.items())]

    @cached_property
    def _found(self) -> dict[tuple[str, frozenset[tuple[str, Key]]], Table]:
        return {(table.score, frozenset(table.slice.items())): table for table in self.tables}


def on_request(
    tables: Sequence[Table] | TablesOnRequest[Table],
) -> TablesOnRequest[Table] | None:
    """The tables given, whichever way; None where there are none."""
    if isinstance(tables, TablesOnRequest):
        return tables
    if not tables:
        return None
    return TablesOnRequest(tables[0].metrics, TablesAtHand(tuple(tables)))
