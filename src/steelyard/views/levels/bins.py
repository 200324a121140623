"""Bins of probabilities, of equal width or of equal mass."""

from typing import NamedTuple

import numpy as np

from steelyard.model import Array
from steelyard.views.digit_column import DigitColumn
from steelyard.views.part_columns import SliceLists, take


class Bins(NamedTuple):
    """Exact sums over the rows of each bin that has rows, by slice and number.

    weight, positives: the weight of all rows and of the positive ones
    predicted: Σ w·q; variance: Σ w·q(1−q), the variance of `positives` if the model is right
    """

    numbers: Array
    weight: DigitColumn
    positives: DigitColumn
    predicted: DigitColumn
    variance: DigitColumn


def join(lower: SliceLists, upper: SliceLists) -> SliceLists:
    """The bins of two ranges of the same slices; a bin in both is added up."""
    both = lower.followed_by(upper)
    slices, numbers = both.slices, both.columns.numbers
    # No bin of the upper range is below one of the lower, so that equal ones are adjacent.
    first = np.append(True, (slices[1:] != slices[:-1]) | (numbers[1:] != numbers[:-1]))
    starts = np.append(np.flatnonzero(first), len(first))
    sums = (column.by_list(starts) for column in both.columns[1:])
    found = Bins(take(numbers, starts[:-1]), *sums)
    return SliceLists(starts.searchsorted(both.starts), found)
