"""What isotonic recalibration leaves: the parts of the Brier score that mcb and dsc are.

Pooling adjacent violators makes blocks of p positives and n negatives whose shares of positives
rise; to say a block's share of all its rows costs p·n/(p+n).
"""

from fractions import Fraction

import numpy as np

from steelyard.metrics.division import sum_of_quotients
from steelyard.views.levels.isotonic import Corners
from steelyard.views.totals import SliceTotals


def recalibrated(corners: Corners, totals: SliceTotals) -> Fraction:
    """The Brier score after isotonic recalibration, exactly."""
    negatives, positives = (np.diff(column).tolist() for column in corners)
    pairs = zip(positives, negatives, strict=True)
    return sum_of_quotients([(p * n, p + n) for p, n in pairs]) / totals.all


def uncertainty(totals: SliceTotals) -> Fraction:
    """The Brier score of the share of positives, said of every row."""
    return Fraction(totals.positives * totals.negatives, totals.all**2)
