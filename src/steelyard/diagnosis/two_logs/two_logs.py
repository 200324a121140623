"""The rows of two logs: slices, clusters and groups have the same numbers in both."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from steelyard.engines.choice import IN_MEMORY
from steelyard.engines.protocol import Engine
from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import Array, Floats, Key, Mask, Reading
from steelyard.reading.batch import probabilities
from steelyard.reading.clusters import ClusterNumbers

SIDES = ("before", "after")
PLAIN = Reading()


@dataclass(frozen=True, eq=False)
class LogRows:
    """Columns of one log, by rising score.

    weight: whole multiples of a unit that both logs share; None: each row counts 1
    exact_weight: as it was read, where these are rounded
    codes: for each dimension, the number of the row's value in the order of keys
    clusters, groups: numbers that both logs share; groups: None where they are not given
    probability: None where some score is not between 0 and 1
    control: another score of the same rows, if one was given
    grade: degrees of relevance, where the metric reads them
    """

    score: Array
    positive: Mask
    codes: tuple[Array, ...]
    clusters: Array
    weight: Array | None = None
    groups: Array | None = None
    probability: Floats | None = None
    control: Array | None = None
    grade: Array | None = None
    exact_weight: Array | None = None

    def __len__(self) -> int:
        return len(self.score)

    def take(self, rows: Array) -> "LogRows":
        """Some rows, by a mask or by their numbers, by which columns are copied faster."""
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        return LogRows(
            **{each.name: _taken(getattr(self, each.name), rows) for each in fields(self)}
        )

    @property
    def weights(self) -> Array:
        """The weight of each row, as whole numbers."""
        return np.ones(len(self), np.int64) if self.weight is None else self.weight

    @property
    def given_weight(self) -> Array | None:
        """The weight of each row, exactly, in any unit."""
        if self.exact_weight is not None or self.weight is None:
            return self.exact_weight
        return self.weight.astype(np.float64)

    def by_control(self, reading: Reading) -> "LogRows":
        """The rows with the other score, in its order."""
        assert self.control is not None
        moved = replace(self, score=self.control, probability=None, control=None)
        return moved.take(np.argsort(self.control)).with_probability(reading)

    def with_probability(self, reading: Reading) -> "LogRows":
        """The rows with scores as probabilities, if all are between 0 and 1."""
        if not (self.score[0] >= 0 and self.score[-1] <= 1):
            return self
        return replace(self, probability=probabilities(self.score, reading))


def _taken(column: Any, rows: Array) -> Any:
    if isinstance(column, tuple):
        return tuple(each.take(rows) for each in column)
    return None if column is None else column.take(rows)


class Dimension(NamedTuple):
    """A column that slices are made of: its name, its values in the order of keys, its SQL."""

    name: str
    keys: list[Key]
    text: str

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, eq=False)
class TwoLogs:
    """Both logs.

    logs: before and after; dropped: how many rows of each were left out
    names: what each is called; clusters: their keys; by_row: whether each row is a cluster
    unit: weights are multiples of 2**unit; rounded: whether they were finer than that
    group_count: how many groups both have; group_name: the columns of their key
    bound: the metric of groups, if there are any; engine: what computes metrics
    """

    logs: tuple[LogRows, LogRows]
    dimensions: tuple[Dimension, ...]
    names: tuple[str, str]
    dropped: tuple[int, int]
    clusters: ClusterNumbers
    by_row: bool = False
    cluster_count: int = 0
    unit: int = 0
    rounded: bool = False
    reading: Reading = PLAIN
    group_count: int = 0
    group_name: str = ""
    bound: BoundMetric | None = None
    engine: Engine = IN_MEMORY

    def without_codes(self) -> "TwoLogs":
        """The logs without their dimensions, of which a metric needs no copy."""
        return self.of([replace(log, codes=(), control=None) for log in self.logs])

    def take(self, keep: Sequence[Array]) -> "TwoLogs":
        """Some rows of each log."""
        return self.of([log.take(rows) for log, rows in zip(self.logs, keep, strict=True)])

    def of(self, logs: Sequence[LogRows]) -> "TwoLogs":
        """Other rows with the same dimensions and clusters."""
        return replace(self, logs=(logs[0], logs[1]))

    @property
    def dimension_names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.dimensions)

    def varies_in_groups(self, place: int) -> bool:
        """Whether rows of one group differ in a dimension."""
        return any(_varies(log, log.codes[place], self.group_count) for log in self.logs)

    def shares_values(self, place: int) -> bool:
        """Whether both logs have rows with one value of a dimension."""
        seen = np.zeros((2, len(self.dimensions[place])), bool)
        for side, log in enumerate(self.logs):
            seen[side, log.codes[place]] = True
        return bool(seen.all(axis=0).any())

    def clusters_vary(self) -> bool:
        """Whether rows of one group are of several clusters."""
        return any(_varies(log, log.clusters, self.group_count) for log in self.logs)

    def without_dimensions(self, places: Sequence[int]) -> "TwoLogs":
        kept = [place for place in range(len(self.dimensions)) if place not in places]
        logs = [replace(log, codes=tuple(log.codes[place] for place in kept)) for log in self.logs]
        dimensions = tuple(self.dimensions[place] for place in kept)
        return replace(self.of(logs), dimensions=dimensions)


def _varies(log: LogRows, codes: Array, count: int) -> bool:
    assert log.groups is not None
    found = np.zeros(count, codes.dtype)
    found[log.groups] = codes  # that of any of its rows
    return not np.array_equal(found[log.groups], codes)
