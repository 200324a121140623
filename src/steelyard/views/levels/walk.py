"""The cumulative difference Σ w(y − q) over rows by rising score."""

from typing import NamedTuple

from steelyard.views.digit_column import DigitColumn, lower


class Walk(NamedTuple):
    """For each slice a cumulative sum over rows in order: its end, its lowest and highest value."""

    total: DigitColumn
    lowest: DigitColumn
    highest: DigitColumn


def join(first: Walk, second: Walk) -> Walk:
    """The cumulative sum over both: the second starts where the first ends."""
    low, high = (first.total + end for end in second[1:])
    found = (first.total + second.total, lower(first.lowest, low), -lower(-first.highest, -high))
    return Walk(*(each.canonical() for each in found))
