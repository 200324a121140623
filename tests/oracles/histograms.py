"""Bins of equal width, literally: every bin asks every row whether it is in it."""

from collections.abc import Sequence
from fractions import Fraction
from sys import float_info

from tests.oracles.answers import rounded


def equal_edges(low: float, high: float, bins: int) -> list[float]:
    """The nearest float to each exact edge; one value has half a unit on each side of it.

    A large value has its 1024th part on each side, up to the largest float.
    """
    first, last = Fraction(low), Fraction(high)
    if low == high:
        half, most = max(Fraction(1, 2), abs(first) / 1024), Fraction(float_info.max)
        ends = max(first - half, -most), min(last + half, most)
        first, last = (Fraction(rounded(end)) for end in ends)
    return [rounded(first + (last - first) * Fraction(place, bins)) for place in range(bins + 1)]


def in_bin(value: float, edges: Sequence[float], place: int) -> bool:
    """From the lower edge to below the upper one; the last bin has its upper edge."""
    below = value < edges[place + 1] or (place == len(edges) - 2 and value == edges[-1])
    return edges[place] <= value and below
