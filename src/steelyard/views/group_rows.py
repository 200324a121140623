"""The sorted rows of every group, and the columns by group that metrics read."""

from typing import NamedTuple

import numpy as np

from steelyard import errors, kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, MASK, Digits, ExactSums, GroupCodes, SortedGroups
from steelyard.kernels.ragged import running_sums, tied_rows
from steelyard.model import Array, Key
from steelyard.states import exact_sums
from steelyard.states.groups.group_chunks import JoinedGroups
from steelyard.states.groups.key_order import KeyColumn, key_order, text_ranks
from steelyard.views.lists import Lists
from steelyard.views.varying_weights import VaryingWeights

ORDERED = ("stable", "trec")  # tie rules that need more than score and grade


class Areas(NamedTuple):
    """The area under each group's ROC curve in whole numbers.

    doubled: twice the weight of the pairs in the right order, tied pairs counting half
    positives, negatives: the weight of each class
    """

    doubled: Array
    positives: Array
    negatives: Array


class GroupNumbers(NamedTuple):
    """The group of each row, which rows of another score may have too.

    columns: the key columns of the rows, that of slices first; sizes: how many rows a number has
    """

    columns: tuple[Array, ...]
    codes: GroupCodes
    sizes: Array

    def are_of(self, columns: tuple[Array, ...]) -> bool:
        """Whether rows with these keys have the same groups."""
        pairs = zip(self.columns, columns, strict=False)
        return len(self.columns) == len(columns) and all(np.array_equal(*pair) for pair in pairs)


class GroupRows:
    """Rows by slice, group and falling score; groups are in any order, `by_key` gives theirs.

    slicing: the number of the `by` whose slices split the groups; None: the total
    count: how many slice numbers there are; known: used if its rows have the same keys
    """

    def __init__(
        self,
        joined: JoinedGroups,
        slicing: int | None = None,
        count: int = 1,
        known: GroupNumbers | None = None,
    ) -> None:
        self.joined = joined
        self._known = known
        self.slicing = slicing
        self.count = count
        self._lists: dict[str, Lists] = {}
        self._sorted: SortedGroups | None = None

    def __len__(self) -> int:
        return len(self._present)

    # --- columns by group ------------------------------------------------------------------------
    @cached_property
    def key_columns(self) -> list[KeyColumn]:
        """The keys of the groups, column by column; of text keys their codes and the strings."""
        columns = [keys[self._present] for keys in self._numbered.keys]
        own = columns if self.slicing is None else columns[1:]
        return list(zip(own, self.joined.texts, strict=True))

    @cached_property
    def slices(self) -> Array | None:
        """The slice number of each group; None for the total."""
        return None if self.slicing is None else self._numbered.keys[0][self._present]

    def key(self, group: int) -> list[Key]:
        """The key of one group, a value for each key column."""
        columns = [(keys[group].item(), texts) for keys, texts in self.key_columns]
        return [value if texts is None else texts[value] for value, texts in columns]

    @cached_property
    def by_key(self) -> Array:
        """The order of the groups by key."""
        return key_order(self.key_columns)

    @cached_property
    def rows(self) -> Array:
        """How many input rows each group has."""
        count = self.joined.count
        return self.sizes if count is None else self._sums(count)

    @cached_property
    def positives(self) -> Array:
        """How many input rows of each group have a grade of 1 or more."""
        positive, count = self.joined.grade >= 1, self.joined.count
        if count is not None:
            return self._sums(np.where(positive, count, 0))
        chosen, codes = np.flatnonzero(positive), self._numbered.codes
        if codes is None:
            return np.diff(np.searchsorted(chosen, self._together[1]))
        return np.bincount(codes[chosen], minlength=self._code_count)[self._present]

    @cached_property
    def weights(self) -> Array:
        """The weight of each group's rows, in the unit of the weights."""
        digits = self.joined.digits
        if digits is None:
            return self.sizes
        if "areas" in self.__dict__:  # GAUC has added them up already
            return plus(self.areas.positives, self.areas.negatives)
        order, starts = self._together
        ordered = tuple(digit if order is None else digit.take(order) for digit in digits)
        kernel = kernels.active()
        return kernel.integers(kernel.sum_groups(ordered, starts))

    def weight_of(self, column: str) -> tuple[Array, VaryingWeights | None]:
        """A group-weight column's value in each group, and the groups where it has several."""
        if not len(self):  # without rows the state does not know its columns
            return np.zeros(0), None
        values = self.joined.group_weight[column].astype(np.float64)
        low, high = self._extremes(values)
        varies = np.flatnonzero(low != high)
        if not len(varies):
            return low, None
        first = int(varies[np.argmin(np.argsort(self.by_key)[varies])])
        ends = low[first].item(), high[first].item()
        return low, VaryingWeights(column, len(varies), tuple(self.key(first)), *ends)

    @cached_property
    def clusters(self) -> Array:
        """The cluster of each group; an error where a group has rows of several."""
        if not len(self):
            return np.zeros(0, np.int64)
        codes, of_rows = self._numbered.row_codes(), self.joined.slices[-1]
        found = np.zeros(self._code_count, of_rows.dtype)
        found[codes] = of_rows  # the cluster of any of its rows
        if not np.array_equal(found[codes], of_rows):
            low, high = self._extremes(of_rows.astype(np.int64))
            varies = np.flatnonzero(low != high)
            first = int(varies[np.argmin(np.argsort(self.by_key)[varies])])
            group = ", ".join(map(repr, self.key(first)))
            raise errors.CLUSTER_VARIES(count=len(varies), group=group)
        return found[self._present]

    @cached_property
    def areas(self) -> Areas:
        """The exact areas of every group."""
        if self.joined.digits is not None:
            return self._weighted_areas(self.joined.digits)
        rows = self.sorted()
        hits = np.flatnonzero(rows.grades > 0)  # twice as fast on booleans as on bytes
        first = np.searchsorted(hits, rows.starts)
        positives = np.diff(first)
        negatives = np.diff(rows.starts) - positives
        # Positives come first in a block: rows before one are positives, or have a higher score.
        sums = running_sums(hits - np.arange(len(hits)))
        better = np.diff(sums.take(first)) - positives * (rows.starts[:-1] - first[:-1])
        doubled = 2 * positives * negatives - 2 * better
        tied, losers = _losers(rows, hits)
        if len(tied):
            sums = np.zeros(len(hits) + 1, np.int64)
            sums[tied + 1] = losers
            doubled -= np.diff(np.cumsum(sums).take(first))
        return Areas(doubled, positives, negatives)

    def _weighted_areas(self, digits: Digits) -> Areas:
        """The same with weights: for each positive the negatives below it, and half of its ties."""
        kernel = kernels.active()
        rows = self.sorted(rows=True)
        assert rows.rows is not None
        ordered = [digit.take(rows.rows) for digit in digits]
        positive = rows.grades > 0
        hits = np.flatnonzero(positive)
        first = np.searchsorted(hits, rows.starts)
        mine = tuple(digit.take(hits) for digit in ordered)
        blocks = np.flatnonzero(rows.block_start)
        block = np.searchsorted(blocks, hits, side="right")
        top = blocks[block - 1]
        bottom = np.append(blocks, len(rows.grades))[block]
        end = np.repeat(rows.starts[1:], np.diff(first))
        below, negative = [], []
        for digit in ordered:
            running = running_sums(np.where(positive, 0, digit.astype(np.int64)))
            at_end = running.take(end)
            below.append(2 * at_end - running.take(bottom) - running.take(top))
            negative.append(np.diff(running.take(rows.starts)))
        # A shift by 0 bits carries, as a single digit may be negative; the numbers are not.
        doubled = kernel.dot_groups(mine, kernel.shift(tuple(below), 0), first)
        return Areas(
            kernel.integers(doubled),
            kernel.integers(kernel.sum_groups(mine, first)),
            kernel.integers(kernel.shift(tuple(negative), 0)),
        )

    # --- ranked lists ----------------------------------------------------------------------------
    def lists(self, ties: str) -> Lists:
        """The ranked list of every group under a rule for ties."""
        if ties not in self._lists:
            self._lists[ties] = self._ranked(ties)
        return self._lists[ties]

    def _ranked(self, ties: str) -> Lists:
        """The ranked lists; block starts only where tied rows count by their expected value."""
        rows = self.sorted(rows=ties in ORDERED)
        grades, block_start = rows.grades, None
        if ties == "expected":
            block_start = None if rows.block_start.all() else rows.block_start
        elif ties != "optimistic" and not rows.block_start.all():
            grades = self._reordered(rows, ties)
        return Lists(rows.starts, grades, block_start, self._judged())

    def _reordered(self, rows: SortedGroups, ties: str) -> Array:
        """The grades with the rows of each tied block in the order of a tie rule."""
        tied, numbers = tied_rows(rows.block_start)
        keys = self._tie_keys(rows, tied, ties)
        grades = rows.grades.copy()
        grades[tied] = grades[tied[kernels.active().order_ties(numbers, keys)]]
        return grades

    def _tie_keys(self, rows: SortedGroups, tied: Array, ties: str) -> Array:
        """The keys by which a tie rule orders tied rows, rising."""
        if ties == "pessimistic":
            return rows.grades[tied]
        assert rows.rows is not None
        here = self._scored(rows.rows[tied])
        if ties == "stable":
            assert self.joined.position is not None
            return self.joined.position[here]
        document = self.joined.document
        assert document is not None
        assert document.dictionary is not None
        return -text_ranks(document.dictionary.strings)[document.values[here]]

    def _judged(self) -> tuple[Array, Array] | None:
        """Where each group's unscored rows start, and their grades; None where all are scored."""
        unscored = self.joined.unscored
        if unscored is None:
            return None
        codes = self._numbered.row_codes()[unscored]
        order, starts = kernels.active().bring_together(codes, self._code_count)
        return self._present_starts(starts), self.joined.grade[unscored][order]

    # --- rows ------------------------------------------------------------------------------------
    def sorted(self, *, rows: bool = False) -> SortedGroups:
        """The scored rows in order; rows: whether their numbers among the scored are needed."""
        if self._sorted is None or (rows and self._sorted.rows is None):
            self._sorted = self._sort(rows)
        return self._sorted

    def _sort(self, rows: bool) -> SortedGroups:
        joined, unscored = self.joined, self.joined.unscored
        numbered, score, grade = self._numbered, joined.score, joined.grade
        if unscored is not None:
            scored = ~unscored
            numbered = GroupCodes(numbered.row_codes()[scored], None, numbered.keys)
            score, grade = score[scored], grade[scored]
        rows = rows or joined.digits is not None
        found = kernels.active().sort_groups(numbered, score, grade, rows=rows)
        return found._replace(starts=self._present_starts(found.starts))

    def _scored(self, rows: Array) -> Array:
        """Numbers among all rows, from numbers among the scored rows."""
        unscored = self.joined.unscored
        return rows if unscored is None else np.flatnonzero(~unscored)[rows]

    @cached_property
    def numbers(self) -> GroupNumbers:
        """The group of each row; groups of two slices are different groups."""
        keys, slices = self.joined.keys, self.joined.slices
        columns = keys if self.slicing is None else (slices[self.slicing], *keys)
        if self._known is not None and self._known.are_of(columns):
            return self._known
        if self.slicing is not None:
            keys = (columns[0].astype(np.int64), *keys)
        codes = kernels.active().number_groups(keys)
        return GroupNumbers(columns, codes, codes.sizes())

    @property
    def _numbered(self) -> GroupCodes:
        return self.numbers.codes

    @property
    def _code_count(self) -> int:
        return len(self._numbered.keys[0])

    @property
    def _all_sizes(self) -> Array:
        return self.numbers.sizes

    @cached_property
    def _present(self) -> Array:
        """The group numbers that have rows."""
        return np.flatnonzero(self._all_sizes)

    def _present_starts(self, starts: Array) -> Array:
        """Where each group with rows starts, and the end, from the starts of all numbers."""
        return np.append(starts[self._present], starts[-1])

    @cached_property
    def sizes(self) -> Array:
        """How many rows each group has; an aggregated row counts once."""
        return self._all_sizes[self._present]

    @cached_property
    def _together(self) -> tuple[Array | None, Array]:
        """The order that makes the rows of each group adjacent, and where each group starts.

        None: they are adjacent already.
        """
        if self._numbered.starts is not None:
            return None, self._numbered.starts
        found = self._sorted
        if found is not None and found.rows is not None and self.joined.unscored is None:
            return found.rows, found.starts
        codes = self._numbered.row_codes()
        order, starts = kernels.active().bring_together(codes, self._code_count)
        return order, self._present_starts(starts)

    def _sums(self, column: Array) -> Array:
        """The sum of whole numbers over each group's rows."""
        order, starts = self._together
        running = running_sums(column if order is None else column[order])
        return np.diff(running.take(starts))

    def _extremes(self, values: Array) -> tuple[Array, Array]:
        """The lowest and the highest value of each group."""
        order, starts = self._together
        ordered = values if order is None else values[order]
        if len(starts) == 1:
            return values[:0], values[:0]
        return np.minimum.reduceat(ordered, starts[:-1]), np.maximum.reduceat(ordered, starts[:-1])


def plus(left: Array, right: Array) -> Array:
    """Sums of two columns, as Python integers where int64 may not hold them."""
    if left.dtype == right.dtype == np.int64 and len(left):
        wide = int(left.max()) + int(right.max()) >= 2**63
        left = left.astype(object) if wide else left
    total: Array = left + right
    return total


def _losers(rows: SortedGroups, hits: Array) -> tuple[Array, Array]:
    """The positives that tie with negatives, by their place in `hits`, and with how many."""
    alone = rows.block_start.take(hits)
    alone &= rows.block_start.take(hits + 1, mode="clip")  # after the last row nothing ties with it
    tied = np.flatnonzero(~alone)
    if len(tied) == 0:
        return tied, tied
    blocks = np.flatnonzero(rows.block_start)
    block = np.searchsorted(blocks, hits[tied], side="right")
    starts, ends = blocks[block - 1], np.append(blocks, len(rows.grades))[block]
    positives = np.searchsorted(hits, ends) - np.searchsorted(hits, starts)
    return tied, ends - starts - positives


def add_by_slice(
    slices: Array | None, count: int, weights: Array, values: Array | None = None
) -> ExactSums:
    """The exact Σ weight·value over the groups of each slice; weights may be Python integers.

    slices: the slice number of each group, None: all of slice 0; values None: 1 each
    """
    kernel = kernels.active()
    if weights.dtype != object:
        return kernel.sums_by_code(slices, count, values, weights)
    total: ExactSums = {}
    place = 0
    while weights.any():
        digit = (weights & MASK).astype(np.float64)  # below 2**31, which float64 holds
        more = kernel.sums_by_code(slices, count, values, digit)
        moved = {power + place: column for power, column in more.items()}
        exact_sums.add(total, moved, None, count)
        weights, place = weights >> DIGIT, place + DIGIT
    return total
