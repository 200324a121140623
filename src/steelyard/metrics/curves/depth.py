"""The positives within a depth of the ranking, in proportion inside a tied block."""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from steelyard.metrics.division import like
from steelyard.model import Array
from steelyard.views.curve import CurveView


def positives_within(view: CurveView, depths: list[Fraction]) -> Array:
    """The weight of the positives of a range that are within a depth, for each slice.

    depths: for each slice, the weight of the rows to take, from the highest score down
    """
    bottom = view.tp + view.fp
    whole = bottom <= view.spread(like(bottom, map(floor, depths)))
    found = view.add(np.where(whole, view.pos, 0)).astype(object)
    cut = ~whole & (bottom - view.pos - view.tied < view.spread(like(bottom, map(ceil, depths))))
    for place in np.flatnonzero(cut).tolist():  # at most one block of each slice
        of = int(view.starts.searchsorted(place, side="right")) - 1
        pos, tied = int(view.pos[place]), int(view.tied[place])
        top = int(bottom[place]) - pos - tied
        found[of] += pos * (depths[of] - top) / Fraction(pos + tied)
    return found
