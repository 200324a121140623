"""Group tables and class tables of a result, each made when it is requested."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import Key, Value
from steelyard.report.classes import ClassTable
from steelyard.report.groups import GroupTable

TableType = TypeVar("TableType", GroupTable, ClassTable)


@dataclass(frozen=True)
class TablesOnRequest(Generic[TableType]):
    """A table for each score and slice.

    metrics: the metrics that the tables have columns for; make: makes the table
    """

    metrics: tuple[str, ...]
    make: Callable[[str, Mapping[str, Key]], TableType]

    def stored(
        self, places: Iterable[tuple[str, Mapping[str, Key]]]
    ) -> "TablesOnRequest[TableType]":
        """The same with all tables made, so that it can be pickled without their data."""
        if isinstance(self.make, StoredTables):
            return self
        tables = {_key(*place): self.make(*place) for place in places}
        return TablesOnRequest(self.metrics, StoredTables(tables))


class ShapesOnRequest(Protocol):
    """Shapes and numbers that can be computed after the result, from its states."""

    @property
    def shape_names(self) -> tuple[str, ...]:
        """The shapes that can be computed, by the names of their metrics."""

    def can_make(self, bound: BoundMetric) -> bool:
        """Whether a metric can be computed."""

    def make_shape(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Any:
        """The shape of a score and slice."""

    def make_number(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Value:
        """The value of a score and slice."""


class StoredTables(dict[tuple[str, frozenset[tuple[str, Key]]], TableType]):
    """Tables that were made before, by score and slice."""

    def __call__(self, score: str, slice_: Mapping[str, Key]) -> TableType:
        return self[_key(score, slice_)]


def _key(score: str, slice_: Mapping[str, Key]) -> tuple[str, frozenset[tuple[str, Key]]]:
    return score, frozenset(slice_.items())
