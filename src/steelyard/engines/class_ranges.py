"""Class scores in ranges: curves of classes are slices of score tables.

A curve of a class in a slice has a number of its own, so that all curves of one kind are exchanged
by (curve, score) as slices are: each class against the rest, all classes pooled, and pairs.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, pairwise, permutations
from typing import Any, Protocol

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.interface import ExactSums, ScoreChunk
from steelyard.metrics.catalogue import BoundMetric, resolve
from steelyard.metrics.fold import MakeParts, Pass, RangeMetric, Ranges, join_all
from steelyard.metrics.influence import SliceValues, of_no_lines
from steelyard.metrics.record import SCORE
from steelyard.model import Array, Key
from steelyard.states import exact_sums
from steelyard.states.score_table.class_scores import ClassScoreChunk
from steelyard.states.score_table.state import KeptChunk
from steelyard.views.class_scores import Area, ClassAreas, Fold
from steelyard.views.clustered_scores import LineSides, sides_of
from steelyard.views.clusters import ClusterLines, LineSums, joined_lines, lines_of, near_one

REST, POOLED, PAIRS = "rest", "pooled", "pairs"


class CurveRanges(Ranges, Protocol):
    """The curves of one kind in ranges."""

    def line_sums(self, bound: BoundMetric, values: SliceValues | None) -> Sequence[LineSums]:
        """For a metric, the exact sums of each range by curve, slice and cluster."""


Exchange = Callable[[str], CurveRanges]  # of the curves of one kind


def curve_chunks(
    chunks: Sequence[ClassScoreChunk], kind: str, number: int, slices: int, clustered: bool
) -> list[KeptChunk]:
    """The rows of all curves of one kind.

    slices: how many numbers slices have; clustered: whether rows have a cluster
    """
    found = []
    for chunk in chunks:
        codes = chunk.slices[number - 1] if number else np.zeros(len(chunk.true), np.int64)
        every = np.arange(len(chunk.true))
        for curve, (one, other) in enumerate(_compared(kind, len(chunk.columns))):
            rows = every
            if other is not None:
                rows = np.flatnonzero((chunk.true == one) | (chunk.true == other))
            line = codes[rows].astype(np.int64) + (0 if kind == POOLED else curve * slices)
            weights, positive = chunk.weights.take(rows), chunk.true[rows] == one
            given = weights.digits if weights.weight is None else weights.weight
            clusters = chunk.slices[-1][rows] if clustered else None
            made = ScoreChunk(line, chunk.columns[one][rows], positive, given, clusters)
            found.append(KeptChunk(made, weights.unit))
    return found


def curve_count(kind: str, classes: int) -> int:
    """How many curves of one kind a slice has."""
    return 1 if kind == POOLED else len(_compared(kind, classes))


def _compared(kind: str, classes: int) -> list[tuple[int, int | None]]:
    """The class of each curve's score, and the class that it is compared with; None: all others."""
    if kind == PAIRS:
        return list(permutations(range(classes), 2))
    return [(one, None) for one in range(classes)]


class ClassRanges(ClassAreas):
    """The view of class scores that lie in ranges.

    classes: in order; count: how many slice numbers there are; slices: those to show
    """

    def __init__(
        self, classes: tuple[Key, ...], count: int, slices: Array, exchange: Exchange
    ) -> None:
        self._classes, self._count, self.slices, self._exchange = classes, count, slices, exchange
        self._ranges: dict[str, CurveRanges] = {}
        self._folded: dict[Hashable, list[list[Any]]] = {}

    @property
    def classes(self) -> tuple[Key, ...]:
        return self._classes

    @cached_property
    def sizes(self) -> Array:
        weights = [0] * self._count
        for of_class in self.weights:
            weights = [a + b for a, b in zip(weights, of_class, strict=True)]
        return np.array(weights, object)

    @cached_property
    def against_rest(self) -> list[list[Area]]:
        return self._by_curve(self._areas(REST))

    @cached_property
    def pooled(self) -> list[Area]:
        return self._areas(POOLED)

    @cached_property
    def between(self) -> dict[tuple[int, int], list[Area]]:
        pairs = permutations(range(len(self._classes)), 2)
        return dict(zip(pairs, self._by_curve(self._areas(PAIRS)), strict=True))

    def curves_of_classes(self, name: Hashable, fold: Fold) -> list[list[Any]]:
        if name not in self._folded:
            self._folded[name] = self._by_curve(fold(self._of(REST)))
        return self._folded[name]

    @cached_property
    def by_line(self) -> "ClassLineRanges":
        """The curves by slice and cluster."""
        return ClassLineRanges(len(self._classes), self._count, self._of)

    def _of(self, kind: str) -> CurveRanges:
        if kind not in self._ranges:
            self._ranges[kind] = self._exchange(kind)
        return self._ranges[kind]

    def _areas(self, kind: str) -> list[Area]:
        """The area of every curve of one kind."""
        ranges = self._of(kind)
        auc = _auc()
        assert isinstance(auc.metric, RangeMetric)
        task = MakeParts([(auc, Pass(ranges.whole.slices))])
        joined = join_all(auc.metric, [part for (part,) in ranges.map(task) if len(part.numbers)])
        totals = ranges.whole.totals
        doubled = np.zeros(len(totals.positives), object)
        if joined is not None:
            doubled[joined.numbers] = joined.columns
        columns = doubled, totals.positives, totals.negatives
        return [Area(*each) for each in zip(*(c.tolist() for c in columns), strict=True)]

    def _by_curve(self, column: list[Any]) -> list[list[Any]]:
        """A column of all curves as one of slices for each curve."""
        starts = range(0, len(column), self._count)
        return [column[start : start + self._count] for start in starts]


class ClassLineRanges:
    """The same by slice and cluster, as `ClusteredClassScores` has it of all rows.

    classes, count: how many classes and slice numbers there are
    """

    def __init__(self, classes: int, count: int, ranges: Callable[[str], CurveRanges]) -> None:
        self._classes, self._count, self._ranges = classes, count, ranges
        self._known: dict[str, list[LineSides]] = {}

    @property
    def lines(self) -> ClusterLines:
        """The lines of all rows, which all curves have."""
        known = self._of(REST)
        return known[0].lines if known else of_no_lines(self._count).lines

    def against_rest(self) -> Iterator[LineSides]:
        return iter(self._of(REST))

    def pooled(self) -> LineSides:
        return self._of(POOLED)[0]

    def between(self) -> Iterator[tuple[LineSides, LineSides]]:
        found = dict(zip(permutations(range(self._classes), 2), self._of(PAIRS), strict=True))
        return ((found[pair], found[pair[::-1]]) for pair in combinations(range(self._classes), 2))

    def _of(self, kind: str) -> list[LineSides]:
        """The sums of every curve of one kind; none without rows."""
        if kind not in self._known:
            self._known[kind] = self._sides(kind)
        return self._known[kind]

    def _sides(self, kind: str) -> list[LineSides]:
        """The same in one unit of weight for each slice, so that classes can be added up."""
        curves, count = curve_count(kind, self._classes), self._count
        none = SliceValues(np.full(curves * count, np.nan), {})  # areas do not read values
        parts = self._ranges(kind).line_sums(_auc(), none)
        if not parts:
            return []
        (keys, clusters, starts), columns = joined_lines(parts, curves * count)
        lines, codes = lines_of(keys % count, clusters, count)
        found = []
        for first, end in pairwise(starts[::count].tolist()):
            some = np.arange(first, end)
            own = [exact_sums.lines(column, some) for column in columns]
            moved = (exact_sums.moved(column, codes[some], len(lines)) for column in own)
            found.append(LineSums(lines, tuple(moved)))
        weights: ExactSums = {}  # of all rows: each is a positive of its class
        for each in found[:: max(curves // self._classes, 1)]:
            exact_sums.add(weights, each.columns[0], None, len(lines))
        scale = near_one(exact_sums.by_slice(weights, lines.starts), count)
        return [LineSides(lines, sides_of(each, scale)) for each in found]


def _auc() -> BoundMetric:
    return resolve("auc", reads=SCORE)
