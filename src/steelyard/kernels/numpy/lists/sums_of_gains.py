"""Terms of lists that are sums of gains, discounted or not."""

from collections.abc import Callable
from functools import partial

import numpy as np

from steelyard.kernels.gains import GAINS, discounts
from steelyard.kernels.interface import Array, ListTerm, RankedLists
from steelyard.kernels.numpy.lists.blocks import Blocks, blocks_of, list_sums, ranks_of
from steelyard.kernels.ragged import steps
from steelyard.model import Floats, Mask

COUNTED_GRADES = 64  # whole grades below it are counted, others sorted
DENSE = 2  # a table of lists and grades has at most so many times as many cells as there are rows


def gain(lists: RankedLists, term: ListTerm) -> Floats:
    blocks = blocks_of(lists)
    block, _, _ = ranks_of(blocks, term.k)
    gains = _means(lists, blocks, GAINS[term.gain])
    return list_sums(blocks.list[block], gains[block], len(lists.groups))


def discounted_gain(lists: RankedLists, term: ListTerm) -> Floats:
    blocks = blocks_of(lists)
    block, rank, _ = ranks_of(blocks, term.k)
    gains = _means(lists, blocks, GAINS[term.gain])[block] * discounts(rank)
    return list_sums(blocks.list[block], gains, len(lists.groups))


def persistence(lists: RankedLists, term: ListTerm) -> Floats:
    blocks = blocks_of(lists, term.rel)
    block, rank, _ = ranks_of(blocks, term.k)
    powers = np.cumprod(np.append(1.0, np.full(int(rank.max(initial=1)) - 1, term.p)))
    share = blocks.found / blocks.size
    return list_sums(blocks.list[block], share[block] * powers[rank - 1], len(lists.groups))


def _means(lists: RankedLists, blocks: Blocks, gain: Callable[[Array], Floats]) -> Floats:
    """The mean gain of each block."""
    of_entries = gain(lists.grades)
    number = np.repeat(np.arange(len(blocks.first)), blocks.found)
    means = list_sums(number, of_entries, len(blocks.first)) / blocks.size
    # Grades fall within a block. Where all are equal, a sum would only add a rounding error.
    last = blocks.first + blocks.found - 1
    equal = (blocks.found == blocks.size) & (lists.grades[blocks.first] == lists.grades[last])
    return np.where(equal, of_entries[blocks.first], means)


def ideal_gain(lists: RankedLists, term: ListTerm) -> Floats:
    """The discounted gain of the best order of each group."""
    of_list, rank, grades = _best(lists, term.k)
    gains = GAINS[term.gain](grades) * discounts(rank)
    return list_sums(of_list, gains, len(lists.groups))


def _best(lists: RankedLists, k: int | None) -> tuple[Array, Array, Array]:
    """List, rank and grade of each group's best rows to rank k."""
    grades = lists.grades if lists.judged is None else np.append(lists.grades, lists.judged[1])
    highest = int(grades.max(initial=0))
    few = highest < COUNTED_GRADES and highest * len(lists.groups) <= DENSE * len(grades)
    counted = few and grades.dtype == np.uint8
    of_list, best = _counted(lists, grades, k) if counted else _sorted(lists, grades)
    rank = np.arange(len(of_list)) - np.searchsorted(of_list, of_list) + 1
    kept = slice(None) if counted or k is None else rank <= k
    return of_list[kept], rank[kept], best[kept]


def _counted(lists: RankedLists, grades: Array, k: int | None) -> tuple[Array, Array]:
    """List and grade of the best rows, by counting grades, the highest first."""
    present = np.flatnonzero(np.bincount(grades))[::-1]
    counts = [_counts(lists, partial(np.equal, grade)) for grade in present]
    table = np.array(counts, np.int64).reshape(len(present), len(lists.groups))
    if k is not None:
        table = np.diff(np.minimum(np.cumsum(table, axis=0), k), axis=0, prepend=0)
    of_list = np.repeat(np.arange(len(lists.groups)), table.sum(axis=0))
    return of_list, np.repeat(np.tile(present, len(lists.groups)), table.T.ravel())


def _counts(lists: RankedLists, chosen: Callable[[Array], Mask]) -> Array:
    """How many rows of each group are chosen by their grade."""
    count = steps(np.flatnonzero(chosen(lists.grades)).searchsorted(lists.starts))
    if lists.judged is None:
        return count
    starts, grades = lists.judged
    return count + steps(np.flatnonzero(chosen(grades)).searchsorted(starts))


def _sorted(lists: RankedLists, grades: Array) -> tuple[Array, Array]:
    """List and grade of all rows, by sorting, the highest first."""
    numbers = np.arange(len(lists.groups))
    of_list = np.repeat(numbers, steps(lists.starts))
    if lists.judged is not None:
        of_list = np.append(of_list, np.repeat(numbers, steps(lists.judged[0])))
    order = np.lexsort((-grades.astype(np.float64), of_list))
    return of_list[order], grades[order]
