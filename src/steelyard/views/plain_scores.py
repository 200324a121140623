"""The score table of plain rows: kernels read the rows as they came, and no state is made.

What needs more than these kernels give reads a state, which is made then.
"""

from collections.abc import Callable, Iterator

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import KeyedRun, ScoreChunk, ScoreRows
from steelyard.model import Reading
from steelyard.states.base import TOTAL_SLICE
from steelyard.states.score_table import ScoreTable
from steelyard.views.digit_column import DigitColumn
from steelyard.views.levels import LevelView
from steelyard.views.levels.bins import Bins
from steelyard.views.part_columns import SliceLists
from steelyard.views.ranges import nothing_below
from steelyard.views.scores import ScoreView
from steelyard.views.totals import Totals


class PlainScores(ScoreView):
    """Plain rows of both classes, which are probabilities.

    totals: of the rows; made: makes their state
    """

    def __init__(
        self, rows: ScoreChunk, totals: Totals, reading: Reading, made: Callable[[], ScoreTable]
    ) -> None:
        self._number, self._count, self._rows = 0, 1, None
        self._plain, self._reading, self._made = rows, reading, made
        self.slices = TOTAL_SLICE
        self.__dict__["totals"] = totals

    @cached_property
    def _state(self) -> ScoreTable:
        return self._made()

    @property
    def _score_rows(self) -> tuple[ScoreRows, int]:
        return [self._plain], 0

    def levels(self) -> Iterator[LevelView]:
        """All rows as one range."""
        yield PlainLevels(self, self._plain, self._reading)


class PlainLevels(LevelView):
    """The range of all plain rows, which are sorted where something needs their order."""

    def __init__(self, view: PlainScores, rows: ScoreChunk, reading: Reading) -> None:
        self._view, self._plain = view, rows
        self.slices, self.totals = TOTAL_SLICE, view.totals
        self.below, self.reading = nothing_below(1), reading
        self._bins = {}

    @cached_property
    def positives(self) -> KeyedRun:
        return self._view.table.positives

    @cached_property
    def negatives(self) -> KeyedRun:
        return self._view.table.negatives

    def bins(self, count: int) -> SliceLists:
        if count not in self._bins:
            rows = self._plain
            found = kernels.active().plain_level_bins(rows.positive, rows.scores, count)
            if found is None:
                return super().bins(count)
            size = len(found.numbers)
            weight, positives = ({0: column} for column in (found.weight, found.positives))
            sums = weight, positives, found.expected, found.variance
            bins = Bins(found.numbers, *(DigitColumn(digits, size) for digits in sums))
            self._bins[count] = SliceLists(np.array([0, size]), bins)
        return self._bins[count]
