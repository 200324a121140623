"""The tied blocks of ranked lists that have relevant rows."""

from typing import NamedTuple

import numpy as np

from steelyard.kernels.interface import Array, RankedLists
from steelyard.kernels.ragged import spread, steps
from steelyard.model import Floats


class Blocks(NamedTuple):
    """Tied blocks with a relevant row, by list and rank.

    list: the number of its list; first: its first entry among the relevant ones
    above, size: how many rows of the list are above it, and how many it has
    found: how many of these are relevant; found_above: the relevant rows of the list above it
    """

    list: Array
    first: Array
    above: Array
    size: Array
    found: Array
    found_above: Array

    def among(self, chosen: Array) -> "Blocks":
        return Blocks(*(column[chosen] for column in self))


def entries(lists: RankedLists, rel: float) -> tuple[Array, Array]:
    """The relevant entries, and where each list starts among them."""
    hits = np.flatnonzero(lists.grades >= rel)
    return hits, hits.searchsorted(lists.starts)


def blocks_of(lists: RankedLists, rel: float = 0.0) -> Blocks:
    """The blocks that have a grade of `rel` or more."""
    hits, starts = entries(lists, rel)
    of_list = np.repeat(np.arange(len(lists.groups)), steps(starts))
    above = lists.above[hits].astype(np.int64)
    new = np.ones(len(hits), bool)
    new[1:] = (above[1:] != above[:-1]) | (of_list[1:] != of_list[:-1])
    first = np.flatnonzero(new)
    found = steps(np.append(first, len(hits)))
    of_list, size = of_list[first], lists.tied[hits[first]].astype(np.int64)
    return Blocks(of_list, first, above[first], size, found, first - starts[of_list])


def relevant(lists: RankedLists, rel: float) -> Array:
    """How many rows of each group are relevant, ranked or not."""
    count = steps(entries(lists, rel)[1])
    if lists.judged is None:
        return count
    starts, grades = lists.judged
    return count + steps(np.flatnonzero(grades >= rel).searchsorted(starts))


def hits_to(lists: RankedLists, rel: float, depth: Array | int | None) -> tuple[Array, Array]:
    """The number of relevant rows to a rank of each list: numerators and denominators.

    Of a tied block that this rank cuts, the expected number counts.
    """
    blocks, whole, cut, inside = cut_blocks(lists, rel, depth)
    count = len(lists.groups)
    found = np.bincount(blocks.list[whole], blocks.found[whole], count).astype(np.int64)
    parts = np.ones(count, np.int64)
    of_cut, size = blocks.list[cut], blocks.size[cut]
    found[of_cut] = found[of_cut] * size + blocks.found[cut] * inside[cut]
    parts[of_cut] = size
    return found, parts


def cut_blocks(
    lists: RankedLists, rel: float, depth: Array | int | None
) -> tuple[Blocks, Array, Array, Array]:
    """The blocks; those that end by the rank, those that it cuts; rows of each to that rank."""
    blocks = blocks_of(lists, rel)
    if depth is None:
        depth = np.iinfo(np.int64).max
    limit = depth[blocks.list] if isinstance(depth, np.ndarray) else depth
    inside = limit - blocks.above
    whole = np.flatnonzero(inside >= blocks.size)
    return blocks, whole, np.flatnonzero((inside > 0) & (inside < blocks.size)), inside


def ranks_of(blocks: Blocks, k: int | None) -> tuple[Array, Array, Array]:
    """All rows of the blocks to rank k: block, rank, and how many rows of the block are before."""
    size = blocks.size if k is None else np.clip(k - blocks.above, 0, blocks.size)
    before, block = spread(np.zeros(len(size), np.int64), size)
    return block, before + blocks.above[block] + 1, before


def list_sums(lists: Array, terms: Floats, count: int) -> Floats:
    """The sum of each list's terms, added one by one from the top rank down."""
    added: Floats = np.bincount(lists, weights=terms, minlength=count).astype(np.float64)
    return added  # bincount of no terms gives integers
