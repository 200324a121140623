"""The memory engine: batches one after the other, in this process."""

from collections.abc import Iterable, Sequence

from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import RangeMetric, fold
from steelyard.metrics.record import StateSpec
from steelyard.metrics.values import ValueColumn
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
        known = table.views.get(state_spec.identity)
        if known is not None:
            return known
        state = table.states[state_spec.identity]
        return view_of(state, table.number, table.size, table.slices, table.rows)

    def exchange_clusters(self, table: Table, state_spec: StateSpec) -> ClusterView:
        """A view of one table of a state by slice and cluster."""
        state = table.states[state_spec.identity]
        return cluster_view_of(state, table.number, table.size, table.slices)

    def fold(self, view: View, metrics: Sequence[BoundMetric]) -> list[ValueColumn]:
        """For each metric its value in every slice; all of them read the same ranges."""
        first = metrics[0].metric
        if isinstance(first, RangeMetric) and first.folds(metrics[0].params):
            found = fold(view, metrics)
            return [found[bound.name] for bound in metrics]
        assert not isinstance(view, ScoreView | GroupsView)  # those are read in ranges
        values = [bound.metric.values_in(view, bound.params) for bound in metrics]
        rest = [bound for bound, column in zip(metrics, values, strict=True) if column is None]
        lists: dict[str, list[AnyValue]] = {bound.name: [] for bound in rest}
        if rest:
            for one in view.each():  # slice by slice, so that metrics share what a view caches
                for bound in rest:
                    lists[bound.name].append(bound.metric.compute(one, bound.params))
        both = zip(metrics, values, strict=True)
        return [lists[bound.name] if column is None else column for bound, column in both]


ENGINE = MemoryEngine()
