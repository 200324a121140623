"""Equal 64-bit words told from unequal ones: a number for each distinct word, and where one is.

Words are hashed into a table, and each is compared with the word that stands in its slot: those
that match have their number, the few that lost their slot go another round with another hash. So
the answer is exact, and few distinct words cost 5 ms a million where sorting takes 35.
"""

import numpy as np
import numpy.typing as npt

from steelyard.model import Array
from steelyard.row_blocks import blocks

Words = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.intp]

# Odd multipliers (fractions of the golden ratio, √2 and √3): the high bits are well mixed.
HASHES = (0x9E3779B97F4A7C15, 0x6A09E667F3BCC909, 0xBB67AE8584CAA73B)
SMALL, LARGE = 15, 22  # bits of a slot: a table in the first caches; one for millions of words
LONG, FIRST = 1 << 20, 1 << 15  # of more than so many words, so many are looked at first
CROWDED = 0.25  # with more losers than this a larger table, or sorting, is the faster way


def distinct(words: Words) -> tuple[Indices, Indices]:
    """The number of each word, counted from 0, and one place where each number stands."""
    few = words[:FIRST]
    crowded = len(words) > LONG and len(distinct(few)[1]) > CROWDED * (1 << SMALL)
    return _hashed(words, LARGE if crowded else SMALL, 0)


def _hashed(words: Words, bits: int, turn: int) -> tuple[Indices, Indices]:
    if len(words) == 0:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    if turn == len(HASHES):
        return _sorted(words)
    hashed = words * np.uint64(HASHES[turn])
    hashed >>= np.uint64(64 - bits)
    slots = hashed.view(np.int64).astype(np.intp, copy=False)
    place = np.full(1 << bits, -1, np.intp)
    for block in blocks(len(words)):  # the last one in a slot stays
        place[slots[block]] = np.arange(block.start, block.stop)
    taken = np.flatnonzero(place >= 0)
    firsts = place[taken]
    holder = np.zeros(1 << bits, np.uint64)
    holder[taken] = words[firsts]
    lost = np.empty(len(words), bool)
    for block in blocks(len(words)):
        np.not_equal(holder.take(slots[block]), words[block], out=lost[block])
    losers = np.flatnonzero(lost)
    if len(losers) > CROWDED * len(words):
        return _hashed(words, LARGE, turn + 1) if bits < LARGE else _sorted(words)
    place[taken] = np.arange(len(taken))
    numbers = place.take(slots)
    if len(losers):
        more, places = _hashed(words[losers], bits, turn + 1)
        numbers[losers] = more + len(taken)
        firsts = np.concatenate([firsts, losers[places]])
    return numbers, firsts


def _sorted(words: Words) -> tuple[Indices, Indices]:
    order = np.argsort(words)
    ordered = words[order]
    starts = np.ones(len(words), bool)
    starts[1:] = ordered[1:] != ordered[:-1]
    numbers = np.empty(len(words), np.intp)
    numbers[order] = np.cumsum(starts) - 1
    return numbers, order[starts]


def refined(numbers: Indices, count: int, words: Words) -> tuple[Indices, Indices]:
    """The number of each pair of a number below `count` and a word, and a place of each."""
    inner, firsts = distinct(words)
    if count == 1:
        return inner, firsts
    pairs: Array = numbers * len(firsts) + inner  # both are below the number of rows
    return distinct(pairs.astype(np.uint64))
