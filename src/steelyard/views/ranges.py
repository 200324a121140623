"""Ranges of a score table, and what is below each: in memory a range fits the cache."""

from collections.abc import Iterator
from typing import NamedTuple

from steelyard.kernels.interface import SortedTable
from steelyard.kernels.score_ranges import Bounds, bounds_of_ranges
from steelyard.kernels.score_ranges import sides as sides
from steelyard.states.weights import run_weight


class Below(NamedTuple):
    """The weight of each class below a range, in its slice."""

    positives: int
    negatives: int


NOTHING_BELOW = Below(0, 0)


def ranges(table: SortedTable, rows: int) -> Iterator[tuple[Bounds, Below]]:
    """The ranges of a table, by slice and rising score, and what is below each.

    rows: about how many rows of a class a range has
    """
    below, last = NOTHING_BELOW, -1
    for bounds in bounds_of_ranges(table, rows):
        below = below if bounds.cut and bounds.last == last else NOTHING_BELOW
        yield bounds, below
        if bounds.cut:
            up, down = sides(table, bounds)
            below = Below(
                below.positives + run_weight(up.run), below.negatives + run_weight(down.run)
            )
        last = bounds.last
