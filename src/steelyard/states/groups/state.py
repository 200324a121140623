"""Groups: the rows of each group, whatever batch or tally they came in.

Memory: grows with the rows (holistic); they are kept as they came, with the slice of each `by`
beside them, and sorted once for a table, when asked. Exactness: exact; weights are whole multiples
of 2**unit. The bytes hold the rows group by group in an order of their own, so they depend on the
rows alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from steelyard import errors
from steelyard.model import Array
from steelyard.reading.batch import Batch, required
from steelyard.states.base import SliceCodes, State
from steelyard.states.codes import count_of, ranks
from steelyard.states.groups import byte_form
from steelyard.states.groups.rows import GroupChunk, JoinedGroups, join


class Groups(State):
    """Rows by group; GAUC and every ranking metric are read off it."""

    kind = "groups"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self._parts: list[GroupChunk] = []
        self._joined: JoinedGroups | None = None
        self._numbered = False  # whether rows are numbered by a source, which no other source does

    def joined(self) -> JoinedGroups:
        """All rows in one piece: made once, however many look."""
        if self._joined is None:
            score_type = "float64" if self.reading is None else self.reading.score_type
            self._joined = join(self._parts, score_type, self.tables - 1)
        return self._joined

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if len(batch):
            grade = required(batch.positive).view(np.uint8) if batch.grade is None else batch.grade
            codes = tuple(required(each.codes) for each in slices[1:])
            columns = required(batch.groups)
            rows = GroupChunk(
                grade, required(batch.score), batch.weight, batch.count, columns, codes
            )
            self._append(rows)

    def _append(self, rows: GroupChunk) -> None:
        if self._parts:
            self._parts[0].refuse_unlike(rows)
        self._parts.append(rows)
        self._joined = None

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        positions = any(rows.columns.position is not None for rows in other._parts)
        if positions and self._numbered:
            raise errors.MERGE_STABLE()
        self._numbered |= positions
        for rows in other._parts:
            pairs = zip(numbers[1:], rows.slices, strict=True)
            self._append(replace(rows, slices=tuple(n.take(codes) for n, codes in pairs)))

    def _content(self, order: Sequence[Array]) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        joined = self.joined()
        pairs = zip(order[1:], joined.slices, strict=True)
        moved = tuple(ranks(o, count_of(c)).take(c) for o, c in pairs)
        return byte_form.content(replace(joined, slices=moved))

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        rows = byte_form.restored(header, sections, slices[1:])
        if rows is None:
            return
        self._refuse_unread(True)
        if self.reading is not None and rows.score.dtype != self.reading.score_type:
            raise ValueError(f"scores of type {rows.score.dtype}")
        self._append(rows)
