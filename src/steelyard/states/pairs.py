"""Pairs: truth, prediction and weight of every row, for statistics of ranks and medians.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
The bytes hold each pair of values of a slice once, with all its weight, by truth and then by
prediction, so they depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Digits, Run
from steelyard.model import Array, Floats
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import SliceCodes, State
from steelyard.states.codes import ranks
from steelyard.states.score_table.state import checked_sizes, restored_weights
from steelyard.states.weights import Weights, canonical_weights, common_weights

COLUMNS = ("truth", "prediction")


class PairChunk(NamedTuple):
    """Rows as they came; without codes all are of the slice 0."""

    codes: Array | None
    truth: Floats
    prediction: Floats
    weights: Weights


class PairTable(NamedTuple):
    """The rows of one table by slice; weights count in 2**unit, no digits mean that each is 1."""

    starts: Array
    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int


class Pairs(State):
    """Rows as they came, put slice by slice when someone looks."""

    kind = "pairs"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self._rows: list[list[PairChunk]] = [[] for _ in range(tables)]

    def table(self, number: int = 0, slices: int = 1) -> PairTable:
        """The rows of one table, of so many slices."""
        rows = self._rows[number]
        if not rows:
            return PairTable(np.zeros(slices + 1, np.int64), np.zeros(0), np.zeros(0), None, 0)
        unit, digits = common_weights([each.weights for each in rows])
        truth = np.concatenate([each.truth for each in rows])
        prediction = np.concatenate([each.prediction for each in rows])
        if slices == 1:
            return PairTable(np.array([0, len(truth)]), truth, prediction, digits, unit)
        codes = np.concatenate([required(each.codes) for each in rows])
        order, starts = kernels.active().bring_together(codes, slices)
        digits = None if digits is None else tuple(digit[order] for digit in digits)
        return PairTable(starts, truth[order], prediction[order], digits, unit)

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if len(batch):
            truth, prediction = required(batch.numbers)
            weights = Weights(len(batch), batch.weight)
            for rows, (codes, _, _) in zip(self._rows, slices, strict=True):
                rows.append(PairChunk(codes, truth, prediction, weights))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        for mine, theirs, places in zip(self._rows, other._rows, numbers, strict=True):
            mine += [
                rows if rows.codes is None else rows._replace(codes=places.take(rows.codes))
                for rows in theirs
            ]

    def _content(self, order: Sequence[Array]) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        units, sections = [], {}
        for number, slices in enumerate(order):
            table = _collapsed(self.table(number, int(slices.max(initial=0)) + 1), slices)
            unit, digits = canonical_weights(table.digits, table.unit)
            units.append(unit)
            sections[f"{number}.sizes"] = np.diff(table.starts).astype(np.int64)
            for name in COLUMNS:
                sections[f"{number}.{name}"] = getattr(table, name)
            for place, digit in enumerate(digits or ()):
                sections[f"{number}.weights.{place}"] = digit
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        for number, (stored, count) in enumerate(zip(header["units"], slices, strict=True)):
            unit, sizes = wire.unit(stored), sections.pop(f"{number}.sizes")
            truth, prediction = (_values(sections.pop(f"{number}.{name}")) for name in COLUMNS)
            if len(truth) != len(prediction):
                raise ValueError("truths without a prediction")
            digits = restored_weights(f"{number}.weights", sections, len(truth))
            codes = np.repeat(np.arange(count), checked_sizes(sizes, count, len(truth)))
            if len(truth):
                self._refuse_unread(True)
                weights = Weights(len(truth), None, digits, unit)
                self._rows[number].append(PairChunk(codes, truth, prediction, weights))


def _collapsed(table: PairTable, slices: Array) -> PairTable:
    """Each pair of values of each slice once, slices in order; -0.0 + 0.0 is 0.0."""
    kernel = kernels.active()
    truth, prediction = table.truth + 0.0, table.prediction + 0.0
    number = np.repeat(np.arange(len(table.starts) - 1), np.diff(table.starts))
    place = ranks(slices, len(table.starts) - 1)[number]
    order = np.lexsort((prediction, truth, place))
    truth, prediction, place = truth[order], prediction[order], place[order]
    digits = None if table.digits is None else tuple(digit[order] for digit in table.digits)
    block_start = np.ones(len(truth), bool)
    block_start[1:] = place[1:] != place[:-1]
    block_start[1:] |= (truth[1:] != truth[:-1]) | (prediction[1:] != prediction[:-1])
    first = np.flatnonzero(block_start)
    if digits is not None or len(first) < len(truth):
        sums = kernel.cumulative(Run(truth, digits))
        digits = kernel.weight_between(sums, np.append(first, len(truth)))
    starts = place[first].searchsorted(np.arange(len(slices) + 1))
    return PairTable(starts, truth[first], prediction[first], digits, table.unit)


def _values(column: Array) -> Array:
    if column.dtype != np.float64 or not np.isfinite(column).all():
        raise ValueError("numbers that are none")
    return column
