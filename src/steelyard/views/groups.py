"""The view of groups: the groups of all slices at once."""

from collections.abc import Iterator

import numpy as np

from steelyard.cached import cached_property
from steelyard.model import Array
from steelyard.states import Groups
from steelyard.states.groups.group_chunks import JoinedGroups
from steelyard.views.group_rows import GroupRows
from steelyard.views.table_view import TableView


class GroupsView(TableView[Groups]):
    """One table of groups."""

    @cached_property
    def rows(self) -> GroupRows:
        """The rows by slice, group and falling score."""
        return self._group_rows(self._state.joined())

    def _group_rows(self, joined: JoinedGroups) -> GroupRows:
        return GroupRows(joined, self._number, self._count)

    def ranges(self) -> Iterator[GroupRows]:
        """The rows in ranges, each of some whole groups; one range where no size was given."""
        joined = self._state.joined()
        if self._rows is None or not len(joined):
            yield self.rows
            return
        codes = joined.numbers.codes
        of_range = np.cumsum(np.bincount(codes)) // self._rows
        for number in np.unique(of_range[codes]).tolist():
            yield self._group_rows(joined.take(np.flatnonzero(of_range[codes] == number)))

    def of_slice(self, number: int) -> Array:
        """The groups of a slice."""
        if self.rows.slices is None:
            return np.arange(len(self.rows))
        return np.flatnonzero(self.rows.slices == number)
