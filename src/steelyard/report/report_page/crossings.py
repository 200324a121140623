"""Two ROC curves in words: which one is above, and where they cross.

A curve that is nowhere below another on ROC is nowhere below it on precision-recall (Davis &
Goadrich 2006), so one sentence serves both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from steelyard.model import Floats, Roc

SEEN = 0.002  # a smaller difference in recall is taken as none
PAIRS = 6  # at most so many sentences


@dataclass(frozen=True)
class ComparedCurves:
    """Two curves by false positive rate.

    crossings: the false positive rates where the difference changes its sign
    first_above: whether the first curve is above before the first crossing; None: neither ever is
    largest, at: the largest difference in recall, second less first, and where
    """

    crossings: tuple[float, ...]
    first_above: bool | None
    largest: float
    at: float


def compare(first: Roc, second: Roc, seen: float = SEEN) -> ComparedCurves:
    """The differences before and at every corner of both, between which both are straight."""
    corners = np.union1d(first.fpr, second.fpr)
    places = np.repeat(corners, 2)
    gaps = _recalls(second, corners) - _recalls(first, corners)
    signs = np.where(gaps > seen, 1, np.where(gaps < -seen, -1, 0))
    some = np.flatnonzero(signs)
    if not len(some):
        return ComparedCurves((), None, 0.0, 0.0)
    turns = np.flatnonzero(np.diff(signs[some]))
    crossings = tuple(
        _zero(places, gaps, int(some[turn]), int(some[turn + 1])) for turn in turns.tolist()
    )
    most = int(np.abs(gaps).argmax())
    return ComparedCurves(
        crossings, bool(signs[some[0]] < 0), float(gaps[most]), float(places[most])
    )


def _recalls(curve: Roc, places: Floats) -> Floats:
    """The recall just before each false positive rate and at it: both ends of a vertical step."""
    at: Floats = np.interp(places, curve.fpr, curve.tpr)
    before = at.copy()
    corners, first = np.unique(curve.fpr, return_index=True)
    last = np.append(first[1:], len(curve.fpr)) - 1
    steps = np.searchsorted(places, corners)
    before[steps], at[steps] = curve.tpr[first], curve.tpr[last]
    before[0] = at[0]  # before a rate of 0 there is nothing
    return np.stack([before, at], axis=1).ravel()


def _zero(places: Floats, gaps: Floats, before: int, after: int) -> float:
    """Where the difference is zero, between two places where it has unlike signs."""
    for place in range(before, after):
        low, high = gaps[place], gaps[place + 1]
        if low == 0 or low * high < 0:
            share = 0.0 if low == 0 else low / (low - high)
            return float(places[place] + share * (places[place + 1] - places[place]))
    return float(places[after])


def sentences(names: Sequence[str], curves: Sequence[Roc]) -> list[str]:
    """A sentence for each pair of scores, and the resolution of them all.

    Of many scores, the first ones are compared with the first of all.
    """
    pairs = list(combinations(range(len(curves)), 2))
    shown = pairs if len(pairs) <= PAIRS else [pair for pair in pairs[:PAIRS] if pair[0] == 0]
    said = [
        _sentence(names[one], names[other], compare(curves[one], curves[other]))
        for one, other in shown
    ]
    if not said:
        return []
    if len(shown) < len(pairs):
        said.append(f"{len(pairs) - len(shown)} more pairs of scores are not compared in words.")
    loss = max(curve.area_error for curve in curves)
    thinned = f" and the drawn curves are thinned (area within {loss:.1g})" if loss else ""
    return [*said, f"Differences in recall below {SEEN:g} are taken as none{thinned}."]


def _sentence(first: str, second: str, found: ComparedCurves) -> str:
    if found.first_above is None:
        return f"{first} and {second} are nowhere told apart."
    above, below = (first, second) if found.first_above else (second, first)
    if not found.crossings:
        return (
            f"{above} is nowhere below {below}: at every false positive rate it finds as many "
            f"positives or more, by up to {abs(found.largest):.3f} of recall "
            f"at a rate of {found.at:.3g}."
        )
    places = ", ".join(f"{place:.3g}" for place in found.crossings[:4])
    more = len(found.crossings) - 4
    times = "once" if len(found.crossings) == 1 else f"{len(found.crossings)} times"
    return (
        f"{first} and {second} cross {times}, at a false positive rate of {places}"
        f"{f' and {more} more' if more > 0 else ''}: before the first, {above} finds more "
        f"positives; after it, {below}. Which one is better depends on the threshold."
    )
