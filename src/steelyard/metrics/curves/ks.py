"""Kolmogorov-Smirnov: the largest gap between TPR and FPR over all thresholds.

max over t of TP(t)/P − FP(t)/N

>>> import steelyard as sy
>>> sy.ks([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.5
"""

import numpy as np

from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals

# A gap computed in float64 is within 7 units of 2**-53 of the exact one.
SLACK = 2.0**-49


def largest_gap(chunk: Chunk) -> tuple[int, int]:
    """The largest (TPR − FPR)·P·N, a whole number, and the first threshold that has it."""
    positives, negatives, _ = chunk.totals
    if chunk.totals.narrow or not chunk.totals.fits:
        values = chunk.long_tp * negatives - chunk.long_fp * positives
        place = int(values.argmax())
        return int(values[place]), place
    # Only the thresholds that may be the best are worth Python's integers.
    rates = chunk.long_tp.astype(np.float64) / positives
    rates -= chunk.long_fp.astype(np.float64) / max(negatives, 1)
    near = np.flatnonzero(rates >= rates.max() - SLACK).tolist()
    exact = [int(chunk.long_tp[i]) * negatives - int(chunk.long_fp[i]) * positives for i in near]
    largest = max(exact)
    return largest, near[exact.index(largest)]


def ks(largest: list[tuple[int, int]], totals: Totals) -> Value:
    return ratio(max(largest)[0], totals.positives * totals.negatives, NO_ROWS)


METRIC = CurveMetric(name="ks", doc=__doc__, part=largest_gap, value=ks)
