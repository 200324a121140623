"""The memory engine: batches one after the other, in this process."""

from collections.abc import Iterable

from steelyard.batch import Batch
from steelyard.metrics.record import Need
from steelyard.states import State


def fold(batches: Iterable[Batch], needs: Iterable[Need]) -> dict[Need, State]:
    """Every state that is needed, from one pass over the batches."""
    states = {need: need.empty() for need in needs}
    for batch in batches:
        for state in states.values():
            state.update(batch)
    return states
