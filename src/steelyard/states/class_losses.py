"""Class losses: what the probability of each row's true class costs, −ln p, summed exactly.

Memory: a few numbers. Exactness: each row's logarithm is rounded once, their weighted sum is exact.
"""

from fractions import Fraction

import numpy as np

from steelyard import kernels
from steelyard.model import Array, Floats
from steelyard.reading.batch import Batch
from steelyard.states.class_ranks import BLOCK, true_scores
from steelyard.states.sums import Sums, dot
from steelyard.states.terms import clipped


class ClassLosses(Sums):
    """The weight of all rows, and of those with a finite loss the sum of weight times loss.

    infinite: rows whose true class has a probability of 0
    """

    kind = "class_losses"
    names = ("weight", "loss", "infinite")
    counts = ("infinite",)

    def measure(self, batch: Batch) -> dict[str, Fraction]:
        if batch.class_scores is None:
            raise TypeError("rows without a score for each class")
        sums = dict.fromkeys(self.names, Fraction(0))
        sums["weight"] = Fraction(len(batch)) if batch.weight is None else dot(batch.weight, None)
        for start in range(0, len(batch), BLOCK):
            block = slice(start, start + BLOCK)
            weights = None if batch.weight is None else batch.weight[block]
            own = true_scores(batch.class_scores, block).astype(np.float64)
            loss, infinite = _loss(own, weights, batch.reading.clip)
            sums["loss"] += loss
            sums["infinite"] += infinite
        return sums


def _loss(own: Floats, weights: Array | None, clip: float | None) -> tuple[Fraction, int]:
    """What the rows cost, and how many of them cost more than any number."""
    if clip is not None:
        own = clipped(own, clip)
    possible = own > 0
    rows = int(np.count_nonzero(possible))
    if rows < len(own):
        weights = None if weights is None else weights[possible]
        return -dot(kernels.active().log(own[possible]), weights), len(own) - rows
    return -dot(kernels.active().log(own), weights), 0
