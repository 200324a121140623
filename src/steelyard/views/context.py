"""What is known of the slices of a range of scores beyond the rows of the range."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import NamedTuple

from steelyard.kernels.interface import ExactSums
from steelyard.model import Array, Floats
from steelyard.views.clusters import LineSums
from steelyard.views.ranges import Below
from steelyard.views.totals import Totals


@dataclass(frozen=True, eq=False)
class Context:
    """The context of a range, a column for each slice that has rows in it.

    totals: of the whole slices; their power is the unit of all weights of the job
    below: the weight of each class below the range
    next_above: the lowest score of a negative above the range; infinite without one
    """

    totals: Totals
    below: Below
    next_above: Floats

    def take(self, places: slice | Array) -> "Context":
        """The context of some of these slices."""
        columns = self.totals.take(places), self.below.take(places), self.next_above[places]
        return Context(*columns)


class Around(NamedTuple):
    """Exact sums by slice of all rows, of which a range has some.

    below: of the rows below the range; all: of all rows
    """

    below: list[ExactSums]
    all: list[ExactSums]


# Sums by slice and cluster in two steps: gives the sums by slice of its own rows, is sent those
# around them, and returns what it makes of both.
LineSteps = Generator[list[ExactSums], Around, LineSums]


def line_sums_around(steps: LineSteps, around: Around) -> LineSums:
    """The sums by slice and cluster, whose first step is done."""
    try:
        steps.send(around)
    except StopIteration as end:
        found: LineSums = end.value
        return found
    raise TypeError("sums by slice and cluster in more than two steps")


def line_sums_of_all(made: LineSums | LineSteps) -> LineSums:
    """The sums by slice and cluster of all rows: none are around them."""
    if isinstance(made, LineSums):
        return made
    own = next(made)
    return line_sums_around(made, Around([{} for _ in own], own))
