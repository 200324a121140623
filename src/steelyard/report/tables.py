"""Group tables and class tables of a result, each made when it is requested."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from steelyard import errors
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


class StoredShapes:
    """The shapes and numbers that were asked for, which can be pickled without their states."""

    def __init__(self, source: ShapesOnRequest) -> None:
        self._source: ShapesOnRequest | None = source
        self._made: dict[tuple[str, str, frozenset[tuple[str, Key]]], Any] = {}
        self.shape_names = source.shape_names

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_source": None}

    def can_make(self, bound: BoundMetric) -> bool:
        if self._source is not None:
            return self._source.can_make(bound)
        return any(name == bound.name for name, *_ in self._made)

    def make_shape(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Any:
        return self._stored("make_shape", bound, score, slice_)

    def make_number(self, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Any:
        return self._stored("make_number", bound, score, slice_)

    def _stored(self, make: str, bound: BoundMetric, score: str, slice_: Mapping[str, Key]) -> Any:
        key = (bound.name, *_key(score, slice_))
        if self._source is not None:
            self._made[key] = getattr(self._source, make)(bound, score, slice_)
        if key not in self._made:
            what = "slice" if slice_ else "total"
            raise errors.NO_PICTURE(metric=bound.name, what=what, hint="")
        return self._made[key]


class StoredTables(dict[tuple[str, frozenset[tuple[str, Key]]], TableType]):
    """Tables that were made before, by score and slice."""

    def __call__(self, score: str, slice_: Mapping[str, Key]) -> TableType:
        return self[_key(score, slice_)]


def _key(score: str, slice_: Mapping[str, Key]) -> tuple[str, frozenset[tuple[str, Key]]]:
    return score, frozenset(slice_.items())
