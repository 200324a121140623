"""The score table: per distinct score, the weight of the positives and of the negatives.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
Logically a table; physically sorted runs of positive and of negative scores with the weights beside
them. The bytes hold the collapsed table, which depends on the rows alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import MASK, Digits, Run
from steelyard.model import Array, Reading
from steelyard.reading.batch import Batch, Side
from steelyard.states import runs, wire
from steelyard.states.base import State
from steelyard.states.chunk import Chunk, Totals
from steelyard.states.levels import Levels

CHUNK_ROWS = 1 << 18  # rows of either class in a chunk: columns of 2 MB, which the cache can hold
# Rows are sorted when there are so many, or when a value is asked for: one sort of all rows takes a
# third of the time of sorting ten batches and joining them.
UNSORTED_ROWS = 1 << 24
SIDES = ("positive", "negative")


class ScoreTable(State):
    """Sorted scores of both classes with exact weights; every curve is read off it."""

    kind = "score_table"

    def __init__(self) -> None:
        super().__init__()
        self.unit = 0
        self.rows = dict.fromkeys(SIDES, 0)
        self._runs: dict[str, list[Run]] = {side: [] for side in SIDES}
        self._unsorted: dict[str, list[Side]] = {side: [] for side in SIDES}
        self._waiting = 0  # rows not yet sorted
        self._levels: Levels | None = None  # of the rows there are

    def run(self, side: str) -> Run:
        """The rows of one class as a single sorted run."""
        self._sort()
        if len(self._runs[side]) != 1:
            self._runs[side] = [runs.join(self._runs[side], self._score_type())]
        return self._runs[side][0]

    def totals(self) -> Totals:
        positives, negatives = self.run("positive"), self.run("negative")
        lowest = runs.lowest(positives, negatives)
        return Totals(runs.weight(positives), runs.weight(negatives), lowest)

    def chunks(self, totals: Totals, rows: int | None = None) -> Iterator[Chunk]:
        """The table cut into score ranges, high to low, of at most so many rows a class.

        Only a tie can make a range longer. Ranges without a positive are passed over.
        """
        both = self.run("positive"), self.run("negative")
        ends = (len(both[0].scores), len(both[1].scores))
        above, lowest_above = (0, 0), np.inf
        for start in reversed(_starts(*both, rows or CHUNK_ROWS)):
            here = runs.part(both[0], start[0], ends[0]), runs.part(both[1], start[1], ends[1])
            ends = start
            if len(here[0].scores) == 0:
                above = above[0], above[1] + runs.weight(here[1])
            else:
                chunk = Chunk(*here, above, lowest_above, totals)
                yield chunk
                above = chunk.below
            lowest_above = runs.lowest(*here)

    def levels(self) -> Levels:
        """The table as probabilities: made once, however many metrics ask."""
        if self._levels is None:
            both = self.run("positive"), self.run("negative")
            self._levels = Levels(*both, self.unit, self.reading or Reading())
        return self._levels

    def _score_type(self) -> str:
        return "float64" if self.reading is None else self.reading.score_type

    def _add_rows(self, batch: Batch) -> None:
        self._levels = None
        for name, side in zip(SIDES, runs.sides(batch), strict=True):
            if len(side.scores):
                self.rows[name] += len(side.scores)
                self._unsorted[name].append(side)
        self._waiting += len(batch)
        if self._waiting >= UNSORTED_ROWS:
            self._sort()

    def _sort(self) -> None:
        """Take in the rows that wait: weights of one type at a time, since none may be rounded."""
        if self._waiting == 0:
            return
        self._waiting = 0
        self._lower_unit(min(map(_unit, chain.from_iterable(self._unsorted.values()))))
        for name, parts in self._unsorted.items():
            self._unsorted[name] = []
            for type_ in dict.fromkeys(map(_weight_type, parts)):
                self._take(name, [part for part in parts if _weight_type(part) == type_])

    def _take(self, name: str, parts: Sequence[Side]) -> None:
        kernel = kernels.active()
        scores = np.concatenate([part.scores for part in parts])  # a copy, which the sort uses up
        weights = [part.weights for part in parts if part.weights is not None]
        if weights:
            joined = weights[0] if len(weights) == 1 else np.concatenate(weights)
            scores, (joined,) = kernel.sort_rows(scores, (joined,))
            run = Run(scores, kernel.to_digits(joined, self.unit))
        else:
            scores, _ = kernel.sort_rows(scores, ())
            run = runs.recount(Run(scores, None), -self.unit)
        self._append(name, run)

    def _add_state(self, other: Self) -> None:
        self._levels = None
        if not other._has_rows():
            return
        other._sort()
        self._lower_unit(other.unit)
        for side in SIDES:
            self.rows[side] += other.rows[side]
            self._append(side, runs.recount(other.run(side), other.unit - self.unit))

    def _has_rows(self) -> bool:
        return any(self.rows.values())

    def _lower_unit(self, unit: int) -> None:
        """Count in a unit that divides the old weights and the new."""
        if not any(self._runs.values()):
            self.unit = unit
        elif unit < self.unit:
            for side, parts in self._runs.items():
                self._runs[side] = [runs.recount(run, self.unit - unit) for run in parts]
            self.unit = unit

    def _append(self, side: str, run: Run) -> None:
        if len(run.scores) == 0:
            return
        parts = self._runs[side]
        parts.append(run)
        # Join runs as they double, so that many merges cost n log n in all.
        while len(parts) > 1 and len(parts[-1].scores) * 2 > len(parts[-2].scores):
            parts[-2:] = [runs.join(parts[-2:], self._score_type())]

    def _content(self) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        unit, tables = runs.canonical([self.run(side) for side in SIDES], self.unit)
        fields = {"unit": unit, "rows": [self.rows[side] for side in SIDES]}
        sections: dict[str, Array] = {}
        for side, table in zip(SIDES, tables, strict=True):
            sections[f"{side}.scores"] = table.scores
            for place, digit in enumerate(table.digits or ()):
                sections[f"{side}.weights.{place}"] = digit
        return fields, sections

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        self.unit = wire.unit(header["unit"])
        for side, rows in zip(SIDES, header["rows"], strict=True):
            scores = sections[f"{side}.scores"]
            names = [name for name in sections if name.startswith(f"{side}.weights.")]
            digits = tuple(sections[f"{side}.weights.{place}"] for place in range(len(names)))
            self._check(scores, digits, wire.whole(rows))
            self.rows[side] = rows
            self._append(side, Run(scores, digits or None))
        if self.reading is None and self._has_rows():
            raise ValueError("rows that nobody read")

    def _check(self, scores: Array, digits: Digits, rows: int) -> None:
        """What a checksum cannot see: a table that no rows could have made."""
        if scores.dtype != self._score_type():
            raise ValueError(f"scores of type {scores.dtype}")
        # A run is taken to be sorted: bytes of one that is not would be written as they are.
        if not np.isfinite(scores).all() or not (scores[1:] > scores[:-1]).all():
            raise ValueError("scores out of order")
        if rows < len(scores) or (rows and not len(scores)):
            raise ValueError(f"{len(scores)} scores of {rows} rows")
        if any(digit.dtype not in runs.WIDTHS for digit in digits):
            raise ValueError("weights that are not whole numbers")
        if any(len(digit) != len(scores) or (digit > MASK).any() for digit in digits):
            raise ValueError("weights that do not fit the scores")
        if digits and not np.any([digit != 0 for digit in digits], axis=0).all():
            raise ValueError("a score without weight")


def _unit(side: Side) -> int:
    return 0 if side.weights is None else kernels.active().lowest_bit(side.weights)


def _weight_type(side: Side) -> str:
    return "" if side.weights is None else side.weights.dtype.str


def _starts(positives: Run, negatives: Run, rows: int) -> list[tuple[int, int]]:
    """Where each score range begins in the two runs, low to high."""
    if max(len(positives.scores), len(negatives.scores)) <= rows:
        return [(0, 0)]
    cuts = np.concatenate([positives.scores[rows::rows], negatives.scores[rows::rows]])
    edges = np.unique(cuts)
    columns = [[0, *run.scores.searchsorted(edges).tolist()] for run in (positives, negatives)]
    return list(zip(*columns, strict=True))
