"""Codes of rows from their scores: the bin of a probability, the rank of the true class."""

import numpy as np

from steelyard.kernels.interface import Array, TermColumns
from steelyard.kernels.numpy.term_rows import TermRows
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Floats

NEAR = 2.0**-30  # of a whole number: bins · probability is off by 2**-33 at most


def bin_codes(columns: TermColumns, bins: int) -> Array:
    """The bin of each probability: how many of the edges 1/B, 2/B, … are not above it.

    Edges are the float64 nearest to k/B, so that the fourth of ten bins starts at the float64 0.3,
    as users expect: the exact product of 10 and this float64 is below 3. 1 is in the last bin.
    """
    codes = np.empty(columns.rows, np.int64)
    for rows in blocks(columns.rows):
        codes[rows] = _reached(TermRows(columns, rows).probability, bins)
    return np.minimum(codes, bins - 1, out=codes)


def _reached(q: Floats, bins: int) -> Array:
    """⌊B·q⌋; where rounding may decide, q is compared with the edges themselves."""
    product = q * bins
    codes = product.astype(np.int64)
    product -= codes
    near = np.flatnonzero((product < NEAR) | (product > 1.0 - NEAR))
    if len(near):
        some, code = q[near], codes[near]
        code -= some < code / bins
        code += some >= (code + 1) / bins
        codes[near] = code
    return codes


def rank_codes(columns: TermColumns) -> Array:
    """How many classes have a higher score than the true one, times the number of classes, plus
    how many others have the same."""
    codes = np.empty(columns.rows, np.uint64)
    for rows in blocks(columns.rows):
        own = TermRows(columns, rows).true_score
        above, level = (np.zeros(len(own), np.uint64) for _ in range(2))
        for column in columns.classes:
            above += column[rows] > own
            level += column[rows] == own
        # The true class is level with itself.
        codes[rows] = above * np.uint64(len(columns.classes)) + (level - np.uint64(1))
    return codes
