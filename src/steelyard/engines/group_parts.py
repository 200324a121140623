"""The exchange by group: all rows of a group come to one part, by a hash of its key's value.

Numbers of keys belong to whoever read them and never travel.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from steelyard.engines.line_parts import FirstStep, LineTask
from steelyard.metrics.fold import MakeParts, SliceParts
from steelyard.model import Array, Reading
from steelyard.reading.grouping import Dictionary, RowKeys
from steelyard.states import Groups
from steelyard.states.groups.group_chunks import GroupChunk
from steelyard.states.weights import common_weights
from steelyard.stats.poisson_weights import mixed, text_hashes, whole_hashes
from steelyard.views.clusters import LineSums
from steelyard.views.groups import GroupsView


def split(chunks: Sequence[GroupChunk], parts: int) -> dict[int, list[GroupChunk]]:
    """The parts that have rows, and their rows, whose texts are those of the part alone."""
    found: dict[int, list[GroupChunk]] = {}
    for chunk in chunks:
        numbers = (_hashes(chunk.columns.group) % np.uint64(parts)).astype(np.int64)
        for number in np.unique(numbers).tolist():
            some = chunk.take(np.flatnonzero(numbers == number))
            columns = some.columns
            own = columns._replace(
                group=tuple(map(_alone, columns.group)),
                document=None if columns.document is None else _alone(columns.document),
            )
            found.setdefault(number, []).append(replace(some, columns=own))
    return found


def brought_together(
    splits: Iterable[Mapping[int, Sequence[GroupChunk]]],
) -> dict[int, list[GroupChunk]]:
    """The rows of each part; splits: what each process made of its rows."""
    found: dict[int, list[GroupChunk]] = {}
    for own in splits:
        for number, chunks in own.items():
            found.setdefault(number, []).extend(chunks)
    return found


def unit_of(chunks: Sequence[GroupChunk]) -> int | None:
    """The unit of weights of some rows; None where each is 1, or there are none."""
    unit, digits = common_weights([chunk.weights for chunk in chunks])
    return None if digits is None else unit


def common_unit(units: Sequence[int | None]) -> int | None:
    """The unit of all rows, from those of some."""
    return None if all(unit is None for unit in units) else min(unit or 0 for unit in units)


class GroupPart(NamedTuple):
    """The rows of some groups of a job.

    number: the table that is looked at; tables: how many there are
    unit: of the job's weights; None: all are 1
    clustered: whether the last slices are clusters
    """

    chunks: Sequence[GroupChunk]
    number: int
    tables: int
    unit: int | None
    reading: Reading
    clustered: bool

    def view(self) -> tuple[GroupsView, Array]:
        """The groups of the table, and the numbers of its slices in the job."""
        chunks, slices = self.chunks, np.zeros(1, np.int64)
        if self.number:
            slices = np.unique(np.concatenate([each.slices[self.number - 1] for each in chunks]))
            chunks = _renumbered(chunks, self.number, slices)
        state = Groups.of_part(chunks, self.reading, self.tables, self.unit, self.clustered)
        return GroupsView(state, self.number, len(slices), np.arange(len(slices))), slices


def made_of_part(task: MakeParts, part: GroupPart) -> list[list[SliceParts]]:
    """What a task makes of the groups of one table."""
    return task.of_some(*part.view())


def lines_of_part(task: LineTask, part: GroupPart) -> LineSums | FirstStep:
    """The sums that influences on a metric need of some groups."""
    return task(*part.view())


def _renumbered(chunks: Sequence[GroupChunk], number: int, slices: Array) -> list[GroupChunk]:
    """Rows whose slices in one table are numbered among some slices."""
    made = []
    for chunk in chunks:
        codes = list(chunk.slices)
        codes[number - 1] = slices.searchsorted(codes[number - 1])
        made.append(replace(chunk, slices=tuple(codes)))
    return made


def _hashes(keys: Sequence[RowKeys]) -> Array:
    """A hash of the key of each row, by value."""
    found = np.zeros(len(keys[0].values), np.uint64)
    for column in keys:
        if column.dictionary is None:
            own = whole_hashes(column.values)
        else:
            own = text_hashes(list(column.dictionary.added))[column.values]
        found = mixed(found ^ own)
    return found


def _alone(keys: RowKeys) -> RowKeys:
    """Keys with a dictionary of their own texts."""
    if keys.dictionary is None:
        return keys
    used, places = np.unique(keys.values, return_inverse=True)
    own = Dictionary()
    return RowKeys(own.add(keys.dictionary.added.take(used))[places], own)
