"""The score table: per slice and class the sorted scores with their weight.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
Logically a table keyed by slice, class and score; physically rows as they came, sorted once, when
someone looks: one sort of all rows takes a third of the time of sorting ten batches and joining
them. The bytes hold each distinct score of a slice once, so they depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import MASK, Columns, Digits, Run, SortedRows
from steelyard.model import Array
from steelyard.ragged import spread
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import SliceCodes, State
from steelyard.states.weights import (
    WIDTHS,
    Weights,
    canonical,
    common_unit,
    digits_of,
    in_unit,
    of_one_type,
)

SIDES = ("positive", "negative")


class SideChunk(NamedTuple):
    """Rows of one class; without codes all are of the slice 0."""

    codes: Array | None
    scores: Array
    weights: Weights


class KeyedRun(NamedTuple):
    """Sorted rows of one class by slice; no digits mean that each weighs 1."""

    starts: Array
    scores: Array
    digits: Digits | None

    @property
    def run(self) -> Run:
        return Run(self.scores, self.digits)

    @property
    def keyed(self) -> SortedRows:
        return SortedRows(self.starts, self.scores, ())


class SortedTable(NamedTuple):
    """The rows of both classes by slice and rising score; weights count in 2**unit."""

    positives: KeyedRun
    negatives: KeyedRun
    unit: int


class ScoreTable(State):
    """Scores of both classes by slice with exact weights; every curve is read off it."""

    kind = "score_table"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self._rows: list[tuple[list[SideChunk], list[SideChunk]]] = [
            ([], []) for _ in range(tables)
        ]
        self._sorted: dict[tuple[int, int], SortedTable] = {}

    def sorted(self, number: int = 0, slices: int = 1) -> SortedTable:
        """One table, of so many slices: sorted once, however many metrics ask."""
        if (number, slices) not in self._sorted:
            made = sorted_table(self._rows[number], slices, self._score_type())
            self._sorted[number, slices] = made
            if self.tables == 1:  # the rows need not be kept twice
                self._rows[0] = _as_rows(made)
        return self._sorted[number, slices]

    def _score_type(self) -> str:
        return "float64" if self.reading is None else self.reading.score_type

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        self._sorted = {}
        several = [codes for codes, _, _ in slices if codes is not None]
        weight = () if batch.weight is None else (batch.weight,)
        columns: Columns = (required(batch.score), *weight, *several)
        for place, side in enumerate(kernels.active().split(required(batch.positive), columns)):
            scores = side[0]
            if not len(scores):
                continue
            weights = Weights(len(scores), side[1] if weight else None)
            codes = (None, *side[1 + len(weight) :])
            for rows, of_slice in zip(self._rows, codes, strict=True):
                rows[place].append(SideChunk(of_slice, scores, weights))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        self._sorted = {}
        for mine, theirs, places in zip(self._rows, other._rows, numbers, strict=True):
            for side, rows in zip(mine, theirs, strict=True):
                side += [_recoded(each, places) for each in rows]

    # --- bytes -----------------------------------------------------------------------------------
    def _content(self, order: Sequence[Array]) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        units, sections = [], {}
        for number, slices in enumerate(order):
            table = self.sorted(number, int(slices.max(initial=0)) + 1)
            unit, sides = _canonical(table, slices)
            units.append(unit)
            for name, side in zip(SIDES, sides, strict=True):
                start = f"{number}.{name}"
                sections[f"{start}.sizes"] = np.diff(side.starts).astype(np.int64)
                sections[f"{start}.scores"] = side.scores
                for place, digit in enumerate(side.digits or ()):
                    sections[f"{start}.weights.{place}"] = digit
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        for number, (stored, count) in enumerate(zip(header["units"], slices, strict=True)):
            unit = wire.unit(stored)
            for side, name in enumerate(SIDES):
                rows = self._restored_side(f"{number}.{name}", sections, count, unit)
                if rows is not None:
                    self._rows[number][side].append(rows)
            self._refuse_unread(any(self._rows[number]))

    def _restored_side(
        self, name: str, sections: dict[str, Array], count: int, unit: int
    ) -> SideChunk | None:
        sizes, scores = sections.pop(f"{name}.sizes"), sections.pop(f"{name}.scores")
        digits = restored_weights(f"{name}.weights", sections, len(scores))
        if scores.dtype != self._score_type() or not np.isfinite(scores).all():
            raise ValueError(f"scores that are not {self._score_type()}")
        codes = np.repeat(np.arange(count), checked_sizes(sizes, count, len(scores)))
        if not len(scores):
            return None
        return SideChunk(codes, scores, Weights(len(scores), None, digits, unit))


def sorted_table(
    rows: tuple[Sequence[SideChunk], Sequence[SideChunk]], slices: int, score_type: str
) -> SortedTable:
    """The rows of both classes in order, their weights in one unit."""
    unit = common_unit([each.weights for side in rows for each in side])
    positives, negatives = (sorted_side(side, slices, unit, score_type) for side in rows)
    return SortedTable(positives, negatives, unit)


def sorted_side(rows: Sequence[SideChunk], slices: int, unit: int, score_type: str) -> KeyedRun:
    """The rows of one class by slice and rising score, their weights in multiples of 2**unit."""
    kernel = kernels.active()
    if not rows:
        return KeyedRun(np.zeros(slices + 1, np.int64), np.zeros(0, score_type), None)
    codes = None
    if slices > 1:
        found = [each.codes for each in rows if each.codes is not None]
        codes = found[0] if len(found) == 1 else np.concatenate(found)
    scores = np.concatenate([each.scores for each in rows])  # a copy, which the sort uses up
    weights = [each.weights for each in rows]
    raw = of_one_type(weights)
    if raw is not None:  # a float32 beside a float32 takes one sort of 64-bit keys
        starts, scores, (carried,) = kernel.sort_keyed(codes, slices, scores, (raw,))
        return KeyedRun(starts, scores, kernel.to_digits(carried, unit))
    digits = in_unit(weights, unit)
    starts, scores, columns = kernel.sort_keyed(codes, slices, scores, digits or ())
    return KeyedRun(starts, scores, columns or None)


def _as_rows(table: SortedTable) -> tuple[list[SideChunk], list[SideChunk]]:
    """Sorted rows as rows that may be sorted again."""
    positives, negatives = (
        [SideChunk(None, side.scores, Weights(len(side.scores), None, side.digits, table.unit))]
        if len(side.scores)
        else []
        for side in table[:2]
    )
    return positives, negatives


def _recoded(rows: SideChunk, places: Array) -> SideChunk:
    return rows if rows.codes is None else rows._replace(codes=places.take(rows.codes))


def _canonical(table: SortedTable, order: Array) -> tuple[int, list[KeyedRun]]:
    """Each distinct score of each slice once, slices in order, in the largest unit there is."""
    sides = [_in_order(_collapsed(side), order) for side in table[:2]]
    unit, digits = canonical([digits_of(side.run) for side in sides], table.unit)
    return unit, [side._replace(digits=d) for side, d in zip(sides, digits, strict=True)]


def _collapsed(side: KeyedRun) -> KeyedRun:
    run, starts = kernels.active().collapse(side.run, side.starts)
    return KeyedRun(starts, *run)


def _in_order(side: KeyedRun, order: Array) -> KeyedRun:
    """The slices of a run in another order."""
    if np.array_equal(order, np.arange(len(side.starts) - 1)):
        return side
    sizes = np.diff(side.starts)[order]
    rows, _ = spread(side.starts[order], sizes)
    digits = None if side.digits is None else tuple(digit[rows] for digit in side.digits)
    return KeyedRun(np.append(0, np.cumsum(sizes)), side.scores[rows], digits)


def checked_sizes(sizes: Array, count: int, rows: int) -> Array:
    """How many rows each slice has, from bytes."""
    if sizes.dtype != np.int64 or len(sizes) != count or not _within(sizes, rows):
        raise ValueError("slices that are none")
    if int(sizes.sum()) != rows:
        raise ValueError("slices that do not fit the rows")
    return sizes


def _within(sizes: Array, rows: int) -> bool:
    """Whether each is a number of rows; a sum of larger ones might not fit int64."""
    return bool(((sizes >= 0) & (sizes <= rows)).all())


def restored_weights(name: str, sections: dict[str, Array], rows: int) -> Digits | None:
    """The weights of rows, from bytes; None where each is 1."""
    digits: list[Array] = []
    while f"{name}.{len(digits)}" in sections:
        digits.append(sections.pop(f"{name}.{len(digits)}"))
    if any(digit.dtype not in WIDTHS or len(digit) != rows for digit in digits):
        raise ValueError("weights that do not fit the rows")
    if any((digit > MASK).any() for digit in digits):
        raise ValueError("weights that are not whole numbers")
    if digits and not np.any([digit != 0 for digit in digits], axis=0).all():
        raise ValueError("a row without weight")
    return tuple(digits) or None
