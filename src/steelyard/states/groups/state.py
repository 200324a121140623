"""Groups: the rows of each group, from all batches and merged states.

Memory: grows with the rows (holistic). They are kept in input order, each with its slice of every
`by`; a view sorts them once for each table. Exactness: exact; weights are whole multiples of
2**unit. The bytes hold the rows group by group in a canonical order, so they depend on the rows
alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from steelyard import errors
from steelyard.model import Array, Reading, RequiredColumns
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import are_same, in_order, renumbered
from steelyard.states.groups import byte_form
from steelyard.states.groups.group_chunks import GroupChunk, JoinedGroups, grades_of, join
from steelyard.states.weights import Weights


class Groups(KeyedState):
    """Rows by group: GAUC and every ranking metric are read from it."""

    kind = "groups"

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        self._chunks: list[GroupChunk] = []
        self._joined: JoinedGroups | None = None
        self._unit: int | None = None  # that of all rows of a job, of which these are some
        self._has_positions = False  # row numbers of one source, which another source would repeat

    @classmethod
    def of_part(
        cls,
        chunks: Sequence[GroupChunk],
        reading: Reading | None,
        tables: int,
        unit: int | None,
        clustered: bool,
    ) -> Self:
        """Some groups of a job, in whose unit weights are counted; None: all of them are 1."""
        state = cls(tables, clustered)
        state.reading, state._unit = reading, unit
        state._chunks = list(chunks)
        return state

    def kept(self, numbers: Sequence[Array]) -> list[GroupChunk]:
        """The rows as they came; numbers: that slices get, for each table but the total's."""
        if are_same(numbers):
            return list(self._chunks)
        return [replace(c, slices=renumbered(c.slices, numbers)) for c in self._chunks]

    def joined(self) -> JoinedGroups:
        """All rows, joined once."""
        if self._joined is None:
            score_type = "float64" if self.reading is None else self.reading.score_type
            self._joined = join(
                self._chunks,
                score_type,
                self.tables - 1 + self.clustered,
                self.clustered,
                self._unit,
            )
        return self._joined

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if len(batch):
            codes = tuple(required(each.codes) for each in slices[1:])
            columns = required(batch.groups)
            weights = Weights(len(batch), batch.weight)
            self._append(
                GroupChunk(
                    grades_of(batch), required(batch.score), weights, batch.count, columns, codes
                )
            )

    def has_columns(self, needed: RequiredColumns, keys: int) -> bool:
        return all(
            len(columns.group) == keys
            and {*columns.group_weight} == {*needed.group_weights}
            and (columns.document is not None) == needed.document
            and (columns.position is not None) == needed.position
            for columns in (chunk.columns for chunk in self._chunks)
        )

    def _append(self, chunk: GroupChunk) -> None:
        if self._chunks:
            self._chunks[0].refuse_other_columns(chunk)
        self._chunks.append(chunk)
        self._joined = None

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        some = other._chunks[:1]  # chunks of one state are alike
        positions = any(chunk.columns.position is not None for chunk in some)
        if positions and self._has_positions:
            raise errors.MERGE_STABLE()
        self._has_positions |= positions
        for mine, theirs in zip(self._chunks, some, strict=False):
            mine.refuse_other_columns(theirs)
        self._chunks += (
            other._chunks
            if are_same(numbers)
            else [replace(c, slices=renumbered(c.slices, numbers[1:])) for c in other._chunks]
        )
        self._joined = None

    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        joined = self.joined()
        return byte_form.content(replace(joined, slices=in_order(joined.slices, order[1:])))

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        chunk = byte_form.restored(header, sections, slices[1:])
        if chunk is None:
            return
        self._require_reading(True)
        if self.reading is not None and chunk.score.dtype != self.reading.score_type:
            raise ValueError(f"scores of type {chunk.score.dtype}")
        self._append(chunk)
