"""The score table: the scores of each slice and class, with their weights.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
Logically it is a table with the key (slice, class, score). In memory the rows stay as they came,
both classes in one chunk: a curve is made of them in one call. They are sorted where a view needs
their order. The bytes hold each distinct score of a slice (and of a cluster, where rows have one)
once, so they depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.collapsing import collapse
from steelyard.kernels.interface import KeyedRun, ScoreChunk, ScoreRows, SortedTable
from steelyard.kernels.ragged import running_sums, spread
from steelyard.model import Array, Reading, RequiredColumns
from steelyard.reading.batch import Batch, required
from steelyard.reading.lent import kept
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import are_same, checked_sizes, ranks, restored_codes
from steelyard.states.weights import (
    canonical_columns,
    chunk_unit,
    digits_at,
    digits_of,
    in_unit,
    restored_weights,
    weight_between,
    weight_sections,
)

SIDES = ("positive", "negative")
FEW = 1 << 12  # rows


class KeptChunk(NamedTuple):
    """Rows that were added at once; their weights, if they are digits, count 2**unit.

    carried: further columns that travel with the rows
    """

    rows: ScoreChunk
    unit: int = 0
    carried: tuple[Array, ...] = ()

    def take(self, places: Array) -> "KeptChunk":
        """Some of the rows."""
        codes, scores, positive, weights, clusters = self.rows
        weights = digits_at(weights, places) if isinstance(weights, tuple) else at(weights, places)
        chosen = ScoreChunk(
            at(codes, places), scores[places], positive[places], weights, at(clusters, places)
        )
        return self._replace(rows=chosen, carried=tuple(each[places] for each in self.carried))


def at(column: Array | None, places: Array) -> Array | None:
    """Some entries of a column, if there is one."""
    return None if column is None else column[places]


class ScoreTable(KeyedState):
    """Scores of both classes by slice with exact weights: every curve is read from it."""

    kind = "score_table"

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        self._chunks: list[list[KeptChunk]] = [[] for _ in range(tables)]
        self._unit: int | None = None  # that of all rows of a job, of which these are some
        self._sorted: dict[tuple[int, int], SortedTable] = {}

    @classmethod
    def of_range(cls, chunks: Sequence[KeptChunk], reading: Reading | None, unit: int) -> Self:
        """The rows of one range of a job, in whose unit weights are counted."""
        state = cls(clustered=any(each.rows.clusters is not None for each in chunks))
        state.reading, state._unit = reading, unit
        state._chunks[0] = list(chunks)
        return state

    def kept(self, number: int, slices: Array, clusters: Array) -> list[KeptChunk]:
        """The rows of one table as they came; the numbers that slices and clusters get."""
        return [_recoded(each, slices, clusters) for each in self._chunks[number]]

    def rows(self, number: int = 0, slices: int = 1) -> tuple[ScoreRows, int]:
        """The rows of one table, sorted if they were sorted before; and the unit of weights.

        Few rows are given as chunks: to place them takes less time than to read a sorted table.
        """
        known = self._sorted.get((number, slices))
        if known is None or sum(len(side.scores) for side in known[:2]) < FEW:
            return self.chunks(number)
        return known, known.unit

    def chunks(self, number: int = 0) -> tuple[list[ScoreChunk], int]:
        """The rows of one table as they came, and the unit of their weights."""
        kept = self._chunks[number]
        if not kept:
            none = np.zeros(0, bool)
            clusters = np.zeros(0, np.uint32) if self.clustered else None
            return [ScoreChunk(None, none.astype(self._score_type()), none, None, clusters)], 0
        unit = unit_of(kept) if self._unit is None else self._unit
        return [
            each.rows._replace(weights=in_unit(each.rows, each.unit, unit)) for each in kept
        ], unit

    def sorted(self, number: int = 0, slices: int = 1) -> SortedTable:
        """One table, of `slices` slices: sorted once, for all metrics."""
        if (number, slices) not in self._sorted:
            chunks, unit = self.chunks(number)
            made = kernels.active().sort_scores(chunks, slices, unit)
            self._sorted[number, slices] = made
            if self.tables == slices == 1:  # the rows need not be kept twice
                self._chunks[0] = _as_chunks(made)
        return self._sorted[number, slices]

    def _score_type(self) -> str:
        return "float64" if self.reading is None else self.reading.score_type

    def has_columns(self, needed: RequiredColumns, keys: int) -> bool:
        scores = [each.rows.scores for each in chain.from_iterable(self._chunks)]
        return not needed.probability or all(
            each.min(initial=0) >= 0 and each.max(initial=0) <= 1 for each in scores
        )

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        self._sorted = {}
        if not len(batch):
            return
        # A user may change an array after the call; codes and clusters are the reader's own.
        columns = required(batch.score), required(batch.positive), batch.weight
        score, positive, weight = (None if each is None else kept(each) for each in columns)
        clusters = slices[-1].codes if self.clustered else None
        for chunks, own in zip(self._chunks, slices, strict=False):  # clusters have no table
            rows = ScoreChunk(own.codes, required(score), required(positive), weight, clusters)
            chunks.append(KeptChunk(rows))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        self._sorted = {}
        same = are_same(numbers)
        tables = zip(self._chunks, other._chunks, numbers[: self.tables], strict=True)
        for mine, theirs, places in tables:
            mine += theirs if same else [_recoded(each, places, numbers[-1]) for each in theirs]

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
            for name in SIDES:
                rows = self._restored_side(f"{number}.{name}", sections, count)
                if self.clustered:
                    named = f"{number}.{name}.clusters"
                    clusters = restored_codes(sections, named, slices[-1], len(rows.scores))
                    rows = rows._replace(clusters=clusters)
                if len(rows.scores):
                    self._chunks[number].append(KeptChunk(rows, unit))
            self._require_reading(any(self._chunks[number]))

    def _restored_side(self, name: str, sections: dict[str, Array], count: int) -> ScoreChunk:
        """The rows of one class, from bytes."""
        sizes, scores = sections.pop(f"{name}.sizes"), sections.pop(f"{name}.scores")
        digits = restored_weights(f"{name}.weights", sections, len(scores))
        if scores.dtype != self._score_type() or not np.isfinite(scores).all():
            raise ValueError(f"scores that are not {self._score_type()}")
        codes = np.repeat(np.arange(count), checked_sizes(sizes, count, len(scores)))
        positive = np.full(len(scores), name.endswith(SIDES[0]))
        return ScoreChunk(codes, scores, positive, digits)


def unit_of(chunks: Sequence[KeptChunk]) -> int:
    """The largest u such that each weight is a multiple of 2**u."""
    return min((chunk_unit(each.rows, each.unit) for each in chunks), default=0)


def _as_chunks(table: SortedTable) -> list[KeptChunk]:
    """The rows of a sorted table of one slice as rows that more rows may be added to."""
    both = zip(table[:2], (True, False), table.clusters or (None, None), strict=True)
    return [
        KeptChunk(
            ScoreChunk(None, side.scores, np.full(len(side.scores), up), side.digits, clusters),
            table.unit,
        )
        for side, up, clusters in both
        if len(side.scores)
    ]


def _recoded(chunk: KeptChunk, slices: Array, clusters: Array) -> KeptChunk:
    """The same rows under other numbers of slices and clusters."""
    rows = chunk.rows
    codes = None if rows.codes is None else slices.take(rows.codes)
    of_rows = None if rows.clusters is None else clusters.take(rows.clusters)
    return chunk._replace(rows=rows._replace(codes=codes, clusters=of_rows))


def _canonical(
    table: SortedTable, order: Array, clusters: Array
) -> tuple[int, list[KeyedRun], list[Array]]:
    """The form in bytes: each distinct score of a slice once, slices in order, the largest unit.

    clusters: the numbers of clusters in order; the result has those of both classes, where rows
    have one
    """
    of_rows: list[Array] = []
    if table.clusters is None:
        sides = [_in_order(collapse(side), order) for side in table[:2]]
    else:
        places = ranks(clusters, 0)
        both = zip(table[:2], table.clusters, strict=True)
        made = [_by_cluster(side, places[codes], order) for side, codes in both]
        sides, of_rows = [side for side, _ in made], [codes for _, codes in made]
    unit, digits = canonical_columns([digits_of(side.run) for side in sides], table.unit)
    return unit, [side._replace(digits=d) for side, d in zip(sides, digits, strict=True)], of_rows


def _by_cluster(side: KeyedRun, clusters: Array, order: Array) -> tuple[KeyedRun, Array]:
    """Each distinct score of each slice and cluster once, slices in order; and its cluster."""
    of_slice = np.repeat(np.arange(len(side.starts) - 1), np.diff(side.starts))
    place = ranks(order, len(side.starts) - 1)[of_slice]
    rows = np.lexsort((clusters, side.scores, place))
    columns = place[rows], side.scores[rows], clusters[rows]
    differs = np.ones(len(rows), bool)  # from the row before
    differs[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    first = np.flatnonzero(differs)
    digits = weight_between(digits_at(side.digits, rows), np.append(first, len(rows)))
    place, scores, clusters = (column[first] for column in columns)
    return KeyedRun(place.searchsorted(np.arange(len(order) + 1)), scores, digits), clusters


def _in_order(side: KeyedRun, order: Array) -> KeyedRun:
    """The slices of a run in another order."""
    if np.array_equal(order, np.arange(len(side.starts) - 1)):
        return side
    sizes = np.diff(side.starts)[order]
    rows, _ = spread(side.starts[order], sizes)
    return KeyedRun(running_sums(sizes), side.scores[rows], digits_at(side.digits, rows))
