"""The expected value of a tied block by probability, for blocks with too many orders to list.

Only metrics that are no sums over ranks and are evaluated on long ties have one. Each is derived
by its own argument and held to the mean over all orders by a test.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from typing import NamedTuple

from tests.oracles.answers import Number

Grades = tuple[Fraction, ...]
Blocks = tuple[Grades, ...]
ZERO = Fraction(0)


class Judged(NamedTuple):
    """The facts of a group apart from its order: R, all its grades, and the cut."""

    R: int
    every: Grades
    k: int | None

    def top(self, ranked: Grades) -> Grades:
        return ranked if self.k is None else ranked[: self.k]


def all_or_cut(R: int, k: int | None, denominator: str) -> int:
    """R, or the smaller of R and k by choice."""
    return min(R, k) if denominator == "min" and k is not None else R


def ranks(blocks: Blocks, k: int | None) -> Iterator[tuple[int, int, Grades]]:
    """Each rank within the cut, its place inside its block (from 0), and the block."""
    rank = 0
    for block in blocks:
        for place in range(len(block)):
            rank += 1
            if k is None or rank <= k:
                yield rank, place, block


def map_(blocks: Blocks, known: Judged, rel: Fraction, denominator: str = "R") -> Number:
    """A relevant row at a rank (r/n) has above it what earlier blocks hold, and of the other
    r − 1 relevant rows each with the chance that it stands above: place/(n − 1)."""
    total, above, last = ZERO, 0, None
    for rank, place, block in ranks(blocks, known.k):
        if place == 0 and last is not None:
            above += _relevant(last, rel)
        last, n, r = block, len(block), _relevant(block, rel)
        if r:
            before = Fraction(place * (r - 1), n - 1) if n > 1 else ZERO
            total += Fraction(r, n) * (above + 1 + before) / rank
    return total / all_or_cut(known.R, known.k, denominator)


def mrr(blocks: Blocks, known: Judged, rel: Fraction) -> Number:
    """The first hit: misses at all places before it, drawn without putting back."""
    total, none_yet = ZERO, Fraction(1)
    for rank, place, block in ranks(blocks, known.k):
        n, r = len(block), _relevant(block, rel)
        hit = Fraction(r, n - place) if r <= n - place else Fraction(1)
        total += none_yet * hit / rank
        none_yet *= 1 - hit
        if not none_yet:
            break
    return total


def hit_rate(blocks: Blocks, known: Judged, rel: Fraction) -> Number:
    """One less the chance that every row drawn from each block is a miss."""
    miss = Fraction(1)
    for block, drawn in _drawn(blocks, known.k):
        n, r = len(block), _relevant(block, rel)
        miss *= Fraction(comb(n - r, drawn), comb(n, drawn))
    return 1 - miss


def _drawn(blocks: Blocks, k: int | None) -> Iterator[tuple[Grades, int]]:
    """How many rows of each block lie within the cut."""
    left = sum(map(len, blocks)) if k is None else k
    for block in blocks:
        yield block, min(left, len(block))
        left -= min(left, len(block))


def _relevant(block: Grades, rel: Fraction) -> int:
    return sum(grade >= rel for grade in block)


def err(blocks: Blocks, known: Judged, max_grade: int = 4) -> Number:
    """To stop at a place is to get past all places before it, but not past it too."""
    total, going, past = ZERO, Fraction(1), [Fraction(1)]
    for rank, place, block in ranks(blocks, known.k):
        if place == 0:
            going *= past[-1]
            past = _past(block, max_grade)
        total += going * (past[place] - past[place + 1]) / rank
    return total


def _past(block: Grades, max_grade: int) -> list[Fraction]:
    """The chance to get past j rows of the block: the mean product over all choices of j rows."""
    sums = [Fraction(1)]
    for grade in block:
        on = 1 - (Fraction(2) ** int(grade) - 1) / Fraction(2) ** max_grade
        longer = [*sums, ZERO]
        for j, value in enumerate(sums):
            longer[j + 1] += value * on
        sums = longer
    return [value / comb(len(block), j) for j, value in enumerate(sums)]


CLOSED: dict[str, Callable[..., Number]] = {
    "map": map_,
    "mrr": mrr,
    "hit_rate": hit_rate,
    "err": err,
}
