"""Positives found at a depth of the ranking, in proportion inside a tied block."""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from steelyard.states import Chunk


def positives_within(chunk: Chunk, depth: Fraction) -> Fraction:
    """The weight of the chunk's positives among the `depth` highest-scored weight of all rows."""
    bottom = chunk.tp + chunk.fp
    whole = bottom <= floor(depth)
    found = Fraction(int(chunk.pos[whole].sum()))
    cut = np.flatnonzero(~whole & (bottom - chunk.pos - chunk.tied < ceil(depth)))
    for i in cut:  # at most one block holds the depth
        block = int(chunk.pos[i]) + int(chunk.tied[i])
        found += int(chunk.pos[i]) * (depth - (int(bottom[i]) - block)) / block
    return found
