"""Terms of lists that are chances of tied blocks: of a first hit, of precision at its rank.

The first of r relevant rows among n tied ones is the j-th with the probability
C(n − j, r − 1)/C(n, r). If k cuts a block of n rows after m of them, and r of the n are relevant,
the chance of a hit is 1 − C(n − r, m)/C(n, m).
"""

import numpy as np

from steelyard.kernels.interface import ListTerm, RankedLists
from steelyard.kernels.numpy.lists.blocks import (
    blocks_of,
    cut_blocks,
    list_sums,
    ranks_of,
)
from steelyard.kernels.ragged import by_length
from steelyard.model import Floats


def precisions(lists: RankedLists, term: ListTerm) -> Floats:
    """The sum of the precisions at the ranks of relevant rows."""
    blocks = blocks_of(lists, term.rel)
    block, rank, others = ranks_of(blocks, term.k)
    # A row after j others of its block is relevant with the chance r/n; given that, each of the
    # j others is relevant with the chance (r − 1)/(n − 1).
    share = blocks.found / blocks.size
    more = (blocks.found - 1) / np.maximum(blocks.size - 1, 1)
    terms = share[block] * (blocks.found_above[block] + 1 + others * more[block]) / rank
    return list_sums(blocks.list[block], terms, len(lists.groups))


def reciprocal(lists: RankedLists, term: ListTerm) -> Floats:
    """The expected 1/rank of the first relevant row."""
    blocks = blocks_of(lists, term.rel)
    blocks = blocks.among(np.flatnonzero(blocks.found_above == 0))
    values = np.zeros(len(lists.groups))
    # The first relevant row is at one of n − r + 1 places of its block; those to rank k count.
    places = blocks.size - blocks.found + 1
    if term.k is not None:
        places = np.clip(term.k - blocks.above, 0, places)
    for some, bits in by_length(places):
        j = np.arange(1 << bits)
        n, r = blocks.size[some, None], blocks.found[some, None]
        step = np.where(j == 0, r / n, (n - j - r + 1) / np.maximum(n - j, 1))
        chance = np.cumprod(np.where(j < places[some, None], step, 0.0), axis=1)
        terms = chance / (blocks.above[some, None] + 1 + j)
        values[blocks.list[some]] = np.cumsum(terms, axis=1)[:, -1]
    return values


def hit(lists: RankedLists, term: ListTerm) -> Floats:
    """The chance of a relevant row to rank k."""
    blocks, whole, cut, inside = cut_blocks(lists, term.rel, term.k)
    values = np.zeros(len(lists.groups))
    values[blocks.list[whole]] = 1.0
    of_list, found, taken = blocks.list[cut], blocks.found[cut], inside[cut]
    size = blocks.size[cut]
    # The rows taken and the relevant rows are two random subsets of the block: a hit is an overlap.
    # One term for each row of the smaller subset.
    few, many = np.minimum(found, taken), np.maximum(found, taken)
    chance = np.zeros(len(cut))
    for some, bits in by_length(few):
        j = np.arange(1 << bits)
        n, m = size[some, None], many[some, None]
        missed = np.cumprod(np.maximum(n - m - j, 0) / np.maximum(n - j, 1), axis=1)
        before = np.append(np.ones((len(missed), 1)), missed[:, :-1], axis=1)
        # The first overlap comes after j others; chances are added, as 1 − missed loses digits.
        terms = np.where(j < few[some, None], before * m / np.maximum(n - j, 1), 0.0)
        chance[some] = np.cumsum(terms, axis=1)[:, -1]
    chance = np.where(found + taken > size, 1.0, np.minimum(chance, 1.0))
    values[of_list] = np.where(values[of_list] == 0, chance, 1.0)
    return values
