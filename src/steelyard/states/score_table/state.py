"""The score table: the sorted scores of each slice and class, with their weights.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
Logically it is a table with the key (slice, class, score). In memory the rows stay in input order
until a view needs them, and are then sorted once: one sort of all rows takes a third of the time of
sorting ten batches and merging them. The bytes hold each distinct score of a slice once, so they
depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import KeyedRun
from steelyard.model import Array, RequiredColumns
from steelyard.ragged import running_sums, spread
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import SliceCodes, State
from steelyard.states.codes import checked_sizes
from steelyard.states.score_table.sorted_table import SideChunk, SortedTable, sorted_table
from steelyard.states.weights import (
    Weights,
    canonical_columns,
    digits_at,
    digits_of,
    restored_weights,
    weight_sections,
)

SIDES = ("positive", "negative")


class ScoreTable(State):
    """Scores of both classes by slice with exact weights: every curve is read from it."""

    kind = "score_table"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self._chunks: list[tuple[list[SideChunk], list[SideChunk]]] = [
            ([], []) for _ in range(tables)
        ]
        self._sorted: dict[tuple[int, int], SortedTable] = {}

    def sorted(self, number: int = 0, slices: int = 1) -> SortedTable:
        """One table, of `slices` slices: sorted once, for all metrics."""
        if (number, slices) not in self._sorted:
            made = sorted_table(self._chunks[number], slices, self._score_type())
            self._sorted[number, slices] = made
            if self.tables == 1:  # the rows need not be kept twice
                self._chunks[0] = _as_chunks(made)
        return self._sorted[number, slices]

    def _score_type(self) -> str:
        return "float64" if self.reading is None else self.reading.score_type

    def has_columns(self, needed: RequiredColumns, keys: int) -> bool:
        sides = chain.from_iterable(chain.from_iterable(self._chunks))
        return not needed.probability or all(
            side.scores.min(initial=0) >= 0 and side.scores.max(initial=0) <= 1 for side in sides
        )

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        self._sorted = {}
        several = [codes for codes, _, _ in slices if codes is not None]
        weight = () if batch.weight is None else (batch.weight,)
        columns = (required(batch.score), *weight, *several)
        for place, side in enumerate(kernels.active().split(required(batch.positive), columns)):
            scores = side[0]
            if not len(scores):
                continue
            weights = Weights(len(scores), side[1] if weight else None)
            codes = (None, *side[1 + len(weight) :])
            for chunks, of_slice in zip(self._chunks, codes, strict=True):
                chunks[place].append(SideChunk(of_slice, scores, weights))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        self._sorted = {}
        for mine, theirs, places in zip(self._chunks, other._chunks, numbers, strict=True):
            for side, chunks in zip(mine, theirs, strict=True):
                side += [_recoded(chunk, places) for chunk in chunks]

    # --- bytes -----------------------------------------------------------------------------------
    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        units, sections = [], {}
        for number, slices in enumerate(order):
            table = self.sorted(number, int(slices.max(initial=0)) + 1)
            unit, sides = _canonical(table, slices)
            units.append(unit)
            for name, side in zip(SIDES, sides, strict=True):
                start = f"{number}.{name}"
                sections[f"{start}.sizes"] = np.diff(side.starts).astype(np.int64)
                sections[f"{start}.scores"] = side.scores
                sections |= weight_sections(f"{start}.weights", side.digits)
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        for number, (stored, count) in enumerate(zip(header["units"], slices, strict=True)):
            unit = wire.unit(stored)
            for side, name in enumerate(SIDES):
                chunk = self._restored_side(f"{number}.{name}", sections, count, unit)
                if chunk is not None:
                    self._chunks[number][side].append(chunk)
            self._require_reading(any(self._chunks[number]))

    def _restored_side(
        self, name: str, sections: dict[str, Array], count: int, unit: int
    ) -> SideChunk | None:
        """The rows of one class, from bytes; None where there are none."""
        sizes, scores = sections.pop(f"{name}.sizes"), sections.pop(f"{name}.scores")
        digits = restored_weights(f"{name}.weights", sections, len(scores))
        if scores.dtype != self._score_type() or not np.isfinite(scores).all():
            raise ValueError(f"scores that are not {self._score_type()}")
        codes = np.repeat(np.arange(count), checked_sizes(sizes, count, len(scores)))
        if not len(scores):
            return None
        return SideChunk(codes, scores, Weights(len(scores), None, digits, unit))


def _as_chunks(table: SortedTable) -> tuple[list[SideChunk], list[SideChunk]]:
    """The rows of a sorted table as rows that more rows may be added to."""
    positives, negatives = (
        [SideChunk(None, side.scores, Weights(len(side.scores), None, side.digits, table.unit))]
        if len(side.scores)
        else []
        for side in table[:2]
    )
    return positives, negatives


def _recoded(chunk: SideChunk, numbers: Array) -> SideChunk:
    """The same rows under other slice numbers."""
    return chunk if chunk.codes is None else chunk._replace(codes=numbers.take(chunk.codes))


def _canonical(table: SortedTable, order: Array) -> tuple[int, list[KeyedRun]]:
    """The form in bytes: each distinct score of a slice once, slices in order, the largest unit."""
    sides = [_in_order(kernels.active().collapse(side), order) for side in table[:2]]
    unit, digits = canonical_columns([digits_of(side.run) for side in sides], table.unit)
    return unit, [side._replace(digits=d) for side, d in zip(sides, digits, strict=True)]


def _in_order(side: KeyedRun, order: Array) -> KeyedRun:
    """The slices of a run in another order."""
    if np.array_equal(order, np.arange(len(side.starts) - 1)):
        return side
    sizes = np.diff(side.starts)[order]
    rows, _ = spread(side.starts[order], sizes)
    return KeyedRun(running_sums(sizes), side.scores[rows], digits_at(side.digits, rows))
