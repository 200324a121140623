"""Histograms as marks: bars of one series, outlines of several, as shares of what they count."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, Floats
from steelyard.report.charts.chart import Axis, Bars, Line, Mark
from steelyard.report.charts.series import Series

ROOM = 1.05  # above the longest bar
TAIL = 0.005  # the share of rows on each side that is left out, if it has most of the axis
LARGE = 2.0**900  # sums of smaller weights are finite
MOST = 50  # bars of a histogram that is cut to its middle


def summable(weights: Array) -> Array:
    """Weights as they are, or divided by a power of two where their sum could be infinite.

    An infinite weight counts as the largest float64.
    """
    largest = weights.max(initial=0)
    return weights if largest < LARGE else np.nan_to_num(weights) / LARGE


def share(weights: Array) -> Floats:
    """The share of each bin; zeros if there is nothing."""
    weights = summable(weights)
    total = weights.sum()
    return weights / total if total else np.zeros(len(weights))


def outline(edges: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """The points of a line along the ends of bars, from 0 and back to it."""
    return np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(lengths, 2), [0.0]])


class DrawnBins(NamedTuple):
    """Bins to draw: their edges, and the share of the whole in each."""

    edges: Floats
    shares: Floats


def middle(weights: Sequence[Floats]) -> slice:
    """The bins to draw: all, or those without the tails if these have most of the axis.

    weights: of the rows in the same bins, one column for each axis
    """
    ends = []
    for column in weights:
        shares = share(column)
        inside = (np.cumsum(shares) > TAIL) & (np.cumsum(shares[::-1])[::-1] > TAIL)
        ends.append((int(inside.argmax()), len(inside) - int(inside[::-1].argmax())))
    first, last, count = min(a for a, _ in ends), max(b for _, b in ends), len(weights[0])
    return slice(first, last) if 2 * (last - first) < count else slice(0, count)


def merged_starts(chosen: slice, most: int) -> Array:
    """The first of every few bins, so that there are at most so many."""
    return np.arange(chosen.start, chosen.stop, -(-(chosen.stop - chosen.start) // most))


def without_tails(edges: Floats, weights: Array) -> DrawnBins:
    """The bins that are drawn: the middle ones, and not too many."""
    chosen = middle([weights])
    starts = merged_starts(chosen, MOST)
    shares = np.add.reduceat(share(weights)[: chosen.stop], starts)
    return DrawnBins(edges[[*starts, chosen.stop]], shares)


def histograms(
    series: Sequence[Series], bins: Sequence[DrawnBins], entries: Sequence[str], role: str
) -> list[Mark]:
    """Bars of one series, outlines of several; entries: of the legend."""
    marks: list[Mark] = []
    for each, (edges, shares), entry in zip(series, bins, entries, strict=True):
        if len(series) == 1:
            low, high, colour = edges[:-1], edges[1:], each.colour
            marks.append(
                Bars(low=low, high=high, lengths=shares, name=entry, colour=colour, role=role)
            )
        else:
            x, y = outline(edges, shares)
            marks.append(Line(x=x, y=y, name=entry, colour=each.colour, role=role))
    return marks


def edge_axis(label: str, edges: Sequence[Floats]) -> Axis:
    """An axis from the lowest to the highest edge."""
    return Axis(
        label=label,
        low=float(min((each[0] for each in edges), default=0.0)),
        high=float(max((each[-1] for each in edges), default=1.0)),
    )


def share_axis(label: str, shares: Sequence[Floats]) -> Axis:
    """An axis of shares, a little longer than the longest bar."""
    longest = max((float(each.max()) for each in shares), default=1.0)
    return Axis(label=label, high=ROOM * longest or 1.0, percent=True)
