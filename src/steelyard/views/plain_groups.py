"""The groups of plain rows: the columns that one kernel gave."""

from steelyard.kernels.interface import Columns, GroupAreas, ListTerm
from steelyard.model import Array
from steelyard.views.group_rows import GroupRows
from steelyard.views.lists import Lists


class MissingTermError(Exception):
    """A term that is not known; one call gives all terms, as orders of lists may differ."""

    def __init__(self, term: ListTerm) -> None:
        super().__init__(term.name)
        self.term = term


class PlainLists(Lists):
    """The ranked lists of plain rows; rows: how many each has; known: the columns of some terms."""

    def __init__(self, rows: Array, known: dict[ListTerm, Columns]) -> None:
        self.rows, self._known = rows, known

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sizes(self) -> Array:
        return self.rows  # each has a score

    def _computed(self, term: ListTerm) -> Columns:
        raise MissingTermError(term)


class PlainGroups(GroupRows):
    """The groups of plain rows, each of which has a weight of 1: ranked lists, or areas."""

    def __init__(self, rows: Array, lists: PlainLists | None, areas: GroupAreas | None) -> None:
        self.number, self.count = 0, 1
        self._ranked, self._areas = lists, areas
        self.__dict__["rows"] = self.__dict__["weights"] = rows

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def weighted(self) -> bool:
        return False

    @property
    def narrow_areas(self) -> GroupAreas:
        assert self._areas is not None
        return self._areas

    def lists(self, ties: str) -> Lists:
        """Those of the rule for ties that they were made with."""
        assert self._ranked is not None
        return self._ranked


def of_areas(areas: GroupAreas) -> PlainGroups:
    return PlainGroups(areas.rows, None, areas)


def of_lists(lists: PlainLists) -> PlainGroups:
    return PlainGroups(lists.rows, lists, None)
