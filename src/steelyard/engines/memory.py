"""The memory engine: batches one after the other, in this process."""

from collections.abc import Iterable

from steelyard.metrics.record import Need, Together, Wanted
from steelyard.model import AnyValue
from steelyard.plan import Job, Kept, Table
from steelyard.sources.blocks import Block
from steelyard.views.look import View, look


class MemoryEngine:
    """An exchange is a sort of what a state keeps; ranges of it are looked at in turn."""

    def scan(self, job: Job, source: str, blocks: Iterable[Block]) -> Kept:
        """Every row added to every state, in one pass."""
        reader = job.reader()
        blocks = reader.settle(blocks)
        kept = Kept.empty(job.plan, job.settled(source, reader.settled), reader.slice_keys)
        states = [list(of_score.values()) for of_score in kept.states.values()]
        for of_block in reader.batches(blocks):
            for batch, of_score in zip(of_block, states, strict=True):
                for state in of_score:
                    state.update(batch)
        return kept

    def exchange(self, table: Table, key: Need) -> View:
        """What a state keeps of one table, in the order of its keys."""
        state = table.states[key.place]
        return look(state, table.number, table.size, table.slices, table.rows)

    def fold(self, ranges: View, work: Wanted, together: Together) -> list[list[AnyValue]]:
        """The values of metrics that read one view, in every slice."""
        return together(work, ranges)


ENGINE = MemoryEngine()
