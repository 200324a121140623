"""The sums of one `by`: a line for each key, a column for each term.

A line is a slice, or a slice and a further key (a field's value, a bin, a pair of classes). Its
number is then the slice's times 2**32 plus the key's, and lines stand in the order of these.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from steelyard.kernels.interface import ExactSums
from steelyard.model import Array
from steelyard.states import exact_sums
from steelyard.states.codes import count_of

KEY_BITS = np.uint64(32)
KEY_MASK = np.uint64((1 << 32) - 1)


class SumTable:
    """Exact sums by line; `ids` are the numbers of lines, None where a line is a slice."""

    def __init__(self, terms: Iterable[str], *, keyed: bool) -> None:
        self.columns: dict[str, ExactSums] = {term: {} for term in terms}
        self.ids: Array | None = np.zeros(0, np.uint64) if keyed else None
        self.size = 0
        self.rows = 0  # that were added since digits were carried

    def add(self, sums: Mapping[str, ExactSums], ids: Array | None, size: int, rows: int) -> None:
        """Take in sums by line: of the lines with these numbers, or of the first ones."""
        self._make_room(rows)
        places = None if ids is None else self._places(ids)
        self.size = max(self.size, size) if self.ids is None else len(self.ids)
        for term, levels in sums.items():
            exact_sums.add(self.columns[term], levels, places, self.size)

    def _make_room(self, rows: int) -> None:
        """Carry digits before so many rows were added that int64 might not hold their sums."""
        self.rows += rows
        if self.rows < exact_sums.ROOM:
            return
        self.rows = rows
        for term, levels in self.columns.items():
            self.columns[term] = _carried(levels, self.size)

    def _places(self, ids: Array) -> Array:
        """Where the lines with these numbers stand; room is made for new ones."""
        assert self.ids is not None
        if len(ids) != len(self.ids) or not np.array_equal(ids, self.ids):
            union = np.union1d(self.ids, ids)
            if len(union) > len(self.ids):
                moved = np.searchsorted(union, self.ids)
                self.columns = {
                    term: exact_sums.moved(levels, moved, len(union))
                    for term, levels in self.columns.items()
                }
                self.ids = union
        return np.searchsorted(self.ids, ids)

    def recoded(self, slices: Array, keys: Array | None) -> "SumTable":
        """The same lines under other numbers of slices and keys; equal ones are added up."""
        table = SumTable(self.columns, keyed=self.ids is not None)
        slices = slices.astype(np.int64)  # numbers of slices are unsigned, and −1 stands for none
        if self.ids is None:
            size = count_of(slices[: self.size])
            for term, levels in self.columns.items():
                exact_sums.add(table.columns[term], _unique(levels, slices), None, size)
            table.size = size
            return table
        of_slice, of_key = self.parts()
        ids = slices[of_slice].astype(np.uint64) << KEY_BITS
        ids |= (of_key if keys is None else keys[of_key]).astype(np.uint64)
        table.ids, places = np.unique(ids, return_inverse=True)
        table.size = len(table.ids)
        for term, levels in self.columns.items():
            table.columns[term] = {p: _sum_at(d, places, table.size) for p, d in levels.items()}
        return table

    def parts(self) -> tuple[Array, Array]:
        """The number of each line's slice, and that of its key."""
        assert self.ids is not None
        return (self.ids >> KEY_BITS).astype(np.int64), (self.ids & KEY_MASK).astype(np.int64)


def _carried(levels: ExactSums, size: int) -> ExactSums:
    """The same column with digits below 2**31."""
    found = exact_sums.carried(levels, np.arange(size))
    arrays = exact_sums.sections("", found)
    return exact_sums.restored("", found.power, arrays, size)


def _unique(levels: ExactSums, slices: Array) -> ExactSums:
    """A column by slice under other numbers of slices."""
    return {
        power: _sum_at(digit, slices[: len(digit)], count_of(slices[: len(digit)]))
        for power, digit in levels.items()
    }


def _sum_at(digit: Array, places: Array, size: int) -> Array:
    """Digits added up by place."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, places, digit)
    return sums
