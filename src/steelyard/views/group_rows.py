"""The groups of one table, and the columns by group that metrics read."""

import numpy as np

from steelyard import errors, kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, MASK, ExactSums, GroupAreas, RankedLists
from steelyard.model import Array, Key
from steelyard.states import exact_sums
from steelyard.states.groups.group_chunks import JoinedGroups
from steelyard.states.groups.key_order import KeyColumn, key_order
from steelyard.views.lists import Lists
from steelyard.views.varying_weights import VaryingWeights


class GroupRows:
    """The groups of one table, by slice; within a slice in any order, `by_key` gives theirs.

    number: the table, 0 for the total; count: how many slice numbers there are
    """

    def __init__(self, joined: JoinedGroups, number: int = 0, count: int = 1) -> None:
        self.joined, self.number, self.count = joined, number, count
        self._lists: dict[str, Lists] = {}

    def __len__(self) -> int:
        return len(self._groups)

    # --- columns by group ------------------------------------------------------------------------
    @property
    def _table(self) -> RankedLists | GroupAreas:
        """The table as ranked lists or areas, whichever there is."""
        return (self.joined.any_ranked or self.joined.areas)[self.number]

    @cached_property
    def _groups(self) -> Array:
        """The number of each group's key."""
        return self._table.groups if self.number else np.arange(len(self.joined.numbers.firsts))

    @cached_property
    def slices(self) -> Array | None:
        """The slice number of each group; None for the total."""
        return self._table.slices if self.number else None

    @cached_property
    def key_columns(self) -> list[KeyColumn]:
        """The keys of the groups, column by column; of text keys their codes and the strings."""
        rows = self.joined.numbers.firsts[self._groups]
        columns = zip(self.joined.keys, self.joined.texts, strict=True)
        return [(keys[rows], texts) for keys, texts in columns]

    def key(self, group: int) -> list[Key]:
        """The key of one group, a value for each key column."""
        columns = [(keys[group].item(), texts) for keys, texts in self.key_columns]
        return [value if texts is None else texts[value] for value, texts in columns]

    @cached_property
    def by_key(self) -> Array:
        """The order of the groups by key."""
        return key_order(self.key_columns)

    @property
    def narrow_areas(self) -> GroupAreas:
        """The areas of all groups; columns are uint32 where that holds all of their numbers.

        By slice there are about as many groups as rows: a copy of a column takes as long as to
        make it.
        """
        return self.joined.areas[self.number]

    @cached_property
    def areas(self) -> GroupAreas:
        """The areas of all groups: int64 where it holds the double of each, or Python integers."""
        groups, slices, *columns = self.narrow_areas
        return GroupAreas(groups, slices, *map(wide, columns))

    @cached_property
    def rows(self) -> Array:
        """How many input rows each group has."""
        table = self._table
        listed = isinstance(table, RankedLists) and self.joined.count is None
        return table.rows if listed else wide(self.narrow_areas.rows)

    @property
    def positives(self) -> Array:
        """How many input rows of each group have a grade of 1 or more."""
        return self.areas.positive_rows

    @cached_property
    def weights(self) -> Array:
        """The weight of each group, in the unit of the weights; uint32 where that holds it."""
        return plus(self.narrow_areas.positives, self.narrow_areas.negatives)

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.joined.digits is not None

    def weight_of(self, column: str) -> tuple[Array, VaryingWeights | None]:
        """A group-weight column's value in each group, and the groups where it has several."""
        if not len(self):  # without rows the state does not know its columns
            return np.zeros(0), None
        low, high = self._ends(self.joined.group_weight[column].astype(np.float64))
        varies = np.flatnonzero(low != high)
        if not len(varies):
            return low, None
        first = self._first(varies)
        ends = low[first].item(), high[first].item()
        return low, VaryingWeights(column, len(varies), tuple(self.key(first)), *ends)

    @cached_property
    def clusters(self) -> Array:
        """The cluster of each group; an error where a group has rows of several."""
        if not len(self):
            return np.zeros(0, np.int64)
        low, high = self._ends(self.joined.slices[-1])
        varies = np.flatnonzero(low != high)
        if len(varies):
            group = ", ".join(map(repr, self.key(self._first(varies))))
            raise errors.CLUSTER_VARIES(count=len(varies), group=group)
        return low

    def _first(self, groups: Array) -> int:
        """The first of some groups by key."""
        return int(groups[np.argmin(np.argsort(self.by_key)[groups])])

    def _ends(self, column: Array) -> tuple[Array, Array]:
        """The lowest and the highest number of each group in a column of the rows."""
        kernel, (_, codes, firsts) = kernels.active(), self.joined.numbers
        low, high = kernel.group_ends(codes, len(firsts), column)
        if np.array_equal(low, high):  # so they are in every slice of a group
            return low[self._groups], high[self._groups]
        if self.number:
            codes, (_, groups) = kernel.rank_keys((self.joined.slices[self.number - 1], codes))
            low, high = kernel.group_ends(codes, len(groups), column)
        return low, high

    # --- ranked lists ----------------------------------------------------------------------------
    def lists(self, ties: str) -> Lists:
        """The ranked list of every group under a rule for ties."""
        if ties not in self._lists:
            self._lists[ties] = Lists(self.joined.ranked(ties)[self.number])
        return self._lists[ties]

    def members(self, group: int, ties: str) -> tuple[Array, Array]:
        """The rows of one group: those with a rank, from the top down, and the others."""
        joined, slices = self.joined, self.slices
        chosen = joined.numbers.codes == self._groups[group]
        if slices is not None:
            chosen &= joined.slices[self.number - 1] == slices[group]
        unscored = np.zeros(len(joined), bool) if joined.unscored is None else joined.unscored
        ranked, others = np.flatnonzero(chosen & ~unscored), np.flatnonzero(chosen & unscored)
        grades, keys = joined.grade[ranked].astype(np.float64), joined.tie_keys(ties)
        rest = [] if keys is None else [keys[ranked]]
        falling = grades if ties == "pessimistic" else -grades
        return ranked[np.lexsort((falling, *rest, -joined.score[ranked]))], others


def wide(column: Array) -> Array:
    """Whole numbers as int64 where it holds the double of each, else as Python integers."""
    large = column.dtype != np.uint32 and column.max(initial=0) >> 62
    return column.astype(object if large else np.int64)


def plus(left: Array, right: Array) -> Array:
    """Sums of two columns of whole numbers from 0, as Python integers where int64 may be too small.

    Of two columns of uint32 they are uint32 where that holds them.
    """
    most = int(left.max(initial=0)) + int(right.max(initial=0))
    if left.dtype == right.dtype == np.uint32 and most < 2**32:
        narrow: Array = left + right
        return narrow
    kind = object if most >= 2**63 else np.int64
    total: Array = left.astype(kind, copy=False) + right.astype(kind, copy=False)
    return total


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
