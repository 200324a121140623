"""Groups: the rows of each group, whatever batch or tally they came in.

Memory: grows with the rows (holistic); they are kept as they came and sorted once, when asked.
Exactness: exact; weights are whole multiples of 2**unit. The bytes hold the rows group by group in
an order of their own, so they depend on the rows alone.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from steelyard import errors
from steelyard.model import Array
from steelyard.reading.batch import Batch, given
from steelyard.states import group_bytes
from steelyard.states.base import State
from steelyard.states.group_rows import GroupRows
from steelyard.states.joined import Joined, Rows, join


class Groups(State):
    """Rows by group; GAUC and every ranking metric are read off it."""

    kind = "groups"

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[Rows] = []
        self._view: GroupRows | None = None
        self._numbered = False  # whether rows are numbered by a source, which no other source does

    def view(self) -> GroupRows:
        """The rows, to be read group by group."""
        if self._view is None:
            self._view = GroupRows(self.joined())
        return self._view

    def joined(self) -> Joined:
        """All rows in one piece."""
        return join(self._parts, "float64" if self.reading is None else self.reading.score_type)

    def _add_rows(self, batch: Batch) -> None:
        groups, score, positive = given(batch.groups), given(batch.score), given(batch.positive)
        if len(batch):
            grade = positive.view(np.uint8) if batch.grade is None else batch.grade
            self._append(Rows(grade, score, batch.weight, batch.count, groups))

    def _append(self, rows: Rows) -> None:
        if self._parts:
            self._parts[0].refuse_unlike(rows)
        self._parts.append(rows)
        self._view = None

    def _add_state(self, other: Self) -> None:
        positions = any(rows.beside.position is not None for rows in other._parts)
        if positions and self._numbered:
            raise errors.MERGE_STABLE()
        self._numbered |= positions
        for rows in other._parts:
            self._append(rows)

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        return group_bytes.content(self.view())

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        rows = group_bytes.restored(header, sections)
        if rows is None:
            return
        if self.reading is None:
            raise ValueError("rows that nobody read")
        if rows.score.dtype != self.reading.score_type:
            raise ValueError(f"scores of type {rows.score.dtype}")
        self._append(rows)
