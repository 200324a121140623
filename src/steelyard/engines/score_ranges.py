"""The exchange by (slice, score): rows are cut into ranges, and each range gets its context.

An engine that moves rows uses it in three steps. Each process splits its rows at the cuts and
counts them (`split`); what all of them counted becomes the context of every range
(`contexts_of`); a task then views the rows of one range, from all processes, with their context
(`made_of_range`). Any cuts are right; good ones make ranges of equal size (`choose_cuts`).
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from steelyard import kernels
from steelyard.engines.line_parts import FirstStep, LineTask
from steelyard.model import Array, Floats, Reading
from steelyard.states import ScoreTable
from steelyard.states.score_table.state import KeptChunk, unit_of
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineSums
from steelyard.views.context import Context
from steelyard.views.ranges import Below
from steelyard.views.scores import ScoreView
from steelyard.views.totals import Totals, totals_of_curves

TaskResult = TypeVar("TaskResult", covariant=True)
LARGEST = 1 << 62  # int64 holds the sum of two smaller weights


class Cuts(NamedTuple):
    """The first slice and score of each range but the first, rising."""

    slices: Array
    scores: Array

    def ranges_of(self, slices: Array, scores: Array) -> Array:
        """The number of the range of each row."""
        found = self.slices.searchsorted(slices)
        for slice_ in np.unique(self.slices).tolist():
            first, end = self.slices.searchsorted([slice_, slice_ + 1]).tolist()
            rows = np.flatnonzero(slices == slice_)
            found[rows] += self.scores[first:end].searchsorted(scores[rows], "right")
        return found


class Sample(NamedTuple):
    """The unit of weights of some rows, and the slices and scores of a few of them."""

    unit: int
    rows: Cuts


def choose_cuts(samples: Sequence[Sample | None], ranges: int) -> tuple[Cuts, int]:
    """Cuts for so many ranges, with about equally many rows of samples; and the unit of all."""
    known = [each for each in samples if each is not None]
    if not known:
        return Cuts(np.zeros(0, np.int64), np.zeros(0)), 0
    columns = zip(*(each.rows for each in known), strict=True)
    slices, scores = (np.concatenate(column) for column in columns)
    order = np.lexsort((scores, slices))
    places = order[len(order) * np.arange(1, ranges) // ranges]
    slices, scores = slices[places], scores[places]
    new = np.ones(len(places), bool)
    new[1:] = (slices[1:] != slices[:-1]) | (scores[1:] != scores[:-1])
    return Cuts(slices[new], scores[new]), min(each.unit for each in known)


def sample_of(chunks: Sequence[KeptChunk], rows: int) -> Sample | None:
    """About so many rows of some chunks; None where there are none."""
    count = sum(len(each.rows.scores) for each in chunks)
    if not count:
        return None
    step = max(1, count // rows)
    columns = [(slices_of(each)[::step], each.rows.scores[::step]) for each in chunks]
    slices, scores = zip(*columns, strict=True)
    return Sample(unit_of(chunks), Cuts(np.concatenate(slices), np.concatenate(scores)))


def split(chunks: Sequence[KeptChunk], cuts: Cuts, unit: int) -> "list[Split]":
    """The ranges that have rows, their rows, and what is counted of these."""
    found: dict[int, list[KeptChunk]] = {}
    for chunk in chunks:
        numbers = cuts.ranges_of(slices_of(chunk), chunk.rows.scores)
        order = np.argsort(numbers, kind="stable")
        ranges, starts = np.unique(numbers[order], return_index=True)
        for number, rows in zip(ranges.tolist(), np.split(order, starts[1:]), strict=True):
            found.setdefault(number, []).append(chunk.take(rows))
    return [(number, own, facts_of(number, own, unit)) for number, own in sorted(found.items())]


class RangeFacts(NamedTuple):
    """What one process knows of the slices of a range: weights are multiples of the job's unit.

    next: the lowest score of a negative
    """

    ranges: Array
    slices: Array
    positives: Array
    negatives: Array
    lowest: Floats
    highest: Floats
    next: Floats


Split = tuple[int, list[KeptChunk], RangeFacts]  # of one range


def facts_of(number: int, chunks: Sequence[KeptChunk], unit: int) -> RangeFacts:
    """The facts of the rows of one range."""
    slices, local = _with_local_slices(chunks)
    state = ScoreTable.of_range(local, None, unit)
    rows, _ = state.chunks()
    found, _ = kernels.active().curve_points(rows, len(slices), unit, points=False)
    totals = totals_of_curves(found, unit)
    lowest = np.full(len(slices), np.inf)
    for each in rows:
        others = np.flatnonzero(~each.positive)
        codes = np.zeros(len(others), np.int64) if each.codes is None else each.codes[others]
        np.minimum.at(lowest, codes, each.scores[others].astype(np.float64))
    sides = totals.positives.astype(object), totals.negatives.astype(object)
    ranges = np.full(len(slices), number)
    return RangeFacts(ranges, slices, *sides, totals.lowest, totals.highest, lowest)


def contexts_of(
    facts: Sequence[RangeFacts], unit: int, slices: int
) -> tuple[Totals, dict[int, tuple[Array, Context]]]:
    """The totals of all slice numbers; and for each range its slices and its context."""
    if not facts:
        none, missing = np.zeros(slices, np.int64), np.full(slices, np.nan)
        return Totals(unit, none, none, missing, missing), {}
    found = _added(RangeFacts(*map(np.concatenate, zip(*facts, strict=True))))
    new = np.ones(len(found.slices), bool)
    new[1:] = found.slices[1:] != found.slices[:-1]
    starts = np.flatnonzero(new)
    numbers = found.slices[starts]
    of_slice = np.cumsum(new) - 1
    totals = Totals(
        unit,
        np.add.reduceat(found.positives, starts),
        np.add.reduceat(found.negatives, starts),
        np.fmin.reduceat(found.lowest, starts),
        np.fmax.reduceat(found.highest, starts),
    )
    below = []
    for column in (found.positives, found.negatives):
        running = np.cumsum(column) - column
        below.append(running - running[starts][of_slice])
    above = np.full(len(new), np.inf)
    for place in range(len(new) - 2, -1, -1):
        if not new[place + 1]:
            above[place] = min(above[place + 1], found.next[place + 1])
    contexts = {}
    for number in np.unique(found.ranges).tolist():
        here = np.flatnonzero(found.ranges == number)
        own = _typed(totals.take(of_slice[here]))
        under = Below(*(column[here] for column in below))
        contexts[number] = found.slices[here], Context(own, under, above[here])
    return _of_all(totals, numbers, slices), contexts


def brought_together(
    splits: Iterable[Sequence[Split]], unit: int, slices: int
) -> tuple[Totals, dict[int, tuple[list[KeptChunk], Array, Context]]]:
    """The totals of all slice numbers; and for each range its rows, slices and context.

    splits: what each process made of its rows
    """
    every = [each for own in splits for each in own]
    totals, contexts = contexts_of([facts for _, _, facts in every], unit, slices)
    rows: dict[int, list[KeptChunk]] = {}
    for number, chunks, _ in every:
        rows.setdefault(number, []).extend(chunks)
    return totals, {number: (chunks, *contexts[number]) for number, chunks in rows.items()}


class RangeTask(Protocol[TaskResult]):
    """What is done with the rows of a range, such as `MakeParts`."""

    def of_some(self, view: Any, slices: Array) -> TaskResult:
        """What is made of a view that has some slices alone; slices: their numbers."""


def made_of_range(
    task: RangeTask[TaskResult],
    chunks: Sequence[KeptChunk],
    slices: Array,
    context: Context,
    reading: Reading,
) -> TaskResult:
    """What a task makes of a range, whose slices have these numbers in the job."""
    unit = context.totals.power
    state = ScoreTable.of_range(_renumbered(chunks, slices), reading, unit)
    view = ScoreView(state, 0, len(slices), np.arange(len(slices)))
    view.context = context
    return task.of_some(view, slices)


def lines_of_range(
    task: LineTask,
    chunks: Sequence[KeptChunk],
    slices: Array,
    context: Context,
    reading: Reading,
) -> LineSums | FirstStep:
    """The sums that influences on a metric need of a range; see `made_of_range`."""
    unit = context.totals.power
    state = ScoreTable.of_range(_renumbered(chunks, slices), reading, unit)
    view = ClusteredScores(state.chunks()[0], unit, len(slices), reading, context=context)
    return task(view, slices)


def _added(facts: RangeFacts) -> RangeFacts:
    """The facts by slice and range, each once."""
    order = np.lexsort((facts.ranges, facts.slices))
    ranges, slices, positives, negatives, *ends = (column[order] for column in facts)
    new = np.ones(len(order), bool)
    new[1:] = (slices[1:] != slices[:-1]) | (ranges[1:] != ranges[:-1])
    first = np.flatnonzero(new)
    return RangeFacts(
        ranges[first],
        slices[first],
        np.add.reduceat(positives, first),
        np.add.reduceat(negatives, first),
        np.fmin.reduceat(ends[0], first),
        np.fmax.reduceat(ends[1], first),
        np.fmin.reduceat(ends[2], first),
    )


def _of_all(totals: Totals, numbers: Array, slices: int) -> Totals:
    """The same for all slice numbers; those without rows have none."""

    def spread(column: Array, none: object) -> Array:
        made = np.full(slices, none, column.dtype)
        made[numbers] = column
        return made

    sides = spread(totals.positives, 0), spread(totals.negatives, 0)
    ends = spread(totals.lowest, np.nan), spread(totals.highest, np.nan)
    return _typed(Totals(totals.power, *sides, *ends))


def _typed(totals: Totals) -> Totals:
    """Weights as int64, if it holds them with a bit to spare."""
    if totals.largest >= LARGEST:
        return totals
    sides = totals.positives.astype(np.int64), totals.negatives.astype(np.int64)
    return Totals(totals.power, *sides, totals.lowest, totals.highest)


def slices_of(chunk: KeptChunk) -> Array:
    """The slice of each row."""
    codes = chunk.rows.codes
    return np.zeros(len(chunk.rows.scores), np.int64) if codes is None else codes


def _with_local_slices(chunks: Sequence[KeptChunk]) -> tuple[Array, list[KeptChunk]]:
    """The slices of some rows; and the rows, whose slices are numbered among these."""
    slices = np.unique(np.concatenate([slices_of(each) for each in chunks]))
    return slices, _renumbered(chunks, slices)


def _renumbered(chunks: Sequence[KeptChunk], slices: Array) -> list[KeptChunk]:
    """Rows whose slices are numbered among some slices."""
    return [
        each._replace(rows=each.rows._replace(codes=slices.searchsorted(slices_of(each))))
        for each in chunks
    ]
