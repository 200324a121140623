"""Work done once a batch: remembered for that batch alone, and forgotten with it."""

import gc

from steelyard.reading.arrays import read_arrays
from steelyard.reading.batch import Batch
from steelyard.states import once


def test_work_is_done_once_and_forgotten_with_the_batch() -> None:
    asked: list[str] = []

    @once.once_a_batch
    def work(batch: Batch, name: str) -> int:
        asked.append(name)
        return len(batch)

    first, second = read_arrays([0, 1], [0.1, 0.2]), read_arrays([1], [0.3])
    assert [work(first, "a"), work(first, "b"), work(first, "a"), work(second, "a")] == [2, 2, 2, 1]
    assert asked == ["a", "b", "a"]
    before = len(once._FOUND)
    del first, second
    gc.collect()
    assert len(once._FOUND) == before - 2
