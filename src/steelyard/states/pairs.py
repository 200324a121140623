"""Pairs: truth, prediction and weight of every row, for rank statistics and medians.

Memory: grows with the rows (holistic). Exactness: exact; weights are whole multiples of 2**unit.
The bytes hold each distinct pair of a slice once, with its total weight, by truth and then by
prediction, so they depend on the rows alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Digits
from steelyard.model import Array, Floats
from steelyard.reading.batch import Batch, required
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import are_same, checked_sizes, count_of, ranks, restored_codes
from steelyard.states.weights import (
    Weights,
    canonical_weights,
    common_weights,
    digits_at,
    restored_weights,
    weight_between,
    weight_sections,
)

COLUMNS = ("truth", "prediction")


class PairChunk(NamedTuple):
    """Rows that were added at once; codes: slice numbers, None: all of slice 0.

    clusters: the cluster of each row; None where rows have none
    """

    codes: Array | None
    truth: Floats
    prediction: Floats
    weights: Weights
    clusters: Array | None = None


class PairTable(NamedTuple):
    """The rows of one table by slice.

    starts: where each slice starts, and the end of all
    digits: weights in multiples of 2**unit, None where each is 1
    clusters: the cluster of each row; None where rows have none
    """

    starts: Array
    truth: Floats
    prediction: Floats
    digits: Digits | None
    unit: int
    clusters: Array | None = None


class Pairs(KeyedState):
    """Truth and prediction of every row, in input order; a table of them is by slice."""

    kind = "pairs"

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        self._chunks: list[list[PairChunk]] = [[] for _ in range(tables)]

    def table(self, number: int = 0, slices: int = 1) -> PairTable:
        """The rows of one table, of `slices` slices."""
        chunks = self._chunks[number]
        if not chunks:
            clusters = np.zeros(0, np.uint32) if self.clustered else None
            starts = np.zeros(slices + 1, np.int64)
            return PairTable(starts, np.zeros(0), np.zeros(0), None, 0, clusters)
        unit, digits = common_weights([each.weights for each in chunks])
        truth = np.concatenate([each.truth for each in chunks])
        prediction = np.concatenate([each.prediction for each in chunks])
        clusters = None
        if self.clustered:
            clusters = np.concatenate([required(each.clusters) for each in chunks])
        if slices == 1:
            return PairTable(np.array([0, len(truth)]), truth, prediction, digits, unit, clusters)
        codes = np.concatenate([required(each.codes) for each in chunks])
        order, starts = kernels.active().bring_together(codes, slices)
        rows = (truth[order], prediction[order], digits_at(digits, order), unit)
        return PairTable(starts, *rows, None if clusters is None else clusters[order])

    def kept(self, number: int, slices: Array, clusters: Array) -> list[PairChunk]:
        """The rows of one table as they came; the numbers that slices and clusters get."""
        return [_recoded(each, slices, clusters) for each in self._chunks[number]]

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        if len(batch):
            truth, prediction = required(batch.numbers)
            weights = Weights(len(batch), batch.weight)
            clusters = slices[-1].codes if self.clustered else None
            for chunks, (codes, _, _) in zip(self._chunks, slices[: self.tables], strict=True):
                chunks.append(PairChunk(codes, truth, prediction, weights, clusters))

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        if are_same(numbers):
            for mine, theirs in zip(self._chunks, other._chunks, strict=True):
                mine += theirs
            return
        tables = zip(self._chunks, other._chunks, numbers[: self.tables], strict=True)
        for mine, theirs, places in tables:
            mine += [_recoded(chunk, places, numbers[-1]) for chunk in theirs]

    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        units, sections = [], {}
        for number, slices in enumerate(order[: self.tables]):
            table = self.table(number, int(slices.max(initial=0)) + 1)
            if table.clusters is not None:
                places = ranks(order[-1], count_of(table.clusters))
                table = table._replace(clusters=places[table.clusters])
            table = _collapsed(table, slices)
            unit, digits = canonical_weights(table.digits, table.unit)
            units.append(unit)
            sections[f"{number}.sizes"] = np.diff(table.starts).astype(np.int64)
            for name in COLUMNS:
                sections[f"{number}.{name}"] = getattr(table, name)
            sections |= weight_sections(f"{number}.weights", digits)
            if table.clusters is not None:
                sections[f"{number}.clusters"] = table.clusters.astype(np.uint32)
        return {"units": units}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        stored_units = zip(header["units"], slices[: self.tables], strict=True)
        for number, (stored, count) in enumerate(stored_units):
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
                clusters = None
                if self.clustered:
                    name = f"{number}.clusters"
                    clusters = restored_codes(sections, name, slices[-1], len(truth))
                weights = Weights(len(truth), None, digits, unit)
                self._chunks[number].append(PairChunk(codes, truth, prediction, weights, clusters))


def _recoded(chunk: PairChunk, slices: Array, clusters: Array) -> PairChunk:
    """The same rows under other numbers of slices and clusters."""
    codes = None if chunk.codes is None else slices.take(chunk.codes)
    of_rows = None if chunk.clusters is None else clusters.take(chunk.clusters)
    return chunk._replace(codes=codes, clusters=of_rows)


def _collapsed(table: PairTable, slices: Array) -> PairTable:
    """Each distinct pair of each slice and cluster once with its total weight, slices in order."""
    truth, prediction = table.truth + 0.0, table.prediction + 0.0  # -0.0 + 0.0 is 0.0
    number = np.repeat(np.arange(len(table.starts) - 1), np.diff(table.starts))
    place = ranks(slices, len(table.starts) - 1)[number]
    clusters = table.clusters
    order = np.lexsort((*(() if clusters is None else (clusters,)), prediction, truth, place))
    truth, prediction, place = truth[order], prediction[order], place[order]
    digits = digits_at(table.digits, order)
    differs = np.ones(len(truth), bool)  # from the row before
    differs[1:] = place[1:] != place[:-1]
    differs[1:] |= (truth[1:] != truth[:-1]) | (prediction[1:] != prediction[:-1])
    if clusters is not None:
        clusters = clusters[order]
        differs[1:] |= clusters[1:] != clusters[:-1]
    first = np.flatnonzero(differs)
    if digits is not None or len(first) < len(truth):
        digits = weight_between(digits, np.append(first, len(truth)))
    starts = place[first].searchsorted(np.arange(len(slices) + 1))
    clusters = None if clusters is None else clusters[first]
    return PairTable(starts, truth[first], prediction[first], digits, table.unit, clusters)


def _checked_values(column: Array) -> Array:
    """Finite float64 numbers, from bytes."""
    if column.dtype != np.float64 or not np.isfinite(column).all():
        raise ValueError("values that are not finite numbers")
    return column
