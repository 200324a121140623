"""Ranked lists: the value of every list by a named term."""

from typing import Any

from steelyard import kernels
from steelyard.kernels.interface import Columns, ListTerm, RankedLists
from steelyard.model import Array


class Lists:
    """The lists of all groups under one rule for ties."""

    def __init__(self, ranked: RankedLists) -> None:
        self._ranked = ranked
        self._known: dict[ListTerm, Columns] = {}

    def __len__(self) -> int:
        return len(self._ranked.groups)

    @property
    def sizes(self) -> Array:
        """How many rows of each group have a rank."""
        return self._ranked.sizes

    def term(self, name: str, **parameters: Any) -> Array:
        """The column of a term; see `LIST_TERMS`."""
        (column,) = self.columns(name, **parameters)
        return column

    def columns(self, name: str, **parameters: Any) -> Columns:
        """The columns of a term that has several."""
        term = ListTerm(name, **parameters)
        if term not in self._known:
            self._known[term] = self._computed(term)
        return self._known[term]

    def _computed(self, term: ListTerm) -> Columns:
        (columns,) = kernels.active().list_gains(self._ranked, (term,))
        return columns
