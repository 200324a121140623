"""The view of class scores: areas under the curves of every class, of all slices at once."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun
from steelyard.model import Array, Key, Mask
from steelyard.states.score_table.class_scores import ClassScoreChunk, ClassScoreTable
from steelyard.states.score_table.sorted_table import SideChunk, SortedTable, sorted_side
from steelyard.states.weights import Weights, digits_at
from steelyard.views.curve import curve_views
from steelyard.views.table_view import TableView
from steelyard.views.totals import totals

Each = TypeVar("Each")
ScoresOfRows = tuple[Array, Mask]  # a column of scores, and which rows


class Area(NamedTuple):
    """An area under a ROC curve in whole numbers, in multiples of 2**unit.

    doubled: twice the weight of the pairs in the right order, tied pairs counting half
    positives, negatives: the weight of each side
    """

    doubled: int
    positives: int
    negatives: int


class ClassScoresView(TableView[ClassScoreTable]):
    """One table of class scores."""

    @property
    def classes(self) -> tuple[Key, ...]:
        return self._state.classes

    def each(self) -> "Iterator[SliceAreas]":
        """The areas of each slice."""
        return (SliceAreas(self, number) for number in self.slices.tolist())

    @cached_property
    def rows(self) -> ClassScoreChunk:
        """All rows of the state."""
        return self._state.rows()

    @cached_property
    def sizes(self) -> Array:
        """How many rows each slice has."""
        if not self._number:
            return np.array([len(self.rows.true)])
        return np.bincount(self.rows.slices[self._number - 1], minlength=self._count)

    @cached_property
    def _of_classes(self) -> dict[Hashable, Any]:
        return {}

    def of_classes(
        self, name: Hashable, fold: Callable[[SortedTable], list[Each]]
    ) -> list[list[Each]]:
        """For each class and slice, a fold of its rows against all others, by its own score.

        name: of the fold, which is made once for all slices
        """
        if name not in self._of_classes:
            found = []
            for number, column in enumerate(self.rows.columns):
                is_true = self.rows.true == number
                found.append(fold(self._table([(column, is_true)], [(column, ~is_true)])))
            self._of_classes[name] = found
        made: list[list[Each]] = self._of_classes[name]
        return made

    @property
    def against_rest(self) -> list[list[Area]]:
        """For each class and slice, the area of its rows against all others, by its own score."""
        return self.of_classes("area", areas)

    @cached_property
    def pooled(self) -> list[Area]:
        """For each slice, the area of all scores: those of true classes against the others."""
        columns = list(enumerate(self.rows.columns))
        table = self._table(
            [(column, self.rows.true == number) for number, column in columns],
            [(column, self.rows.true != number) for number, column in columns],
        )
        return areas(table)

    @cached_property
    def between(self) -> dict[tuple[int, int], list[Area]]:
        """For each two classes and each slice, the area of their rows, by the first one's score."""
        numbers = range(len(self.classes))
        is_true = [self.rows.true == number for number in numbers]
        found = {}
        for one, column in enumerate(self.rows.columns):
            # Each class is sorted once for all its pairs.
            by_class = [self._sorted([(column, chosen)]) for chosen in is_true]
            for other in numbers:
                if one != other:
                    table = SortedTable(by_class[one], by_class[other], self.rows.weights.unit)
                    found[one, other] = areas(table)
        return found

    @cached_property
    def weights(self) -> list[list[int]]:
        """The weight of the rows of each true class, in each slice."""
        return [[area.positives for area in areas] for areas in self.against_rest]

    def _table(
        self, positives: Sequence[ScoresOfRows], negatives: Sequence[ScoresOfRows]
    ) -> SortedTable:
        """The sorted table of some scores."""
        sides = self._sorted(positives), self._sorted(negatives)
        return SortedTable(*sides, self.rows.weights.unit)

    def _sorted(self, parts: Sequence[ScoresOfRows]) -> KeyedRun:
        """The scores of some rows, by slice and rising score."""
        return sorted_scores(self.rows, self._number, self._count, parts)[0]


class SliceAreas(NamedTuple):
    """The areas of one slice."""

    view: ClassScoresView
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


def areas(table: SortedTable) -> list[Area]:
    """The exact area under the curve of every slice."""
    of_slices = totals(table)
    doubled = [0] * len(of_slices.positives)
    for view in curve_views(table, of_slices):
        for number, area in zip(view.slices.tolist(), view.doubled_area.tolist(), strict=True):
            doubled[number] += area
    both = zip(doubled, of_slices.positives.tolist(), of_slices.negatives.tolist(), strict=True)
    return [Area(*each) for each in both]


def sorted_scores(
    rows: ClassScoreChunk,
    number: int,
    count: int,
    parts: Sequence[ScoresOfRows],
    lines: Array | None = None,
) -> tuple[KeyedRun, Array]:
    """Scores by the slices of one table and rising, with the line of each where lines are given.

    number, count: as of `TableView`; lines: that of each row
    """
    found = []
    for column, chosen in parts:
        here = np.flatnonzero(chosen)
        if len(here):
            codes = rows.slices[number - 1][here] if number else None
            weights = Weights(
                len(here), None, digits_at(rows.weights.digits, here), rows.weights.unit
            )
            own = None if lines is None else lines[here]
            found.append(SideChunk(codes, column[here], weights, own))
    return sorted_side(found, count, rows.weights.unit, str(rows.columns[0].dtype))
