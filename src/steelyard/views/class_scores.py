"""The view of class scores: areas under the curves of every class, of all slices at once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun, ScoreChunk, ScoreRows, SortedTable
from steelyard.model import Array, Key, Mask
from steelyard.states.score_table.class_scores import ClassScoreChunk, ClassScoreTable
from steelyard.states.weights import digits_at
from steelyard.views.row_curves import RowCurves
from steelyard.views.table_view import TableView
from steelyard.views.whole_view import WholeView

Fold = Callable[[Any], list[Any]]  # of ranges of curves: a value for each slice


class Area(NamedTuple):
    """An area under a ROC curve in whole numbers, in multiples of 2**unit.

    doubled: twice the weight of the pairs in the right order, tied pairs counting half
    positives, negatives: the weight of each side
    """

    doubled: int
    positives: int
    negatives: int


class ClassAreas(ABC):
    """Areas under the curves of every class, of all slices at once.

    slices: the slice numbers of the view, in the order of the result; classes: in order
    """

    slices: Array

    @property
    @abstractmethod
    def classes(self) -> tuple[Key, ...]: ...

    @property
    @abstractmethod
    def sizes(self) -> Array:
        """How many rows each slice has, or their weight."""

    @property
    @abstractmethod
    def against_rest(self) -> list[list[Area]]:
        """For each class and slice, the area of its rows against all others, by its own score."""

    @property
    @abstractmethod
    def pooled(self) -> list[Area]:
        """For each slice, the area of all scores: those of true classes against the others."""

    @property
    @abstractmethod
    def between(self) -> dict[tuple[int, int], list[Area]]:
        """For each two classes and each slice, the area of their rows, by the first one's score."""

    @abstractmethod
    def curves_of_classes(self, name: Hashable, fold: Fold) -> list[list[Any]]:
        """For each class and slice, a fold of its curve against all others, by its own score.

        name: of the fold, which is made once for all slices
        """

    def each(self) -> "Iterator[SliceAreas]":
        """The areas of each slice."""
        return (SliceAreas(self, number) for number in self.slices.tolist())

    @cached_property
    def weights(self) -> list[list[int]]:
        """The weight of the rows of each true class, in each slice."""
        return [[area.positives for area in areas] for areas in self.against_rest]


class ClassScoresView(TableView[ClassScoreTable], ClassAreas):
    """One table of class scores."""

    @property
    def classes(self) -> tuple[Key, ...]:
        return self._state.classes

    @cached_property
    def rows(self) -> ClassScoreChunk:
        """All rows of the state."""
        return self._state.rows()

    @cached_property
    def sizes(self) -> Array:
        if not self._number:
            return np.array([len(self.rows.true)])
        return np.bincount(self.rows.slices[self._number - 1], minlength=self._count)

    @cached_property
    def _of_classes(self) -> dict[Hashable, Any]:
        return {}

    def curves_of_classes(self, name: Hashable, fold: Fold) -> list[list[Any]]:
        if name not in self._of_classes:
            each = (WholeView(self._sorted(chunk)) for chunk in self._against_rest())
            self._of_classes[name] = [fold(ranges) for ranges in each]
        made: list[list[Any]] = self._of_classes[name]
        return made

    def _sorted(self, chunk: ScoreChunk) -> RowCurves:
        unit = self.rows.weights.unit
        table = kernels.active().sort_scores([chunk], self._count, unit)
        return RowCurves(table, self._count, unit)

    def _against_rest(self) -> Iterator[ScoreChunk]:
        """Of each class, its score with its rows as positives."""
        for number, column in enumerate(self.rows.columns):
            yield class_chunk(self.rows, self._number, column, self.rows.true == number)

    @cached_property
    def against_rest(self) -> list[list[Area]]:
        return [self._areas([chunk]) for chunk in self._against_rest()]

    @cached_property
    def pooled(self) -> list[Area]:
        return self._areas(list(self._against_rest()))

    @cached_property
    def between(self) -> dict[tuple[int, int], list[Area]]:
        found = {}
        for one, sides in enumerate(sorted_classes(self.rows, self._number, self._count)):
            for other, (side, _) in enumerate(sides):
                if one != other:
                    table = SortedTable(sides[one][0], side, self.rows.weights.unit)
                    found[one, other] = self._areas(table)
        return found

    def _areas(self, rows: ScoreRows) -> list[Area]:
        """The exact area under the curve of every slice."""
        unit = self.rows.weights.unit
        found, _ = kernels.active().curve_points(rows, self._count, unit, points=False)
        columns = found.doubled_area, found.positives, found.negatives
        return [Area(*each) for each in zip(*(c.tolist() for c in columns), strict=True)]


class SliceAreas(NamedTuple):
    """The areas of one slice."""

    view: ClassAreas
    number: int

    @property
    def classes(self) -> tuple[Key, ...]:
        """The classes; none where the slice has no rows."""
        return self.view.classes if self.view.sizes[self.number] else ()

    @property
    def weights(self) -> list[int]:
        """The weight of the rows of each true class."""
        return [of_class[self.number] for of_class in self.view.weights]

    def against_rest(self, place: int) -> Area:
        """The rows of a class against all others, by its own score."""
        return self.view.against_rest[place][self.number]

    def pooled(self) -> Area:
        """All scores: those of the true classes against the others."""
        return self.view.pooled[self.number]

    def between(self, one: int, other: int) -> tuple[Area, Area]:
        """The rows of two classes, by the score of the first and by that of the second."""
        found = self.view.between
        return found[one, other][self.number], found[other, one][self.number]


def class_chunk(
    rows: ClassScoreChunk, number: int, column: Array, positive: Mask, lines: Array | None = None
) -> ScoreChunk:
    """The rows with one column of scores; number: as of `TableView`; lines: beside each row."""
    codes = rows.slices[number - 1] if number else None
    return ScoreChunk(codes, column, positive, rows.weights.digits, lines)


def sorted_classes(
    rows: ClassScoreChunk, number: int, count: int, lines: Array | None = None
) -> Iterator[list[tuple[KeyedRun, Array | None]]]:
    """For each score, the rows of each true class by slice and rising score, and their lines.

    Each class is sorted once for all its pairs. number, count: as of `TableView`
    """
    of_classes = [np.flatnonzero(rows.true == each) for each in range(len(rows.columns))]
    for column in rows.columns:
        found = []
        for here in of_classes:
            whole = class_chunk(rows, number, column, np.ones(len(column), bool), lines)
            table = kernels.active().sort_scores([_some(whole, here)], count, rows.weights.unit)
            found.append((table.positives, table.clusters and table.clusters[0]))
        yield found


def _some(chunk: ScoreChunk, rows: Array) -> ScoreChunk:
    """Some rows of a chunk."""
    codes, clusters = (each if each is None else each[rows] for each in chunk[::4])
    assert not isinstance(chunk.weights, np.ndarray)
    weights = digits_at(chunk.weights, rows)
    return ScoreChunk(codes, chunk.scores[rows], chunk.positive[rows], weights, clusters)
