"""The Brier score after isotonic recalibration, which mcb and dsc are made of.

Pooling adjacent violators makes blocks of p positives and n negatives whose shares of positives
rise; predicting a block's share for all its rows costs p·n/(p+n).
"""

from fractions import Fraction

import numpy as np

from steelyard.metrics.division import sum_of_quotients
from steelyard.views.levels.isotonic import HullCorners
from steelyard.views.totals import SliceTotals


def recalibrated(corners: HullCorners, totals: SliceTotals) -> Fraction:
    """The Brier score after isotonic recalibration, exactly."""
    negatives, positives = (np.diff(column).tolist() for column in corners)
    pairs = zip(positives, negatives, strict=True)
    return sum_of_quotients([(p * n, p + n) for p, n in pairs]) / totals.all


def uncertainty(totals: SliceTotals) -> Fraction:
    """The Brier score of predicting the share of positives for every row."""
    return Fraction(totals.positives * totals.negatives, totals.all**2)
