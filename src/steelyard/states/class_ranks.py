"""Class ranks: what the rows weigh whose true class has so many above it, and so many beside it.

Memory: one number for each pair of counts that occurs. Exactness: exact. The share of rows whose
true class is among the k best, for every k.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.distinct import distinct
from steelyard.model import Array
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import ClassScores
from steelyard.states.pair_weights import Pair, PairWeights

BLOCK = 1 << 15  # rows worked on at a time: columns that the cache holds


class ClassRanks(PairWeights):
    """Weight by (classes that score above the true one, other classes that score the same)."""

    kind = "class_ranks"

    def _add_rows(self, batch: Batch) -> None:
        if batch.class_scores is None:
            raise TypeError("rows without a score for each class")
        width = len(batch.class_scores.classes)
        codes = np.concatenate([np.zeros(0, np.uint64), *_codes(batch.class_scores, width)])
        numbers, places = distinct(codes)
        sums = kernels.active().sums_by_code(numbers, len(places), None, batch.weight)
        self._take_sums([divmod(code, width) for code in codes[places].tolist()], sums)

    def _written(self) -> tuple[Mapping[str, Any], Sequence[Pair], Array]:
        pairs = sorted(self.weights)
        return {}, pairs, np.array(pairs, np.uint32).reshape(-1, 2).T

    def _read(self, header: Mapping[str, Any], numbers: Array) -> list[Pair]:
        return list(zip(*numbers.tolist(), strict=True))


def _codes(scores: ClassScores, width: int) -> Iterator[Array]:
    """For each row, the classes above the true one times `width`, and the others beside it."""
    for start in range(0, len(scores.true), BLOCK):
        block = slice(start, start + BLOCK)
        own = true_scores(scores, block)
        above, level = (np.zeros(len(own), np.uint64) for _ in range(2))
        for column in scores.columns:
            above += column[block] > own
            level += column[block] == own
        yield above * np.uint64(width) + (level - np.uint64(1))  # the true class itself is level


def true_scores(scores: ClassScores, rows: slice) -> Array:
    """The score of each row's true class."""
    true = scores.true[rows]
    own = np.empty(len(true), scores.columns[0].dtype)
    for number, column in enumerate(scores.columns):
        np.copyto(own, column[rows], where=true == number)
    return own
