"""The score table: the sorted scores of each slice and class, with their weights.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
Logically it is a table with the key (slice, class, score). In memory the rows stay in input order
until a view needs them, and are then sorted once: one sort of all rows takes a third of the time of
sorting ten batches and merging them. The bytes hold each distinct score of a slice (and of a
cluster, where rows have one) once, so they depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import KeyedRun, Run
from steelyard.kernels.ragged import running_sums, spread
from steelyard.model import Array, RequiredColumns
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import are_same, checked_sizes, ranks, restored_codes
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


class ScoreTable(KeyedState):
    """Scores of both classes by slice with exact weights: every curve is read from it."""

    kind = "score_table"

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        self._chunks: list[tuple[list[SideChunk], list[SideChunk]]] = [
            ([], []) for _ in range(tables)
        ]
        self._sorted: dict[tuple[int, int], SortedTable] = {}

    def sorted(self, number: int = 0, slices: int = 1) -> SortedTable:
        """One table, of `slices` slices: sorted once, for all metrics."""
        if (number, slices) not in self._sorted:
            chunks, type_ = self._chunks[number], self._score_type()
            made = sorted_table(chunks, slices, type_, self.clustered)
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
            clusters = codes[-1] if self.clustered else None
            for chunks, of_slice in zip(self._chunks, codes[: self.tables], strict=True):
                chunks[place].append(SideChunk(of_slice, scores, weights, clusters))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        self._sorted = {}
        same = are_same(numbers)
        tables = zip(self._chunks, other._chunks, numbers[: self.tables], strict=True)
        for mine, theirs, places in tables:
            for side, chunks in zip(mine, theirs, strict=True):
                side += chunks if same else [_recoded(c, places, numbers[-1]) for c in chunks]

    # --- bytes -----------------------------------------------------------------------------------
    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        units, sections = [], {}
        for number, slices in enumerate(order[: self.tables]):
            table = self.sorted(number, int(slices.max(initial=0)) + 1)
            unit, sides, clusters = _canonical(table, slices, order[-1])
            units.append(unit)
            for name, side in zip(SIDES, sides, strict=True):
                start = f"{number}.{name}"
                sections[f"{start}.sizes"] = np.diff(side.starts).astype(np.int64)
                sections[f"{start}.scores"] = side.scores
                sections |= weight_sections(f"{start}.weights", side.digits)
            for name, codes in zip(SIDES, clusters, strict=False):  # none where rows have none
                sections[f"{number}.{name}.clusters"] = codes.astype(np.uint32)
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        tables = zip(header["units"], slices[: self.tables], strict=True)
        for number, (stored, count) in enumerate(tables):
            unit = wire.unit(stored)
            for side, name in enumerate(SIDES):
                chunk = self._restored_side(f"{number}.{name}", sections, count, unit)
                if self.clustered:
                    rows = 0 if chunk is None else len(chunk.scores)
                    named = f"{number}.{name}.clusters"
                    clusters = restored_codes(sections, named, slices[-1], rows)
                    chunk = None if chunk is None else chunk._replace(clusters=clusters)
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
        [
            SideChunk(
                None,
                side.scores,
                Weights(len(side.scores), None, side.digits, table.unit),
                clusters,
            )
        ]
        if len(side.scores)
        else []
        for side, clusters in zip(table[:2], table.clusters or (None, None), strict=True)
    )
    return positives, negatives


def _recoded(chunk: SideChunk, slices: Array, clusters: Array) -> SideChunk:
    """The same rows under other numbers of slices and clusters."""
    return chunk._replace(
        codes=None if chunk.codes is None else slices.take(chunk.codes),
        clusters=None if chunk.clusters is None else clusters.take(chunk.clusters),
    )


def _canonical(
    table: SortedTable, order: Array, clusters: Array
) -> tuple[int, list[KeyedRun], list[Array]]:
    """The form in bytes: each distinct score of a slice once, slices in order, the largest unit.

    clusters: the numbers of clusters in order; the result has those of both classes, where rows
    have one
    """
    kernel, of_rows = kernels.active(), []
    if table.clusters is None:
        sides = [_in_order(kernel.collapse(side), order) for side in table[:2]]
    else:
        places = ranks(clusters, 0)
        both = zip(table[:2], table.clusters, strict=True)
        made = [_by_cluster(side, places[codes], order) for side, codes in both]
        sides, of_rows = [side for side, _ in made], [codes for _, codes in made]
    unit, digits = canonical_columns([digits_of(side.run) for side in sides], table.unit)
    return unit, [side._replace(digits=d) for side, d in zip(sides, digits, strict=True)], of_rows


def _by_cluster(side: KeyedRun, clusters: Array, order: Array) -> tuple[KeyedRun, Array]:
    """Each distinct score of each slice and cluster once, slices in order; and its cluster."""
    kernel = kernels.active()
    of_slice = np.repeat(np.arange(len(side.starts) - 1), np.diff(side.starts))
    place = ranks(order, len(side.starts) - 1)[of_slice]
    rows = np.lexsort((clusters, side.scores, place))
    columns = place[rows], side.scores[rows], clusters[rows]
    differs = np.ones(len(rows), bool)  # from the row before
    differs[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    first = np.flatnonzero(differs)
    sums = kernel.cumulative(Run(columns[1], digits_at(side.digits, rows)))
    digits = kernel.weight_between(sums, np.append(first, len(rows)))
    place, scores, clusters = (column[first] for column in columns)
    return KeyedRun(place.searchsorted(np.arange(len(order) + 1)), scores, digits), clusters


def _in_order(side: KeyedRun, order: Array) -> KeyedRun:
    """The slices of a run in another order."""
    if np.array_equal(order, np.arange(len(side.starts) - 1)):
        return side
    sizes = np.diff(side.starts)[order]
    rows, _ = spread(side.starts[order], sizes)
    return KeyedRun(running_sums(sizes), side.scores[rows], digits_at(side.digits, rows))
