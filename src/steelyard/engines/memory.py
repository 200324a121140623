"""The memory engine: batches one after the other, in this process."""

from collections.abc import Iterable, Sequence

from steelyard.reading.batch import Batch
from steelyard.states import State


def fold(batches: Iterable[Sequence[Batch]], states: Sequence[Iterable[State]]) -> None:
    """Add every row to every state, in one pass: the states of each score take its batch."""
    states = [list(of_score) for of_score in states]
    for of_block in batches:
        for batch, of_score in zip(of_block, states, strict=True):
            for state in of_score:
                state.update(batch)
