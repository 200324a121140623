"""A bin of probabilities, of equal width or of equal mass."""

from fractions import Fraction
from typing import NamedTuple


class Bin(NamedTuple):
    """Exact sums over the rows of a bin; 0 where it has no rows.

    weight, positives: the weight of all rows and of the positive ones
    predicted: Σ w·q; variance: Σ w·q(1−q), the variance of `positives` if the model is right
    """

    weight: Fraction
    positives: Fraction
    predicted: Fraction
    variance: Fraction
