"""Class scores: the score table of many classes, with a score for each class in every row.

The side of a row is its true class. Memory: grows with rows times classes (holistic). Exactness:
exact; weights are whole multiples of 2**unit. The bytes hold the rows in an order that depends on
the rows alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import errors
from steelyard.model import Array, Key
from steelyard.reading.batch import Batch, required
from steelyard.reading.labels import plain_label
from steelyard.states import wire
from steelyard.states.base import KeyedState, SliceCodes
from steelyard.states.codes import are_same, in_order, renumbered, restored_slices, slice_sections
from steelyard.states.sums.keys import check_class
from steelyard.states.weights import (
    Weights,
    canonical_weights,
    common_weights,
    restored_weights,
    weight_sections,
)


class ClassScoreChunk(NamedTuple):
    """Rows that were added at once.

    slices: for each `by`, the number of each row's slice; then its cluster
    columns: for each class, its scores
    true: the number of each row's true class
    """

    slices: tuple[Array, ...]
    columns: tuple[Array, ...]
    true: Array
    weights: Weights


class ClassScoreTable(KeyedState):
    """Rows with a score for each class; all rows have the same classes."""

    kind = "class_scores"

    def __init__(self, tables: int = 1, clustered: bool = False) -> None:
        super().__init__(tables, clustered)
        self.classes: tuple[Key, ...] = ()
        self._chunks: list[ClassScoreChunk] = []

    def rows(self) -> ClassScoreChunk:
        """All rows, joined once; their weights are digits, or 1 each."""
        if not self._chunks:
            empty = np.zeros(0, np.int64)
            return ClassScoreChunk(
                (empty,) * (self.tables - 1 + self.clustered), (), empty, Weights(0)
            )
        if len(self._chunks) > 1 or self._chunks[0].weights.weight is not None:
            self._chunks = [_joined(self._chunks)]
        return self._chunks[0]

    def kept(self, numbers: Sequence[Array]) -> list[ClassScoreChunk]:
        """The rows as they came; numbers: that slices get, for each table but the total's."""
        if are_same(numbers):
            return list(self._chunks)
        return [c._replace(slices=renumbered(c.slices, numbers)) for c in self._chunks]

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        classes, columns, true = required(batch.class_scores)
        self._agree(tuple(plain_label(label) for label in classes))
        if len(batch):
            codes = tuple(required(each.codes) for each in slices[1:])
            self._chunks.append(
                ClassScoreChunk(codes, columns, true, Weights(len(batch), batch.weight))
            )

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        if other.classes:
            self._agree(other.classes)
        self._chunks += (
            other._chunks
            if are_same(numbers)
            else [c._replace(slices=renumbered(c.slices, numbers[1:])) for c in other._chunks]
        )

    def _agree(self, classes: tuple[Key, ...]) -> None:
        if self.classes and self.classes != classes:
            raise errors.merge_differs(field="the classes", left=self.classes, right=classes)
        self.classes = classes

    def _content(self, order: Sequence[Array]) -> wire.HeaderAndSections:
        rows = self.rows()
        unit, digits = canonical_weights(rows.weights.digits, rows.weights.unit)
        columns = [column + column.dtype.type(0) for column in rows.columns]  # -0.0 + 0.0 is 0.0
        slices = in_order(rows.slices, order[1:])
        by = np.lexsort((*(digits or ()), *slices, *columns[::-1], rows.true))
        sections = {"true": rows.true[by].astype(np.uint32)}
        sections |= slice_sections(slices, by)
        sections |= {f"score.{place}": column[by] for place, column in enumerate(columns)}
        sections |= weight_sections("weight", tuple(digit[by] for digit in digits or ()))
        return {"unit": unit, "classes": list(self.classes)}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        self.classes = _classes(header["classes"])
        self._require_reading(bool(self.classes))
        true, unit = sections.pop("true"), wire.unit(header["unit"])
        codes = restored_slices(sections, slices[1:], len(true))
        digits = restored_weights("weight", sections, len(true))
        if len(true):
            columns = tuple(sections.pop(f"score.{place}") for place in range(len(self.classes)))
            self._check(columns, true)
            weights = Weights(len(true), None, digits, unit)
            self._chunks = [ClassScoreChunk(codes, columns, true, weights)]

    def _check(self, columns: Sequence[Array], true: Array) -> None:
        score_type = None if self.reading is None else self.reading.score_type
        if any(column.dtype != score_type for column in columns):
            raise ValueError(f"scores that are not {score_type}")
        if any(len(c) != len(true) or not np.isfinite(c).all() for c in columns):
            raise ValueError("scores that are not finite numbers")
        if true.dtype != np.uint32 or not (true < len(self.classes)).all():
            raise ValueError("a row of no class")


def _classes(stored: Any) -> tuple[Key, ...]:
    """The classes of a header, each in its canonical form."""
    if not isinstance(stored, list):
        raise TypeError(f"{stored!r} instead of classes")
    for label in stored:
        check_class(label)
    if len(set(stored)) != len(stored):
        raise ValueError("a class twice")
    return tuple(stored)


def _joined(chunks: Sequence[ClassScoreChunk]) -> ClassScoreChunk:
    """All rows as one chunk, with weights in one unit."""
    slices = tuple(np.concatenate(c) for c in zip(*(chunk.slices for chunk in chunks), strict=True))
    columns = tuple(
        np.concatenate(c) for c in zip(*(chunk.columns for chunk in chunks), strict=True)
    )
    true = np.concatenate([chunk.true for chunk in chunks])
    unit, digits = common_weights([chunk.weights for chunk in chunks])
    return ClassScoreChunk(slices, columns, true, Weights(len(true), None, digits, unit))
