"""The memory engine: batches one after the other, in this process, which holds all rows."""

from collections.abc import Iterable

from steelyard.engines.protocol import Kept, Table
from steelyard.metrics.fold import WholeView
from steelyard.metrics.record import StateSpec
from steelyard.plan import Job
from steelyard.reading.batch import Batch
from steelyard.reading.reader import Reader
from steelyard.sources.blocks import Block
from steelyard.views.view_of import ClusterView, cluster_view_of


def scanned(job: Job, source: str, reader: Reader, batches: Iterable[list[Batch]]) -> Kept:
    """The states of some batches; their reader knows the types of the columns of all."""
    conventions = job.resolved(source, reader.resolved)
    kept = Kept.empty(job.plan, conventions, reader.slice_keys, reader.clusters)
    states = [list(score_states.values()) for score_states in kept.states.values()]
    for block_batches in batches:
        for batch, score_states in zip(block_batches, states, strict=True):
            for state in score_states:
                state.update(batch)
    return kept


class MemoryEngine:
    """An engine that keeps all states in memory: an exchange sorts a state, ranges are slices."""

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        """Every row added to every state, in one pass."""
        reader = job.reader()
        return scanned(job, source, reader, reader.batches(reader.resolve(blocks)))

    def exchange(self, table: Table, state_spec: StateSpec) -> WholeView:
        """One table of a state, whose view cuts it into ranges."""
        return WholeView(table.view(state_spec))

    def exchange_clusters(self, table: Table, state_spec: StateSpec) -> ClusterView:
        """A view of one table of a state by slice and cluster."""
        state = table.states[state_spec.identity]
        return cluster_view_of(state, table.number, table.size, table.slices)
