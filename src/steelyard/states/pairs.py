"""Pairs: truth, prediction and weight of every row, for rank statistics and medians.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
The bytes hold each distinct pair of a slice once, with its total weight, by truth and then by
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
from steelyard.states.codes import checked_sizes, ranks
from steelyard.states.weights import (
    Weights,
    canonical_weights,
    common_weights,
    digits_at,
    restored_weights,
    weight_sections,
)

COLUMNS = ("truth", "prediction")


class PairChunk(NamedTuple):
    """Rows that were added at once; codes: slice numbers, None: all of slice 0."""

    codes: Array | None
    truth: Floats
    prediction: Floats
    weights: Weights


class PairTable(NamedTuple):
    """The rows of one table by slice.

    starts: where each slice starts, and the end of all
    digits: weights in multiples of 2**unit, None where each is 1
    """

    starts: Array
    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int


class Pairs(State):
    """Truth and prediction of every row, in input order; a table of them is by slice."""

    kind = "pairs"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self._chunks: list[list[PairChunk]] = [[] for _ in range(tables)]

    def table(self, number: int = 0, slices: int = 1) -> PairTable:
        """The rows of one table, of `slices` slices."""
        chunks = self._chunks[number]
        if not chunks:
            return PairTable(np.zeros(slices + 1, np.int64), np.zeros(0), np.zeros(0), None, 0)
        unit, digits = common_weights([each.weights for each in chunks])
        truth = np.concatenate([each.truth for each in chunks])
        prediction = np.concatenate([each.prediction for each in chunks])
        if slices == 1:
            return PairTable(np.array([0, len(truth)]), truth, prediction, digits, unit)
        codes = np.concatenate([required(each.codes) for each in chunks])
        order, starts = kernels.active().bring_together(codes, slices)
        return PairTable(starts, truth[order], prediction[order], digits_at(digits, order), unit)

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if len(batch):
            truth, prediction = required(batch.numbers)
            weights = Weights(len(batch), batch.weight)
            for chunks, (codes, _, _) in zip(self._chunks, slices, strict=True):
                chunks.append(PairChunk(codes, truth, prediction, weights))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        for mine, theirs, places in zip(self._chunks, other._chunks, numbers, strict=True):
            mine += [
                chunk if chunk.codes is None else chunk._replace(codes=places.take(chunk.codes))
                for chunk in theirs
            ]

    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        units, sections = [], {}
        for number, slices in enumerate(order):
            table = _collapsed(self.table(number, int(slices.max(initial=0)) + 1), slices)
            unit, digits = canonical_weights(table.digits, table.unit)
            units.append(unit)
            sections[f"{number}.sizes"] = np.diff(table.starts).astype(np.int64)
            for name in COLUMNS:
                sections[f"{number}.{name}"] = getattr(table, name)
            sections |= weight_sections(f"{number}.weights", digits)
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        for number, (stored, count) in enumerate(zip(header["units"], slices, strict=True)):
            unit, sizes = wire.unit(stored), sections.pop(f"{number}.sizes")
            truth, prediction = (
                _checked_values(sections.pop(f"{number}.{name}")) for name in COLUMNS
            )
            if len(truth) != len(prediction):
                raise ValueError("truths without a prediction")
            digits = restored_weights(f"{number}.weights", sections, len(truth))
            codes = np.repeat(np.arange(count), checked_sizes(sizes, count, len(truth)))
            if len(truth):
                self._require_reading(True)
                weights = Weights(len(truth), None, digits, unit)
                self._chunks[number].append(PairChunk(codes, truth, prediction, weights))


def _collapsed(table: PairTable, slices: Array) -> PairTable:
    """Each distinct pair of each slice once with its total weight, slices in order."""
    kernel = kernels.active()
    truth, prediction = table.truth + 0.0, table.prediction + 0.0  # -0.0 + 0.0 is 0.0
    number = np.repeat(np.arange(len(table.starts) - 1), np.diff(table.starts))
    place = ranks(slices, len(table.starts) - 1)[number]
    order = np.lexsort((prediction, truth, place))
    truth, prediction, place = truth[order], prediction[order], place[order]
    digits = digits_at(table.digits, order)
    differs = np.ones(len(truth), bool)  # from the row before
    differs[1:] = place[1:] != place[:-1]
    differs[1:] |= (truth[1:] != truth[:-1]) | (prediction[1:] != prediction[:-1])
    first = np.flatnonzero(differs)
    if digits is not None or len(first) < len(truth):
        sums = kernel.cumulative(Run(truth, digits))
        digits = kernel.weight_between(sums, np.append(first, len(truth)))
    starts = place[first].searchsorted(np.arange(len(slices) + 1))
    return PairTable(starts, truth[first], prediction[first], digits, table.unit)


def _checked_values(column: Array) -> Array:
    """Finite float64 numbers, from bytes."""
    if column.dtype != np.float64 or not np.isfinite(column).all():
        raise ValueError("values that are not finite numbers")
    return column
