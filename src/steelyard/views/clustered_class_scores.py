"""The rows of a table of class scores with their clusters: tables of one class against others."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun
from steelyard.model import Array
from steelyard.states.score_table import ClassScoreTable, SortedTable
from steelyard.views.class_scores import ScoresOfRows, sorted_scores
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import ClusterLines, LineAdder, lines_of

ScoredSide = tuple[KeyedRun, Array]  # the scores of some rows, and the line of each


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

    def against_rest(self) -> Iterator[ClusteredScores]:
        """Of each class, its rows against all others, by its own score."""
        for number, column in enumerate(self._rows.columns):
            is_true = self._rows.true == number
            yield self._table(self._sorted([(column, is_true)]), self._sorted([(column, ~is_true)]))

    def pooled(self) -> ClusteredScores:
        """All scores: those of true classes against the others."""
        columns, true = list(enumerate(self._rows.columns)), self._rows.true
        return self._table(
            self._sorted([(column, true == number) for number, column in columns]),
            self._sorted([(column, true != number) for number, column in columns]),
        )

    def between(self) -> Iterator[tuple[ClusteredScores, ClusteredScores]]:
        """Of each two classes, their rows by the score of the first and by that of the second.

        The rows of the class whose score it is are positives.
        """
        numbers = range(len(self._rows.columns))
        is_true = [self._rows.true == number for number in numbers]
        # Each class is sorted once for all its pairs.
        sides = [
            [self._sorted([(column, chosen)]) for chosen in is_true]
            for column in self._rows.columns
        ]
        for one, other in combinations(numbers, 2):
            first = self._table(sides[one][one], sides[one][other])
            yield first, self._table(sides[other][other], sides[other][one])

    def _sorted(self, parts: Sequence[ScoresOfRows]) -> ScoredSide:
        return sorted_scores(self._rows, self._number, self._count, parts, self._numbered[1])

    def _table(self, positives: ScoredSide, negatives: ScoredSide) -> ClusteredScores:
        (up, lines_up), (down, lines_down) = positives, negatives
        table = SortedTable(up, down, self._rows.weights.unit, (lines_up, lines_down))
        return ClusteredScores(table, all_rows=self._all_rows)

    @cached_property
    def _all_rows(self) -> LineAdder:
        lines, codes = self._numbered
        return LineAdder(lines, codes, self._rows.weights.digits)
