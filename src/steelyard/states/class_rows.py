"""Class rows: rows as they are, with a score for each class.

Memory: grows with the rows and the classes (holistic). Exactness: exact; weights are whole
multiples of 2**unit. The bytes hold the rows in an order that depends on the rows alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from steelyard import errors, kernels
from steelyard.kernels.interface import MASK, Digits, Run
from steelyard.model import Array, Key
from steelyard.reading.batch import Batch
from steelyard.reading.labels import plain_label
from steelyard.states import runs, wire
from steelyard.states.base import State
from steelyard.states.chunk import Chunk, Totals
from steelyard.states.class_cells import classes as read_classes


class Area(NamedTuple):
    """Twice the weight of the pairs in the right order, ties counting half, and of each side."""

    doubled: int
    positives: int
    negatives: int


@dataclass(frozen=True)
class ScoredRows:
    """All rows in one piece; no digits means that each weighs 1."""

    classes: tuple[Key, ...]
    columns: tuple[Array, ...]
    true: Array
    digits: Digits | None
    unit: int

    @cached_property
    def weights(self) -> list[int]:
        """What the rows of each true class weigh."""
        return [runs.weight(self._run(0, rows)) for rows in self._rows_of]

    def against_rest(self, number: int) -> Area:
        """A class's own score: its rows above all others."""
        is_true = self.true == number
        return area(self.sorted(number, is_true), self.sorted(number, ~is_true))

    def pooled(self) -> Area:
        """All scores of all rows in one list: those of the true classes above the others."""
        sides: tuple[list[Run], list[Run]] = ([], [])
        for number in range(len(self.classes)):
            is_true = self.true == number
            for side, rows in zip(sides, (is_true, ~is_true), strict=True):
                side.append(self.sorted(number, rows))
        score_type = str(self.columns[0].dtype)
        positives, negatives = (runs.join(side, score_type) for side in sides)
        return area(positives, negatives)

    def between(self, one: int, other: int) -> tuple[Area, Area]:
        """Rows of two classes alone, by the score of the one and by that of the other."""
        of = self._sorted_by_class
        return area(of[one][one], of[one][other]), area(of[other][other], of[other][one])

    def sorted(self, number: int, rows: Array) -> Run:
        """Some rows by the score of one class."""
        run = self._run(number, rows)
        scores, digits = kernels.active().sort_rows(run.scores, run.digits or ())
        return Run(scores, digits or None)

    @cached_property
    def _sorted_by_class(self) -> list[list[Run]]:
        numbers = range(len(self.classes))
        return [[self.sorted(number, rows) for rows in self._rows_of] for number in numbers]

    @cached_property
    def _rows_of(self) -> list[Array]:
        return [np.flatnonzero(self.true == number) for number in range(len(self.classes))]

    def _run(self, number: int, rows: Array) -> Run:
        digits = None if self.digits is None else tuple(digit[rows] for digit in self.digits)
        return Run(self.columns[number][rows], digits)


def area(positives: Run, negatives: Run) -> Area:
    """The area under the curve of two sorted runs, exactly."""
    weights = runs.weight(positives), runs.weight(negatives)
    if 0 in weights:
        return Area(0, *weights)
    totals = Totals(*weights, runs.lowest(positives, negatives))
    return Area(Chunk(positives, negatives, (0, 0), np.inf, totals).doubled_area, *weights)


class _Rows(NamedTuple):
    """Rows as they came."""

    columns: tuple[Array, ...]
    true: Array
    weights: runs.Weights


class ClassRows(State):
    """Rows with a score for each class, which are the same classes throughout."""

    kind = "class_rows"

    def __init__(self) -> None:
        super().__init__()
        self.classes: tuple[Key, ...] = ()
        self._parts: list[_Rows] = []
        self._view: ScoredRows | None = None

    def view(self) -> ScoredRows:
        """All rows in one piece: made once, however many metrics ask."""
        if self._view is None:
            self._view = self._made()
        return self._view

    def _made(self) -> ScoredRows:
        if not self._parts:
            return ScoredRows((), (), np.zeros(0, np.uint8), None, 0)
        if len(self._parts) > 1 or self._parts[0].weights.weight is not None:
            self._parts = [_joined(self._parts)]
        columns, true, weights = self._parts[0]
        return ScoredRows(self.classes, columns, true, weights.digits, weights.unit)

    def _add_rows(self, batch: Batch) -> None:
        if batch.class_scores is None:
            raise TypeError("rows without a score for each class")
        self._agree(tuple(plain_label(label) for label in batch.class_scores.classes))
        if len(batch):
            _, columns, true = batch.class_scores
            self._parts.append(_Rows(columns, true, runs.Weights(len(batch), batch.weight)))

    def _add_state(self, other: Self) -> None:
        if other.classes:
            self._agree(other.classes)
            self._parts += other._parts

    def _agree(self, classes: tuple[Key, ...]) -> None:
        if self.classes and self.classes != classes:
            raise errors.MERGE_UNLIKE(field="the classes", left=self.classes, right=classes)
        self.classes = classes
        self._view = None  # rows come

    def _content(self) -> wire.Content:
        rows = self.view()
        unit, digits = runs.canonical_weights(rows.digits, rows.unit)
        columns = [column + column.dtype.type(0) for column in rows.columns]  # -0.0 + 0.0 is 0.0
        order = np.lexsort((*(digits or ()), *columns[::-1], rows.true))
        sections = {"true": rows.true[order].astype(np.uint32)}
        sections |= {f"score.{place}": column[order] for place, column in enumerate(columns)}
        sections |= {f"weight.{place}": digit[order] for place, digit in enumerate(digits or ())}
        return {"unit": unit, "classes": list(self.classes)}, sections

    def _restore(self, header: Mapping[str, Any], sections: Mapping[str, Array]) -> None:
        self.classes = tuple(read_classes(header["classes"]))
        if len(set(self.classes)) != len(self.classes):
            raise ValueError("a class twice")
        if self.classes and self.reading is None:
            raise ValueError("rows that nobody read")
        true, unit = sections["true"], wire.unit(header["unit"])
        weights = sum(name.startswith("weight.") for name in sections)
        digits = tuple(sections[f"weight.{place}"] for place in range(weights))
        if any(digit.dtype.kind != "u" or (digit > MASK).any() for digit in digits):
            raise ValueError("weights that are not whole numbers")
        if digits and not np.any([digit != 0 for digit in digits], axis=0).all():
            raise ValueError("a row without weight")
        if len(true):
            columns = tuple(sections[f"score.{place}"] for place in range(len(self.classes)))
            self._check(columns, true)
            weights_ = runs.Weights(len(true), None, digits or None, unit)
            self._parts = [_Rows(columns, true, weights_)]

    def _check(self, columns: Sequence[Array], true: Array) -> None:
        assert self.reading is not None  # there are classes, since there are rows
        if any(column.dtype != self.reading.score_type for column in columns):
            raise ValueError(f"scores that are not {self.reading.score_type}")
        if any(len(c) != len(true) or not np.isfinite(c).all() for c in columns):
            raise ValueError("scores that are none")
        if not (true < len(self.classes)).all():
            raise ValueError("a row of no class")


def _joined(parts: Sequence[_Rows]) -> _Rows:
    """One piece of several, its weights in a unit that divides them all."""
    columns = tuple(np.concatenate(c) for c in zip(*(rows.columns for rows in parts), strict=True))
    true = np.concatenate([rows.true for rows in parts])
    unit, digits = runs.common_weights([rows.weights for rows in parts])
    return _Rows(columns, true, runs.Weights(len(true), None, digits, unit))
