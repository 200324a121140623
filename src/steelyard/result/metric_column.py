"""The values of one metric in all slices, as columns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from steelyard.model import Array, Detailed, Floats, Undefined, Value

ColumnValues = Sequence[Any] | Array


class Absent(Enum):
    """The type of ABSENT: a copy of a member of an Enum is the same object."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT  # in a column of details: this slice has no such detail


class ComputedColumn(Sequence[Any]):
    """Details that are computed when they are read: a function of one entry of each column.

    A p-value of 40 decimal digits takes 0.1 ms, and few of those of 20,000 slices are read.
    """

    def __init__(self, function: Callable[..., Any], columns: Sequence[ColumnValues]) -> None:
        self._function, self._columns = function, columns
        self._known: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if place not in self._known:
            self._known[place] = self._function(*(column[place] for column in self._columns))
        return self._known[place]


class DeferredColumn(Sequence[Any]):
    """Details of few slices that are computed, all of them, when one is first read.

    It holds the arguments of the function until then: where slices are many, they are long columns.
    """

    def __init__(self, count: int, function: Callable[..., Sequence[Any]], *arguments: Any) -> None:
        self._count, self._function, self._arguments = count, function, arguments
        self._known: Sequence[Any] | None = None

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if self._known is None:
            self._known = self._function(*self._arguments)
        return self._known[place]


@dataclass(frozen=True, eq=False)
class MetricColumn:
    """The values of one metric, one per slice; an item is the value of one slice.

    numbers: the values, NaN where there is none; whys: the reason for that, by position
    details: a column per detail; ABSENT where a slice has no such detail
    """

    numbers: Floats
    whys: Mapping[int, str] = field(default_factory=dict)
    details: Mapping[str, ColumnValues] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers)

    def with_details(self, details: Mapping[str, ColumnValues]) -> "MetricColumn":
        return replace(self, details=details)

    def __getitem__(self, place: int) -> Value | Detailed:
        found = self.whys.get(place)
        value = float(self.numbers[place]) if found is None else Undefined(found)
        every = ((name, column[place]) for name, column in self.details.items())
        details = {name: detail for name, detail in every if detail is not ABSENT}
        return Detailed(value, details) if details else value

    def __iter__(self) -> Iterator[Value | Detailed]:
        return map(self.__getitem__, range(len(self)))
