"""The numbers of a result, stored as columns; a Row is made when it is read.

A section holds the numbers of one score and one `by`: a column for each field of the sample and for
each metric, with one entry per slice. So 200,000 slices of three metrics are about thirty columns,
not 600,000 objects.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, islice, repeat
from typing import Any, NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.model import Floats, Key, Row, Undefined
from steelyard.result.metric_column import ABSENT, ColumnValues, MetricColumn

SliceKey = tuple[Key, ...]
TypedKey = tuple[tuple[type, ...], SliceKey]  # the key of a slice; 1 is not True
SLICES_AT_ONCE = 1024  # makes rows quickly from columns, in little memory


FIELDS = tuple(each.name for each in fields(Row))
SAMPLE = FIELDS[FIELDS.index("n") : FIELDS.index("dropped") + 1]
# MetricColumn of fields that a section does not have.
NOT_APPLICABLE: Mapping[str, Any] = dict.fromkeys(FIELDS) | {"dropped": 0}


class Reason(NamedTuple):
    """The positions of slices, and the metrics, that have no value for the same reason."""

    places: Sequence[int]
    metrics: Sequence[str]


@dataclass(frozen=True, eq=False)
class MetricValues(MetricColumn):
    """The values of one metric with their intervals.

    low, high: the ends of intervals, NaN where there is none; None: no intervals were requested
    """

    low: Floats | None = None
    high: Floats | None = None

    @classmethod
    def of(cls, values: Sequence[Any], details: Sequence[Mapping[str, Any]] = ()) -> "MetricValues":
        """The columns of values and of details that are given per slice."""
        whys = {place: v.why for place, v in enumerate(values) if isinstance(v, Undefined)}
        numbers = [np.nan if isinstance(v, Undefined) else v for v in values] if whys else values
        columns = {
            name: [found.get(name, ABSENT) for found in details] for name in _in_order(details)
        }
        return cls(np.array(numbers, np.float64), whys, columns)

    def take(self, places: Sequence[int]) -> "MetricValues":
        """The values of some slices, in the order given."""
        whys = {new: self.whys[place] for new, place in enumerate(places) if place in self.whys}
        details = {name: _taken(column, places) for name, column in self.details.items()}
        chosen = np.array(places, np.intp)
        low, high = (None if end is None else end[chosen] for end in (self.low, self.high))
        return MetricValues(self.numbers[chosen], whys, details, low, high)

    def ends(self, name: str, start: int, stop: int) -> Iterable[float | None]:
        """The lower or the upper end of intervals."""
        column: Floats | None = getattr(self, name)
        return repeat(None, stop - start) if column is None else or_none(column[start:stop])

    def values(self, start: int, stop: int) -> list[float | None]:
        return or_none(self.numbers[start:stop])

    def reasons(self, start: int, stop: int) -> Iterable[str | None]:
        if not self.whys:
            return repeat(None, stop - start)
        return map(self.whys.get, range(start, stop))

    def details_of(self, start: int, stop: int) -> Iterator[dict[str, Any]]:
        if not self.details:
            return ({} for _ in range(start, stop))
        columns = [_as_list(column[start:stop]) for column in self.details.values()]
        return (
            {name: v for name, v in zip(self.details, found, strict=True) if v is not ABSENT}
            for found in zip(*columns, strict=True)
        )


@dataclass(frozen=True, eq=False)
class ColumnSection:
    """The numbers of one score and one `by`, in columns.

    names: the columns sliced by, none for the total
    keys: the key of each slice, in the order shown; the total has one, the empty tuple
    sample: the fields of a Row from `n` to `dropped`, without those that do not apply
    values: by the printed name of the metric
    """

    score: str
    names: tuple[str, ...]
    keys: Sequence[SliceKey]
    sample: Mapping[str, ColumnValues]
    values: Mapping[str, MetricValues]

    def __post_init__(self) -> None:
        columns = [*self.sample.values(), *(found.numbers for found in self.values.values())]
        assert all(len(column) == len(self.keys) for column in columns)
        assert set(self.sample) <= set(SAMPLE)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __len__(self) -> int:
        """The number of rows, one per slice and metric."""
        return len(self.keys) * len(self.values)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.values)

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """The rows from one position to another: slice by slice, metric by metric."""
        stop, each = len(self) if stop is None else stop, len(self.values)
        first, skipped = divmod(start, each)
        made = chain.from_iterable(self.by_slice(first, -(-stop // each)))
        return islice(made, skipped, skipped + stop - start)

    def by_slice(self, start: int, stop: int) -> Iterator[tuple[Row, ...]]:
        """The rows of each slice from one position to another."""
        return chain.from_iterable(
            self._made(place, min(place + SLICES_AT_ONCE, stop))
            for place in range(start, stop, SLICES_AT_ONCE)
        )

    def rows_of(self, place: int) -> Sequence[Row]:
        """The rows of a slice, one per metric."""
        return next(self.by_slice(place, place + 1))

    def has(self, metric: str) -> bool:
        return metric in self.values

    def keys_of(self, metric: str) -> Sequence[SliceKey]:
        """The keys of the slices that have a metric."""
        return self.keys if metric in self.values else ()

    def _made(self, start: int, stop: int, metric: str | None = None) -> Iterator[tuple[Row, ...]]:
        """The rows of some slices, of all metrics or one; rows of a slice share its mapping."""
        sample = [self._sample(field, start, stop) for field in SAMPLE]
        slices = self._slices(start, stop)
        wanted = self.values if metric is None else {metric: self.values[metric]}
        by_metric = [
            map(
                Row,
                repeat(name),
                repeat(self.score),
                found.values(start, stop),
                found.reasons(start, stop),
                *sample,
                found.ends("low", start, stop),
                found.ends("high", start, stop),
                slices,
                found.details_of(start, stop),
            )
            for name, found in wanted.items()
        ]
        return zip(*by_metric, strict=True)

    def _slices(self, start: int, stop: int) -> list[dict[str, Key]]:
        return [dict(zip(self.names, keys, strict=True)) for keys in self.keys[start:stop]]

    def _sample(self, name: str, start: int, stop: int) -> list[Any]:
        if name not in self.sample:
            return [NOT_APPLICABLE[name]] * (stop - start)
        return _as_list(self.sample[name][start:stop])

    def column(self, name: str) -> list[Any]:
        """A field of every row."""
        count, each = len(self.keys), self.values.values()
        if name == "metric":
            return list(self.values) * count
        if name == "score":
            return [self.score] * len(self)
        if name in SAMPLE:
            return self._for_each_metric(self._sample(name, 0, count))
        if name == "value":
            return _interleaved([found.values(0, count) for found in each])
        if name == "why":
            return _interleaved([found.reasons(0, count) for found in each])
        if name in ("low", "high"):
            return _interleaved([found.ends(name, 0, count) for found in each])
        if name == "slice":
            return self._for_each_metric(self._slices(0, len(self.keys)))
        if name == "details":
            return _interleaved([found.details_of(0, count) for found in each])
        return [NOT_APPLICABLE[name]] * len(self)

    def of_slices(self, name: str) -> list[Any]:
        """A field of the sample of every slice."""
        return self._sample(name, 0, len(self.keys))

    def values_of(self, metric: str) -> list[float | None]:
        """The value of a metric in every slice."""
        if metric not in self.values:
            return [None] * len(self.keys)
        return self.values[metric].values(0, len(self.keys))

    def take(self, places: Sequence[int]) -> "ColumnSection":
        """The section of some slices, in the order given."""
        return ColumnSection(
            self.score,
            self.names,
            [self.keys[place] for place in places],
            {name: _taken(column, places) for name, column in self.sample.items()},
            {name: found.take(places) for name, found in self.values.items()},
        )

    def key_column(self, name: str) -> list[Key]:
        """The key of every row in a column; None if the section is not sliced by it."""
        if name not in self.names:
            return [None] * len(self)
        place = self.names.index(name)
        return self._for_each_metric([keys[place] for keys in self.keys])

    def _for_each_metric(self, column: list[Any]) -> list[Any]:
        return _interleaved([column] * len(self.values))

    def detail(self, metric: str, name: str) -> list[Any]:
        """A detail of a metric in every slice that has the metric; ABSENT where there is none."""
        if metric not in self.values:
            return []
        column = self.values[metric].details.get(name)
        return [ABSENT] * len(self.keys) if column is None else _as_list(column)

    def find(self, metric: str, keys: SliceKey) -> Row | None:
        """The row of a metric and of the slice with these keys."""
        place = self._places.get(keys) if metric in self.values else None
        if place is None:
            return None
        (row,) = next(self._made(place, place + 1, metric))
        return row

    @cached_property
    def _places(self) -> dict[SliceKey, int]:
        return dict(zip(reversed(self.keys), range(len(self.keys) - 1, -1, -1), strict=True))

    def reasons(self) -> dict[str | None, Reason]:
        """The slices and metrics without a value, by reason, in the order of the rows."""
        missing = sorted(
            (place, number)
            for number, found in enumerate(self.values.values())
            for place in np.flatnonzero(np.isnan(found.numbers)).tolist()
        )
        values = list(self.values.items())
        return by_reason(
            (place, values[number][0], values[number][1].whys.get(place))
            for place, number in missing
        )


def by_reason(missing: Iterable[tuple[int, str, str | None]]) -> dict[str | None, Reason]:
    """The slices and metrics of missing values, each given as slice, metric and reason."""
    found: dict[str | None, tuple[dict[int, None], dict[str, None]]] = {}
    for place, metric, why in missing:
        places, metrics = found.setdefault(why, ({}, {}))
        places[place] = metrics[metric] = None
    return {why: Reason(list(places), list(metrics)) for why, (places, metrics) in found.items()}


def computed(found: MetricValues) -> Floats:
    """The values, without numbers that a preset shows where there is no value."""
    filled = found.details.get("undefined")
    if filled is None:
        return found.numbers
    return np.where([why is ABSENT for why in filled], found.numbers, np.nan)


def reasons(found: MetricValues) -> dict[int, str]:
    """The reasons for no value by place, also where a preset shows a number."""
    filled = enumerate(found.details.get("undefined", ()))
    return {**found.whys, **{place: why for place, why in filled if why is not ABSENT}}


def or_none(numbers: Floats) -> list[float | None]:
    """The numbers as a list, with None instead of NaN."""
    return [None if number != number else number for number in numbers.tolist()]


def _taken(column: ColumnValues, places: Sequence[int]) -> list[Any]:
    listed = _as_list(column)  # Python's own types, as rows have them
    return [listed[place] for place in places]


def _as_list(column: ColumnValues) -> list[Any]:
    """A column as a list of Python objects."""
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _interleaved(columns: Sequence[Iterable[Any]]) -> list[Any]:
    """The first entry of each column, then the second of each."""
    return list(chain.from_iterable(zip(*columns, strict=True)))


def _in_order(details: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of all details; a detail that only some slices have keeps its place among them."""
    names: list[str] = []
    for each in dict.fromkeys(map(tuple, details)):
        place = len(names)
        for name in reversed(each):
            if name not in names:
                names.insert(place, name)
            place = names.index(name)
    return names
