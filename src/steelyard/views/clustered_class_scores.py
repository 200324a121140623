"""The rows of a table of class scores with their clusters: tables of one class against others."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun, ScoreChunk, ScoreRows
from steelyard.model import Array
from steelyard.reading.batch import required
from steelyard.states.score_table import ClassScoreTable, SortedTable
from steelyard.views.class_scores import class_chunk, sorted_classes
from steelyard.views.clustered_scores import ClusteredScores, LineSides
from steelyard.views.clusters import ClusterLines, LineAdder, lines_of

ScoredSide = tuple[KeyedRun, Array | None]  # the scores of some rows, and the line of each


class ClusteredClassScores:
    """One table; all tables made of it have the same lines, those of all rows."""

    def __init__(self, state: ClassScoreTable, number: int, count: int) -> None:
        self._number, self._count = number, count
        self._rows = state.rows()

    @cached_property
    def _numbered(self) -> tuple[ClusterLines, Array]:
        """The lines, and the line of each row."""
        clusters = self._rows.slices[-1]
        none = np.zeros(len(clusters), np.int64)
        slices = self._rows.slices[self._number - 1] if self._number else none
        return lines_of(slices, clusters, self._count)

    @property
    def lines(self) -> ClusterLines:
        return self._numbered[0]

    def against_rest(self) -> Iterator[LineSides]:
        """Of each class, its rows against all others, by its own score."""
        return (self._of_rows([chunk]) for chunk in self._chunks())

    def pooled(self) -> LineSides:
        """All scores: those of true classes against the others."""
        return self._of_rows(list(self._chunks()))

    def between(self) -> Iterator[tuple[LineSides, LineSides]]:
        """Of each two classes, their rows by the score of the first and by that of the second.

        The rows of the class whose score it is are positives.
        """
        lines = self._numbered[1]
        sides = list(sorted_classes(self._rows, self._number, self._count, lines))
        for one, other in combinations(range(len(sides)), 2):
            first = self._of_sides(sides[one][one], sides[one][other])
            yield first, self._of_sides(sides[other][other], sides[other][one])

    def _chunks(self) -> Iterator[ScoreChunk]:
        """Of each class, its score with its rows as positives."""
        rows, lines = self._rows, self._numbered[1]
        for number, column in enumerate(rows.columns):
            yield class_chunk(rows, self._number, column, rows.true == number, lines)

    def _of_rows(self, rows: ScoreRows) -> LineSides:
        unit = self._rows.weights.unit
        found = ClusteredScores(rows, unit, self._count, all_rows=self._all_rows)
        return LineSides(self.lines, found.sides)

    def _of_sides(self, positives: ScoredSide, negatives: ScoredSide) -> LineSides:
        (up, lines_up), (down, lines_down) = positives, negatives
        lines = required(lines_up), required(lines_down)
        return self._of_rows(SortedTable(up, down, self._rows.weights.unit, lines))

    @cached_property
    def _all_rows(self) -> LineAdder:
        lines, codes = self._numbered
        return LineAdder(lines, codes, self._rows.weights.digits)
