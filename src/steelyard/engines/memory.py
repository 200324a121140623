"""The memory engine: batches one after the other, in this process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import Fold, RangeMetric
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue
from steelyard.plan import Job, Kept, Table
from steelyard.sources.blocks import Block
from steelyard.views.groups import GroupsView
from steelyard.views.scores import ScoreView
from steelyard.views.view_of import View, view_of


class MemoryEngine:
    """An exchange is a sort of what a state keeps; ranges of it are looked at in turn."""

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        """Every row added to every state, in one pass."""
        reader = job.reader()
        blocks = reader.resolve(blocks)
        kept = Kept.empty(job.plan, job.resolved(source, reader.resolved), reader.slice_keys)
        states = [list(of_score.values()) for of_score in kept.states.values()]
        for of_block in reader.batches(blocks):
            for batch, of_score in zip(of_block, states, strict=True):
                for state in of_score:
                    state.update(batch)
        return kept

    def exchange(self, table: Table, key: StateSpec) -> View:
        """What a state keeps of one table, in the order of its keys."""
        state = table.states[key.identity]
        return view_of(state, table.number, table.size, table.slices, table.rows)

    def fold(self, ranges: View, work: Sequence[BoundMetric]) -> list[list[AnyValue]]:
        """The values of metrics that read one view and the same ranges of it, in every slice."""
        metric = work[0].metric
        if isinstance(metric, RangeMetric) and metric.folds(work[0].params):
            return self._fold(ranges, work, metric.ranges)
        found: list[list[AnyValue]] = [[] for _ in work]
        assert not isinstance(ranges, ScoreView | GroupsView)  # those are folded
        for one in ranges.each():  # slice by slice, so that metrics share what one shows
            for bound, mine in zip(work, found, strict=True):
                mine.append(bound.metric.compute(one, bound.params))
        return found

    def _fold(
        self, view: View, work: Sequence[BoundMetric], ranges: Callable[[View], Iterator[Any]]
    ) -> list[list[AnyValue]]:
        """One pass over the ranges for all metrics, and more for slices that ask for it."""
        folds = [Fold(bound, view) for bound in work]
        while any(fold.pending for fold in folds):
            for range_ in ranges(view):
                for fold in folds:
                    fold.take(range_)
            for fold in folds:
                fold.finish()
        return [[fold.found[number] for number in view.slices.tolist()] for fold in folds]


ENGINE = MemoryEngine()
