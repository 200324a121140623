"""One pass over both sides by rising score, in ranges that the cache can hold.

It finds the corners of isotonic regression, and how far the cumulative difference of labels and
probabilities moves. Both need only the block ends beside distinct positive scores: elsewhere lie
negatives alone, along which the diagram is flat and the difference falls.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.model import Array
from steelyard.states.differences import Differences, Sides
from steelyard.states.hull import lower_hull
from steelyard.states.runs import part, range_starts

ROWS = 1 << 18  # of either side in a range


class ScoreRange(NamedTuple):
    """The rows of a score range, and the block ends beside its distinct positive scores.

    start, end: how many rows of either side lie below the range, and up to its end
    first, after: how many positives lie below each distinct positive score, and up to it
    below, past: how many negatives do
    """

    start: tuple[int, int]
    end: tuple[int, int]
    first: Array
    after: Array
    below: Array
    past: Array


class Swept(NamedTuple):
    """What a sweep finds.

    negatives, positives: the weights below each corner of the lower hull, from nothing to all
    range: how far the cumulative Σ w(y − q) moves, the highest less the lowest, exactly
    """

    negatives: Array
    positives: Array
    range: Fraction


def sweep(sides: Sides) -> Swept:
    """Corners and range, of any rows."""
    positives, negatives = sides
    differences = Differences(sides)
    corners = [(np.zeros(1, np.int64), np.zeros(1, np.int64))]
    for here in ranges(sides):
        differences.add(here.start, here.end, (here.first, here.below), (here.after, here.past))
        if len(here.first):
            corners.append(lower_hull(negatives.before(here.below), positives.before(here.first)))
    ends = (
        negatives.before(np.array([len(negatives)])),
        positives.before(np.array([len(positives)])),
    )
    x, y = (np.concatenate(columns) for columns in zip(*corners, ends, strict=True))
    return Swept(*lower_hull(x, y), differences.range())


def ranges(sides: Sides) -> Iterator[ScoreRange]:
    """Score ranges from low to high."""
    positives, negatives = (side.run for side in sides)
    starts = range_starts(positives, negatives, ROWS)
    for start, end in zip(starts, [*starts[1:], (len(sides[0]), len(sides[1]))], strict=True):
        rows = part(positives, start[0], end[0])
        place = kernels.active().place(rows, part(negatives, start[1], end[1]))
        first, below = place.starts + start[0], place.below + start[1]
        past = below if place.past is place.below else place.past + start[1]
        yield ScoreRange(start, end, first, np.append(first[1:], end[0]), below, past)
