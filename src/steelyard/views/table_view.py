"""The base class of the views of states."""

from typing import Generic, Self, TypeVar

from steelyard.model import Array
from steelyard.states import KeyedState

StateType = TypeVar("StateType", bound=KeyedState)


class TableView(Generic[StateType]):
    """One table of a finished state.

    number: the table, 0 for the total; count: how many slice numbers there are
    slices: the slice numbers of the view, in the order of the result
    rows: about how many rows a range of scores or of groups has; no value depends on it
    """

    def __init__(
        self, state: StateType, number: int, count: int, slices: Array, rows: int | None = None
    ) -> None:
        self._state, self._number, self._count, self._rows = state, number, count, rows
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def _unread(self) -> Self:
        """A view of the same table that has read nothing yet."""
        return type(self)(self._state, self._number, self._count, self.slices, self._rows)
