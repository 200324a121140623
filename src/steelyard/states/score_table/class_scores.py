"""Class scores: rows as they are, with the true class and a score for each class.

It is the score table of many classes: the true class is the side. Memory: grows with the rows and
the classes (holistic). Exactness: exact; weights are whole multiples of 2**unit. The bytes hold the
rows in an order that depends on the rows alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import errors
from steelyard.kernels.interface import Digits
from steelyard.model import Array, Key
from steelyard.reading.batch import Batch, required
from steelyard.reading.labels import plain_label
from steelyard.states import wire
from steelyard.states.base import SliceCodes, State
from steelyard.states.codes import count_of, ranks
from steelyard.states.score_table.state import restored_weights
from steelyard.states.sums.keys import check_class
from steelyard.states.weights import Weights, canonical_weights, common_weights


class ClassScoreChunk(NamedTuple):
    """Rows as they came; slices: for each `by`, the number of each row's slice."""

    slices: tuple[Array, ...]
    columns: tuple[Array, ...]
    true: Array
    weights: Weights


class JoinedClassScores(NamedTuple):
    """All rows in one piece; no digits mean that each weighs 1."""

    slices: tuple[Array, ...]
    columns: tuple[Array, ...]
    true: Array
    digits: Digits | None
    unit: int


class ClassScoreTable(State):
    """Rows with a score for each class, which are the same classes throughout."""

    kind = "class_scores"

    def __init__(self, tables: int = 1) -> None:
        super().__init__(tables)
        self.classes: tuple[Key, ...] = ()
        self._rows: list[ClassScoreChunk] = []

    def rows(self) -> JoinedClassScores:
        """All rows in one piece."""
        if not self._rows:
            empty = np.zeros(0, np.int64)
            return JoinedClassScores((empty,) * (self.tables - 1), (), empty, None, 0)
        if len(self._rows) > 1 or self._rows[0].weights.weight is not None:
            self._rows = [_joined(self._rows)]
        (slices, columns, true, weights) = self._rows[0]
        return JoinedClassScores(slices, columns, true, weights.digits, weights.unit)

    def _add_rows(self, batch: Batch, slices: Sequence[SliceCodes]) -> None:
        classes, columns, true = required(batch.class_scores)
        self._agree(tuple(plain_label(label) for label in classes))
        if len(batch):
            codes = tuple(required(each.codes) for each in slices[1:])
            self._rows.append(
                ClassScoreChunk(codes, columns, true, Weights(len(batch), batch.weight))
            )

    def _add_state(self, other: Self, numbers: Sequence[Array]) -> None:
        if other.classes:
            self._agree(other.classes)
        for rows in other._rows:
            pairs = zip(numbers[1:], rows.slices, strict=True)
            moved = tuple(places.take(codes) for places, codes in pairs)
            self._rows.append(rows._replace(slices=moved))

    def _agree(self, classes: tuple[Key, ...]) -> None:
        if self.classes and self.classes != classes:
            raise errors.MERGE_DIFFERS(field="the classes", left=self.classes, right=classes)
        self.classes = classes

    def _content(self, order: Sequence[Array]) -> tuple[Mapping[str, Any], Mapping[str, Array]]:
        rows = self.rows()
        unit, digits = canonical_weights(rows.digits, rows.unit)
        columns = [column + column.dtype.type(0) for column in rows.columns]  # -0.0 + 0.0 is 0.0
        pairs = zip(order[1:], rows.slices, strict=True)
        slices = [ranks(o, count_of(c)).take(c) for o, c in pairs]
        by = np.lexsort((*(digits or ()), *slices, *columns[::-1], rows.true))
        sections = {"true": rows.true[by].astype(np.uint32)}
        sections |= {
            f"by.{place}": codes[by].astype(np.uint32) for place, codes in enumerate(slices)
        }
        sections |= {f"score.{place}": column[by] for place, column in enumerate(columns)}
        sections |= {f"weight.{place}": digit[by] for place, digit in enumerate(digits or ())}
        return {"unit": unit, "classes": list(self.classes)}, sections

    def _restore(
        self, header: Mapping[str, Any], sections: dict[str, Array], slices: Sequence[int]
    ) -> None:
        self.classes = _classes(header["classes"])
        self._refuse_unread(bool(self.classes))
        true, unit = sections.pop("true"), wire.unit(header["unit"])
        codes = tuple(_by(sections.pop(f"by.{i}"), n, true) for i, n in enumerate(slices[1:]))
        digits = restored_weights("weight", sections, len(true))
        if len(true):
            columns = tuple(sections.pop(f"score.{place}") for place in range(len(self.classes)))
            self._check(columns, true)
            weights = Weights(len(true), None, digits, unit)
            self._rows = [ClassScoreChunk(codes, columns, true, weights)]

    def _check(self, columns: Sequence[Array], true: Array) -> None:
        score_type = None if self.reading is None else self.reading.score_type
        if any(column.dtype != score_type for column in columns):
            raise ValueError(f"scores that are not {score_type}")
        if any(len(c) != len(true) or not np.isfinite(c).all() for c in columns):
            raise ValueError("scores that are none")
        if true.dtype != np.uint32 or not (true < len(self.classes)).all():
            raise ValueError("a row of no class")


def _classes(stored: Any) -> tuple[Key, ...]:
    """The classes of a header, each spelled as we spell it."""
    if not isinstance(stored, list):
        raise TypeError(f"{stored!r} where classes are meant")
    for label in stored:
        check_class(label)
    if len(set(stored)) != len(stored):
        raise ValueError("a class twice")
    return tuple(stored)


def _by(codes: Array, slices: int, true: Array) -> Array:
    if codes.dtype != np.uint32 or len(codes) != len(true) or (codes >= slices).any():
        raise ValueError("a row of no slice")
    return codes


def _joined(parts: Sequence[ClassScoreChunk]) -> ClassScoreChunk:
    """One piece of several, its weights in a unit that divides them all."""
    slices = tuple(np.concatenate(c) for c in zip(*(rows.slices for rows in parts), strict=True))
    columns = tuple(np.concatenate(c) for c in zip(*(rows.columns for rows in parts), strict=True))
    true = np.concatenate([rows.true for rows in parts])
    unit, digits = common_weights([rows.weights for rows in parts])
    return ClassScoreChunk(slices, columns, true, Weights(len(true), None, digits, unit))
