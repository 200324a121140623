"""Ranges of scores under weightings, such as the replicates of a bootstrap, in two rounds.

A slice under a weighting has totals of its own, and is a slice with a number of its own: weighting
· size + slice, with `size` slice numbers. A first round counts every range under every weighting;
then contexts, parts, joins and values are made as those of more slices.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.engines.protocol import Whole
from steelyard.engines.score_ranges import RangeFacts, contexts_of
from steelyard.metrics.fold import MakeParts, SliceParts
from steelyard.model import Array
from steelyard.phrases import phrase
from steelyard.reading.batch import required
from steelyard.views.clusters import LineSums, joined_lines, lines_of
from steelyard.views.context import Context
from steelyard.views.scores import ScoreView
from steelyard.views.weightings import Weighted, Weighting

# Parts and contexts that are held at once: weightings · slices of all ranges · (metrics + 1). Each
# has about 160 bytes, so that these are 2.6 GB: 1,000 replicates of 8 metrics in 1,800 ranges.
MOST = 1 << 24

HashesOf = Callable[[Array], Array]  # of the keys of some clusters, by their numbers
RunTasks = Callable[[Mapping[int, Any]], Sequence[Any]]  # see `line_parts.line_sums`


@dataclass(frozen=True)
class WeightedRows:
    """The rows of a range under each weighting."""

    weightings: Sequence[Weighting]
    hashes_of: HashesOf

    def views(self, view: ScoreView) -> Iterator[ScoreView]:
        """Resampled views; a weighting is asked for the clusters of the range alone."""
        clusters = required(view.table.clusters)
        used = np.unique(np.concatenate(clusters))
        hashes, weights = self.hashes_of(used), np.zeros(used[-1] + 1, np.uint8)
        for weighting in self.weightings:
            weights[used] = weighting.weights(None, hashes)
            yield view.resampled(weights)


@dataclass(frozen=True)
class CountRange:
    """The task of the first round: the facts of a range under all weightings, and its clusters.

    number: of the range; size: how many slice numbers there are
    """

    rows: WeightedRows
    number: int
    size: int

    def of_some(self, view: ScoreView, slices: Array) -> tuple[RangeFacts, LineSums]:
        """slices: their numbers in the job, of any type of integers."""
        slices = slices.astype(np.int64)
        of_rows = [np.repeat(slices, np.diff(side.starts)) for side in view.table[:2]]
        clusters = np.concatenate(required(view.table.clusters))
        lines, _ = lines_of(np.concatenate(of_rows), clusters, self.size)
        each = enumerate(self.rows.views(view))
        facts = [self._facts(one, place * self.size + slices) for place, one in each]
        return RangeFacts(*map(np.concatenate, zip(*facts, strict=True))), LineSums(lines, ())

    def _facts(self, view: ScoreView, numbers: Array) -> RangeFacts:
        totals, negatives = view.totals, view.table.negatives
        scores = np.append(negatives.scores.astype(np.float64), np.inf)
        lowest = np.where(np.diff(negatives.starts) > 0, scores[negatives.starts[:-1]], np.inf)
        sides = totals.positives.astype(object), totals.negatives.astype(object)
        ranges = np.full(len(numbers), self.number)
        return RangeFacts(ranges, numbers, *sides, totals.lowest, totals.highest, lowest)


@dataclass(frozen=True)
class MakeWeightedParts:
    """The task of one pass of the second round.

    numbers, context: of the slices of a range under all weightings
    """

    rows: WeightedRows
    task: MakeParts
    numbers: Array
    context: Context

    def of_some(self, view: ScoreView, slices: Array) -> list[list[SliceParts]]:
        """The parts of the range, weighting by weighting."""
        made = []
        for place, resampled in enumerate(self.rows.views(view)):
            here = slice(place * len(slices), (place + 1) * len(slices))
            resampled.context = self.context.take(here)
            made += self.task.of_some(resampled, self.numbers[here])
        return made


@dataclass(frozen=True)
class WeightedRanges:
    """Ranges under weightings, see `metrics.fold.Ranges`.

    contexts: of each range, its slices under all weightings, and their context
    """

    whole: Whole
    run: RunTasks
    rows: WeightedRows
    contexts: Mapping[int, tuple[Array, Context]]

    def map(self, task: MakeParts) -> Iterator[list[SliceParts]]:
        each = self.contexts.items()
        tasks = {number: MakeWeightedParts(self.rows, task, *own) for number, own in each}
        for of_range in self.run(tasks):
            yield from of_range


def weighted_ranges(
    run: RunTasks,
    ranges: Sequence[int],
    whole: Whole,
    weightings: Sequence[Weighting],
    hashes_of: HashesOf,
    metrics: Sequence[str],
) -> Weighted:
    """Ranges under weightings, once all of them are counted.

    run: as of `line_parts.line_sums`; whole: what is known of the ranges without weightings
    hashes_of: small, as every task has it: it looks up what it is asked for where a task runs
    """
    cells = len(weightings) * whole.in_ranges * (len(metrics) + 1)
    if cells > MOST:
        raise errors.TOO_MANY_WEIGHTINGS(
            weightings=len(weightings),
            slices=whole.in_ranges,
            metrics=", ".join(metrics),
            cells=cells,
            most=MOST,
            option=phrase("bootstrap=..."),
        )
    totals, rows = required(whole.totals), WeightedRows(weightings, hashes_of)
    size = len(totals.positives)
    counted = run({number: CountRange(rows, number, size) for number in ranges})
    facts, lines = [fact for fact, _ in counted], [own for _, own in counted]
    clusters = np.zeros(size, np.int64)
    if lines:  # there are rows
        clusters = np.diff(joined_lines(lines, size).lines.starts)
    of_all, contexts = contexts_of(facts, totals.power, len(weightings) * size)
    slices = np.arange(len(weightings))[:, np.newaxis] * size + whole.slices
    found = WeightedRanges(Whole(slices.reshape(-1), of_all), run, rows, contexts)
    return Weighted(clusters[whole.slices], [found])
