"""What is known of the slices of a range of scores beyond the rows of the range."""

from dataclasses import dataclass

from steelyard.model import Floats
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
