"""What isotonic recalibration leaves: the parts of the Brier score that mcb and dsc are.

Pooling adjacent violators makes blocks of p positives and n negatives whose shares of positives
rise; to say a block's share of all its rows costs p·n/(p+n).
"""

from fractions import Fraction

import numpy as np

from steelyard.metrics.calibration.of_table import sum_of_quotients
from steelyard.states import Levels


def recalibrated(levels: Levels) -> Fraction:
    """The Brier score after isotonic recalibration, exactly."""
    negatives, positives = (np.diff(column).tolist() for column in levels.corners)
    pairs = zip(positives, negatives, strict=True)
    return sum_of_quotients([(p * n, p + n) for p, n in pairs]) / levels.weight


def uncertainty(levels: Levels) -> Fraction:
    """The Brier score of the share of positives, said of every row."""
    return Fraction(levels.positives.weight * levels.negatives.weight, levels.weight**2)
