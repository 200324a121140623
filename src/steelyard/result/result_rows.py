"""The rows of a result: made from columns when they are read, or given as rows."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate, chain, groupby
from typing import Any, overload

from steelyard.cached import cached_property
from steelyard.model import Key, Row, ShapeRow
from steelyard.result.metric_column import ABSENT
from steelyard.result.sections import ColumnSection, Reason, SliceKey, by_reason


@dataclass(frozen=True, eq=False)
class RowSection:
    """The numbers of one score and one `by`, given as rows; it has the methods of a ColumnSection.

    given: the rows in order; starts: the position of each slice's first row, and the end
    """

    score: str
    names: tuple[str, ...]
    keys: Sequence[SliceKey]
    given: Sequence[Row]
    starts: Sequence[int]

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __len__(self) -> int:
        return len(self.given)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self._metrics)

    @cached_property
    def _metrics(self) -> dict[str, None]:
        return dict.fromkeys(row.metric for row in self.given)

    def has(self, metric: str) -> bool:
        return metric in self._metrics

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        return iter(self.given[start:stop])

    def by_slice(self, start: int, stop: int) -> Iterator[Sequence[Row]]:
        return map(self.rows_of, range(start, stop))

    def rows_of(self, place: int) -> Sequence[Row]:
        return self.given[self.starts[place] : self.starts[place + 1]]

    def keys_of(self, metric: str) -> Sequence[SliceKey]:
        keys = (tuple(row.slice.values()) for row in self.given if row.metric == metric)
        return list(dict.fromkeys(keys))

    def column(self, name: str) -> list[Any]:
        return [getattr(row, name) for row in self.given]

    def of_slices(self, name: str) -> list[Any]:
        return [getattr(self.given[start], name) for start in self.starts[:-1]]

    def values_of(self, metric: str) -> list[float | None]:
        places = range(len(self.keys))
        found = ([r.value for r in self.rows_of(place) if r.metric == metric] for place in places)
        return [values[0] if values else None for values in found]

    def take(self, places: Sequence[int]) -> "RowSection":
        rows = [self.rows_of(place) for place in places]
        keys, starts = [self.keys[place] for place in places], [0, *accumulate(map(len, rows))]
        return RowSection(self.score, self.names, keys, [*chain.from_iterable(rows)], starts)

    def key_column(self, name: str) -> list[Key]:
        return [row.slice.get(name) for row in self.given]

    def detail(self, metric: str, name: str) -> list[Any]:
        rows = (self.find(metric, keys) for keys in self.keys)
        return [ABSENT if row is None else row.details.get(name, ABSENT) for row in rows]

    def find(self, metric: str, keys: SliceKey) -> Row | None:
        return self._index.get((metric, keys))

    @cached_property
    def _index(self) -> dict[tuple[str, SliceKey], Row]:
        return {(row.metric, tuple(row.slice.values())): row for row in reversed(self.given)}

    def reasons(self) -> dict[str | None, Reason]:
        return by_reason(
            (place, row.metric, row.why)
            for place in range(len(self.keys))
            for row in self.rows_of(place)
            if row.value is None
        )


Section = ColumnSection | RowSection


class ResultRows(Sequence[Row]):
    """The rows of a result in order: section by section, slice by slice, metric by metric.

    A row is made when it is read; `rows[start:stop]` is a tuple of rows.
    """

    def __init__(self, sections: Iterable[Section]) -> None:
        self.sections = tuple(section for section in sections if len(section))
        self._ends = list(accumulate(map(len, self.sections)))

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "ResultRows":
        """The rows given, in their order."""
        if isinstance(rows, ResultRows):
            return rows
        return cls(_section(list(run)) for _, run in groupby(rows, _score_and_names))

    @classmethod
    def both(cls, rows: Iterable[Row], shapes: Iterable[Row]) -> "ResultRows":
        """The rows of numbers and those of shapes."""
        return cls([*cls.of(rows).sections, *cls.of(shapes).sections])

    def parted(self) -> tuple["ResultRows", "ResultRows"]:
        """The rows of numbers, and those of shapes."""
        of_shapes = [isinstance(next(section.rows()), ShapeRow) for section in self.sections]
        both = list(zip(self.sections, of_shapes, strict=True))
        return ResultRows(s for s, is_ in both if not is_), ResultRows(s for s, is_ in both if is_)

    def totals(self) -> list[Row]:
        """The rows without a slice."""
        return [row for section in self.sections if not section.names for row in section.rows()]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        if isinstance(place, slice):
            wanted = range(len(self))[place]
            if not wanted:
                return ()
            low, high = min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1])
            return tuple(self._between(low, high + 1))[:: wanted.step]
        number = range(len(self))[place]
        return next(self._between(number, number + 1))

    def __iter__(self) -> Iterator[Row]:
        return chain.from_iterable(section.rows() for section in self.sections)

    def _between(self, start: int, stop: int) -> Iterator[Row]:
        for place in range(bisect_right(self._ends, start), len(self.sections)):
            section, end = self.sections[place], self._ends[place]
            before = end - len(section)
            if before >= stop:
                return
            yield from section.rows(max(start - before, 0), min(stop, end) - before)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(map(_same, self, other))

    __hash__ = None  # type: ignore[assignment]  # rows hold mappings, which have no hash

    def __repr__(self) -> str:
        return repr(tuple(self))


def _same(left: object, right: object) -> bool:
    return left is right or left == right


def _score_and_names(row: Row) -> tuple[str, tuple[str, ...]]:
    return row.score, tuple(row.slice)


def _section(rows: Sequence[Row]) -> RowSection:
    """Rows of one score and one `by`; adjacent rows of a slice belong together."""
    keys: list[SliceKey] = []
    starts: list[int] = []
    before = None
    for place, row in enumerate(rows):
        now = tuple(row.slice.values()), tuple(map(type, row.slice.values()))
        if now != before:
            keys.append(now[0])
            starts.append(place)
        before = now
    return RowSection(rows[0].score, tuple(rows[0].slice), keys, rows, [*starts, len(rows)])
