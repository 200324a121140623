"""The memory engine: batches one after the other, in this process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import RangeMetric, folds
from steelyard.metrics.record import StateSpec
from steelyard.model import AnyValue
from steelyard.plan import Job, Kept, Table
from steelyard.sources.blocks import Block
from steelyard.views.groups import GroupsView
from steelyard.views.scores import ScoreView
from steelyard.views.view_of import ClusterView, View, cluster_view_of, view_of


class MemoryEngine:
    """An engine that keeps all states in memory: an exchange sorts a state, a fold reads ranges."""

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        """Every row added to every state, in one pass."""
        reader = job.reader()
        blocks = reader.resolve(blocks)
        conventions = job.resolved(source, reader.resolved)
        kept = Kept.empty(job.plan, conventions, reader.slice_keys, reader.clusters)
        states = [list(score_states.values()) for score_states in kept.states.values()]
        for block_batches in reader.batches(blocks):
            for batch, score_states in zip(block_batches, states, strict=True):
                for state in score_states:
                    state.update(batch)
        return kept

    def exchange(self, table: Table, state_spec: StateSpec) -> View:
        """A view of one table of a state, in the order of its keys."""
        state = table.states[state_spec.identity]
        return view_of(state, table.number, table.size, table.slices, table.rows)

    def exchange_clusters(self, table: Table, state_spec: StateSpec) -> ClusterView:
        """A view of one table of a state by slice and cluster."""
        state = table.states[state_spec.identity]
        return cluster_view_of(state, table.number, table.size, table.slices)

    def fold(self, view: View, metrics: Sequence[BoundMetric]) -> list[list[AnyValue]]:
        """For each metric its value in every slice; all of them read the same ranges."""
        first = metrics[0].metric
        if isinstance(first, RangeMetric) and first.folds(metrics[0].params):
            return self._fold_ranges(view, metrics, first.ranges)
        found: list[list[AnyValue]] = [[] for _ in metrics]
        assert not isinstance(view, ScoreView | GroupsView)  # those are read in ranges
        for one in view.each():  # slice by slice, so that metrics share what a view caches
            for bound, mine in zip(metrics, found, strict=True):
                mine.append(bound.metric.compute(one, bound.params))
        return found

    def _fold_ranges(
        self, view: View, metrics: Sequence[BoundMetric], ranges: Callable[[View], Iterator[Any]]
    ) -> list[list[AnyValue]]:
        """One pass over the ranges for all metrics, and further passes while any is pending."""
        shared = folds(metrics, view)
        while any(fold.pending for fold in shared):
            for range_ in ranges(view):
                for fold in shared:
                    fold.take(range_)
            for fold in shared:
                fold.finish()
        found = {name: values for fold in shared for name, values in fold.found.items()}
        numbers = view.slices.tolist()
        return [[found[bound.name][number] for number in numbers] for bound in metrics]


ENGINE = MemoryEngine()
