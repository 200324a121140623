"""Plain rows: labels of 0 and 1, finite scores, no weights."""

import math

import numpy as np

from steelyard.kernels.interface import Array, PlainArea, PlainRows


def plain_rows(labels: Array, scores: Array) -> PlainRows | None:
    """What readers check of rows of two classes."""
    if len(labels) != len(scores) or not len(scores):
        return None
    positives = int(np.count_nonzero(labels))
    if labels.dtype != bool and np.count_nonzero(labels == 1) != positives:  # the others are 0
        return None
    least, largest = scores.min().item(), scores.max().item()  # NaN where a score is
    if not -math.inf < least <= largest < math.inf:
        return None
    return PlainRows(positives, least, largest)


def plain_area(labels: Array, scores: Array) -> PlainArea | None:
    """The same checks, and the area, from the place of each positive among the negatives."""
    found = plain_rows(labels, scores)
    if found is None:
        return None
    positive = labels.astype(bool, copy=False)
    up, down = scores[positive], scores[~positive]
    up.sort()  # in order they are placed in a fifth of the time
    down.sort()
    below, reached = down.searchsorted(up), down.searchsorted(up, side="right")
    tied = int((reached - below).sum())
    return PlainArea(len(up), len(down), 2 * int(below.sum()) + tied, tied)
