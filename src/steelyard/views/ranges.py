"""Ranges of a score table, and what is below each: in memory a range fits the cache."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import SortedTable
from steelyard.kernels.score_ranges import Bounds, bounds_of_ranges
from steelyard.kernels.score_ranges import sides as sides
from steelyard.model import Array
from steelyard.states.weights import run_weight


class Below(NamedTuple):
    """The weight of each class below a range, in each of its slices, as whole numbers."""

    positives: Array
    negatives: Array

    def take(self, places: slice | Array) -> "Below":
        return Below(self.positives[places], self.negatives[places])

    @property
    def is_nothing(self) -> bool:
        return not (self.positives.any() or self.negatives.any())


def nothing_below(slices: int) -> Below:
    """What is below whole slices."""
    none = np.zeros(slices, object)
    return Below(none, none)


def ranges(
    table: SortedTable, rows: int, below: Below | None = None
) -> Iterator[tuple[Bounds, Below]]:
    """The ranges of a table, by slice and rising score, and what is below each.

    rows: about how many rows of a class a range has
    below: what is below the table's own rows; None: they are all rows of their slices
    """
    below = nothing_below(len(table.positives.starts) - 1) if below is None else below
    under, last = below, -1  # of the slices of the range
    for bounds in bounds_of_ranges(table, rows):
        if not (bounds.cut and bounds.last == last):
            under = below.take(slice(bounds.first, bounds.last))
        yield bounds, under
        if bounds.cut:
            up, down = sides(table, bounds)
            under = Below(
                under.positives + run_weight(up.run), under.negatives + run_weight(down.run)
            )
        last = bounds.last
