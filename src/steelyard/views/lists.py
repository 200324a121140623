"""Ranked lists: the grades of every group from the top rank down, and which ranks are tied."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels.ragged import spread, tied_rows
from steelyard.model import Array, Floats, Mask

COUNTED_GRADES = 64  # whole grades below it are counted, others sorted
DENSE = 2  # a table of lists and grades has at most so many times as many cells as there are rows


class Ranks(NamedTuple):
    """Some rows of the lists, from the top rank down: row number, list and rank of each."""

    rows: Array
    list: Array
    rank: Array  # from 1


class Blocks(NamedTuple):
    """Tied blocks.

    first: the first row; list: the number of its list
    above: how many rows of the list are above the block; size: how many rows it has
    """

    first: Array
    list: Array
    above: Array
    size: Array


class Lists:
    """The lists of all groups end to end.

    starts: where each list starts, and the end of all
    block_start: whether a tied block starts at a row; None where all scores of each list differ
    judged: starts and grades of the rows that are in no list
    """

    def __init__(
        self,
        starts: Array,
        grades: Array,
        block_start: Array | None,
        judged: tuple[Array, Array] | None = None,
    ) -> None:
        self.starts = starts
        self.grades = grades
        self.block_start = block_start
        self.judged = judged
        self._hits: dict[float, Array] = {}
        self._relevant: dict[float, Array] = {}

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> Array:
        return np.diff(self.starts)

    # --- relevant rows ---------------------------------------------------------------------------
    def hits(self, rel: float) -> Array:
        """The rows with a grade of `rel` or more, in order."""
        if rel not in self._hits:
            self._hits[rel] = np.flatnonzero(self.grades >= rel)
        return self._hits[rel]

    def relevant(self, rel: float) -> Array:
        """How many rows of each list's group are relevant, listed or not."""
        if rel not in self._relevant:
            self._relevant[rel] = self._counts(self.hits(rel), lambda grades: grades >= rel)
        return self._relevant[rel]

    def hits_above(self, rel: float, rows: Array) -> Array:
        """How many relevant rows of all lists are before each of these rows."""
        return np.searchsorted(self.hits(rel), rows)

    def hits_within(self, rel: float, depth: Array | int) -> tuple[Array, Array]:
        """The number of relevant rows down to a depth of each list: numerators and denominators.

        Of a tied block that the depth cuts, the expected number counts.
        """
        tops = self.starts[:-1]
        ends = tops + np.minimum(depth, self.sizes)
        found = self.hits_above(rel, ends) - self.hits_above(rel, tops)
        parts = np.ones(len(self), np.int64)
        cut, blocks = self.cut_by(ends)
        if len(cut):
            inside = ends[cut] - blocks.first
            whole = self.hits_above(rel, blocks.first) - self.hits_above(rel, tops[cut])
            found[cut] = whole * blocks.size + self.hits_in(rel, blocks) * inside
            parts[cut] = blocks.size
        return found, parts

    def hits_in(self, rel: float, blocks: Blocks) -> Array:
        """How many rows of each block are relevant."""
        last = blocks.first + blocks.size
        return self.hits_above(rel, last) - self.hits_above(rel, blocks.first)

    # --- tied blocks -----------------------------------------------------------------------------
    def cut_by(self, ends: Array) -> tuple[Array, Blocks]:
        """The lists that are cut inside a tied block, and that block; ends: a row for each list."""
        inside = (ends > self.starts[:-1]) & (ends < self.starts[1:])
        cut = np.flatnonzero(inside)
        if self.block_start is None:
            return cut[:0], self.blocks(cut[:0])
        cut = cut[~self.block_start[ends[cut]]]
        return cut, self.blocks(ends[cut])

    def blocks(self, rows: Array) -> Blocks:
        """The whole tied block of each of these rows."""
        lists = np.searchsorted(self.starts, rows, side="right") - 1
        if self.block_start is None:
            return Blocks(rows, lists, rows - self.starts[lists], np.ones(len(rows), np.int64))
        place = np.searchsorted(self._block_starts, rows, side="right")
        first = self._block_starts[place - 1]
        ends = np.append(self._block_starts, len(self.grades))[place]
        return Blocks(first, lists, first - self.starts[lists], ends - first)

    def blocks_with(self, rel: float) -> Blocks:
        """The blocks that have a relevant row, in order."""
        hits = self.hits(rel)
        if self.block_start is None:
            return self.blocks(hits)
        place = np.searchsorted(self._block_starts, hits, side="right") - 1
        return self.blocks(self._block_starts[place[np.diff(place, prepend=-1) > 0]])

    @cached_property
    def _block_starts(self) -> Array:
        assert self.block_start is not None
        return np.flatnonzero(self.block_start)

    @cached_property
    def _tied(self) -> tuple[Array, Array, Array, Array]:
        """The tied rows, the number of each one's block; the blocks' first rows and sizes."""
        assert self.block_start is not None
        rows, numbers = tied_rows(self.block_start)
        return rows, numbers, rows[self.block_start[rows]], np.bincount(numbers)

    # --- gains -----------------------------------------------------------------------------------
    def top(self, k: int | None) -> Ranks:
        """The rows of each list down to rank k; None: all."""
        lengths = self.sizes if k is None else np.minimum(self.sizes, k)
        rows, lists = spread(self.starts[:-1], lengths)
        return Ranks(rows, lists, rows - self.starts[lists] + 1)

    def expected(self, rows: Array, gain: Callable[[Array], Floats]) -> Floats:
        """The gain of each of these rows; of tied rows, the mean gain of their block."""
        gains = gain(self.grades[rows])
        if self.block_start is None:
            return gains
        tied, numbers, first, size = self._tied
        means = np.bincount(numbers, weights=gain(self.grades[tied])) / size
        # Grades fall within a block. Where all are equal, a sum would only add a rounding error.
        highest, lowest = self.grades[first], self.grades[first + size - 1]
        means = np.where(highest == lowest, gain(highest), means)
        place = np.searchsorted(first, rows, side="right") - 1
        inside = np.flatnonzero((place >= 0) & (rows < (first + size)[place]))
        gains[inside] = means[place[inside]]
        return gains

    def ideal(self, k: int | None) -> tuple[Array, Array, Array]:
        """List, rank and grade of each group's best rows down to rank k, grades of 0 left out.

        Rows that are in no list count too.
        """
        grades = self.grades if self.judged is None else np.append(self.grades, self.judged[1])
        highest = int(grades.max(initial=0))
        few = highest < COUNTED_GRADES and highest * len(self) <= DENSE * len(grades)
        counted = few and grades.dtype == np.uint8
        lists, best = self._counted(grades, k) if counted else self._sorted(grades)
        rank = np.arange(len(lists)) - np.searchsorted(lists, lists) + 1
        kept = slice(None) if counted or k is None else rank <= k
        return lists[kept], rank[kept], best[kept]

    def _counted(self, grades: Array, k: int | None) -> tuple[Array, Array]:
        """List and grade of the best rows, by counting grades, the highest first."""
        present = np.flatnonzero(np.bincount(grades))[::-1]
        present = present[present > 0]
        counts = [
            self._counts(np.flatnonzero(self.grades == grade), partial(np.equal, grade))
            for grade in present
        ]
        table = np.array(counts, np.int64).reshape(len(present), len(self))
        if k is not None:
            table = np.diff(np.minimum(np.cumsum(table, axis=0), k), axis=0, prepend=0)
        lists = np.repeat(np.arange(len(self)), table.sum(axis=0))
        return lists, np.repeat(np.tile(present, len(self)), table.T.ravel())

    def _counts(self, listed: Array, chosen: Callable[[Array], Mask]) -> Array:
        """How many rows of each group are chosen by their grade; listed: those in a list."""
        count = np.diff(np.searchsorted(listed, self.starts))
        if self.judged is None:
            return count
        starts, grades = self.judged
        return count + np.diff(np.searchsorted(np.flatnonzero(chosen(grades)), starts))

    def _sorted(self, grades: Array) -> tuple[Array, Array]:
        """List and grade of all rows with a grade above 0, by sorting, the highest first."""
        lists = np.repeat(np.arange(len(self)), self.sizes)
        if self.judged is not None:
            lists = np.append(lists, np.repeat(np.arange(len(self)), np.diff(self.judged[0])))
        kept = np.flatnonzero(grades > 0)
        order = kept[np.lexsort((-grades[kept].astype(np.float64), lists[kept]))]
        return lists[order], grades[order]


def list_sums(lists: Array, terms: Floats, count: int) -> Floats:
    """The sum of each list's terms, added one by one from the top rank down."""
    added: Floats = np.bincount(lists, weights=terms, minlength=count).astype(np.float64)
    return added  # bincount of no terms gives integers
