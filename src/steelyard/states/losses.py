"""Losses: sums of what probabilities cost, row by row; and what they come to."""

from fractions import Fraction
from typing import Any

import numpy as np

from steelyard import kernels
from steelyard.model import Mask
from steelyard.reading.batch import Batch, given, probabilities
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
        rule, score, positive = self._rule, given(batch.score), given(batch.positive)
        sums = dict.fromkeys(self.names, Fraction(0)) | _of_classes(batch)
        for start in range(0, len(batch), BLOCK):
            rows = slice(start, start + BLOCK)
            q = probabilities(score[rows], batch.reading)
            if rule.logarithm and batch.reading.clip is not None:
                q = clipped(q, batch.reading.clip)
            weights = None if batch.weight is None else batch.weight[rows]
            for name, values in zip(rule.names, rule.of(q, positive[rows]), strict=True):
                if rule.logarithm and values.min() == -np.inf:
                    finite = values != -np.inf
                    sums["infinite"] += _rows(batch, rows, ~finite)
                    values = values[finite]
                    weights = None if weights is None else weights[finite]
                sums[name] += dot(values, weights)
        return sums


def _of_classes(batch: Batch) -> dict[str, Fraction]:
    return dict(zip(CLASSES, class_weights(batch), strict=True))


def _rows(batch: Batch, rows: slice, chosen: Mask) -> int:
    """How many rows these are; a row of aggregated ones is many."""
    if batch.count is None:
        return int(np.count_nonzero(chosen))
    return int(kernels.active().exact_sum(batch.count[rows][chosen]))
