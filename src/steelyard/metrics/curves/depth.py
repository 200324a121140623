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
    whole, part = (like(view.above, map(rounded, depths)) for rounded in (floor, ceil))
    places, tp, _ = view.most("within", whole, whole)
    within = np.where(places < 0, view.above, tp)
    found = (within - view.above).astype(object)
    # Below the last block that is whole may be one that is cut.
    cut = np.where(places < 0, view.starts[1:], places) - 1
    slices = np.flatnonzero(cut >= view.starts[:-1])
    own, tied, fp = view.entries_at(cut[slices], slices)
    top = within[slices] + fp - tied
    for each in np.flatnonzero(top < part[slices]).tolist():
        of, pos = slices[each], int(own[each])
        found[of] += pos * (depths[of] - int(top[each])) / Fraction(pos + int(tied[each]))
    return found
