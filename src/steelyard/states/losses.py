"""Losses: sums of what probabilities cost, row by row; and what they come to."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.batch import Batch, Side, probabilities
from steelyard.model import Array, Floats, Mask, Reading
from steelyard.states.runs import sides
from steelyard.states.sums import Sums, class_weights, dot, weighted_scores
from steelyard.states.terms import TERMS, clipped

CLASSES = ("positives", "negatives")
BLOCK = 1 << 16  # rows whose probabilities and terms are worked out at a time


class Expected(Sums):
    """The weight of each class, and the positives that are expected: Σ w·q, exact."""

    kind = "expected"
    names = (*CLASSES, "expected")

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        if batch.reading.downsampled is None:
            expected = weighted_scores(batch)
        else:
            expected = dot(batch.probability, batch.weight)
        return {**_of_classes(batch), "expected": expected}


class Losses(Sums):
    """One kind of loss: each row's terms are rounded, their weighted sums exact.

    Infinite terms are not summed but counted.
    """

    kind = "losses"

    def __init__(self, term: str) -> None:
        self.term = term
        self._rule = TERMS[term]
        self.counts = ("infinite",) if self._rule.logarithm else ()
        self.names = (*CLASSES, *self._rule.names, *self.counts)
        self.signed = self._rule.signed
        super().__init__()

    def config(self) -> dict[str, Any]:
        return {"term": self.term}

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        rule, reading = self._rule, batch.reading
        sums = _of_classes(batch) | dict.fromkeys(rule.names, Fraction(0))
        impossible = 0
        for side, terms, end in zip(
            sides(batch), (rule.positive, rule.negative), (0.0, 1.0), strict=True
        ):
            for q, weights in _blocks(side, reading):
                if rule.logarithm:
                    q, weights, rows = _possible(q, weights, end, reading.clip)
                    impossible += rows
                for name, values in terms(q).items():
                    sums[name] += dot(values, weights)
        if rule.logarithm:
            sums["infinite"] = Fraction(_counted(batch) if impossible else 0)
        return sums


def _of_classes(batch: Batch) -> dict[str, Fraction]:
    return dict(zip(CLASSES, class_weights(batch), strict=True))


def _blocks(side: Side, reading: Reading) -> Iterator[tuple[Floats, Array | None]]:
    """Probabilities and weights of the rows of a class, so many that the cache holds them."""
    for start in range(0, len(side.scores), BLOCK):
        rows = slice(start, start + BLOCK)
        weights = None if side.weights is None else side.weights[rows]
        yield probabilities(side.scores[rows], reading), weights


def _possible(
    q: Floats, weights: Array | None, end: float, clip: float | None
) -> tuple[Floats, Array | None, int]:
    """The rows whose loss is finite, and how many have a probability at the wrong end."""
    if clip is not None:
        return clipped(q, clip), weights, 0
    if (q.max() if end else q.min()) != end:
        return q, weights, 0
    kept = q != end
    return q[kept], None if weights is None else weights[kept], int(np.count_nonzero(~kept))


def _counted(batch: Batch) -> int:
    """How many rows have an infinite loss; a row of aggregated ones is many."""
    wrong: Mask = batch.probability == np.where(batch.positive, 0.0, 1.0)
    if batch.count is None:
        return int(np.count_nonzero(wrong))
    return int(kernels.active().exact_sum(batch.count[wrong]))
