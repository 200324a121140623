"""A bin of probabilities: what calibration by bins reads, whichever way rows were binned."""

from fractions import Fraction
from typing import NamedTuple


class Bin(NamedTuple):
    """Exact sums over the rows of a bin; all are 0 where it has none.

    weight, positives: the weight of all rows and of the positive ones
    predicted: Σ w·q; variance: Σ w·q(1−q), what `positives` varies by where the model is right
    """

    weight: Fraction
    positives: Fraction
    predicted: Fraction
    variance: Fraction
