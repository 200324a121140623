"""The groups of some slices, all at once."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from steelyard import kernels
from steelyard.model import Array
from steelyard.states.groups import Groups
from steelyard.states.groups.rows import JoinedGroups
from steelyard.views.group_rows import GroupRows


class GroupsView:
    """One table of groups.

    count: numbers of slices there are; slices: those looked at, in the order shown
    rows: about how many rows a range of groups has; no value depends on it
    """

    def __init__(
        self, state: Groups, number: int, count: int, slices: Array, rows: int | None = None
    ) -> None:
        self._state, self._number, self._rows = state, number, rows
        self.count = count
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    @cached_property
    def rows(self) -> GroupRows:
        """The rows by slice, group and falling score."""
        return self._of(self._state.joined())

    def _of(self, joined: JoinedGroups) -> GroupRows:
        return GroupRows(joined, self._number - 1 if self._number else None, self.count)

    def ranges(self) -> Iterator[GroupRows]:
        """All rows, or some groups at a time, each group whole."""
        joined = self._state.joined()
        if self._rows is None or not len(joined):
            yield self.rows
            return
        groups = kernels.active().number_groups(joined.keys)
        codes = groups.codes
        if codes is None:
            assert groups.starts is not None
            sizes = np.diff(groups.starts)
            codes = np.repeat(np.arange(len(sizes)), sizes)
        of_range = np.cumsum(np.bincount(codes)) // self._rows
        for number in np.unique(of_range[codes]).tolist():
            yield self._of(joined.take(np.flatnonzero(of_range[codes] == number)))

    def of_slice(self, number: int) -> Array:
        """Which groups are of a slice."""
        if self.rows.slices is None:
            return np.arange(len(self.rows))
        return np.flatnonzero(self.rows.slices == number)
