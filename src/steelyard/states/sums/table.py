"""The sums of one `by`: a line for each key, a column for each term.

The key of a line is a slice, or a slice and a second key (a field's value, a bin, a pair of
classes). The id of a line with two keys is slice number · 2**32 + key number; lines are in the
order of their ids.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import ExactSums
from steelyard.model import Array
from steelyard.states import exact_sums
from steelyard.states.codes import count_of

KEY_BITS = np.uint64(32)
KEY_MASK = np.uint64((1 << 32) - 1)


class SumTable:
    """Exact sums by line.

    columns: for each term, its sums; size: how many lines
    ids: the ids of the lines; None where the key is a slice, whose number is the line
    """

    def __init__(self, terms: Iterable[str], *, keyed: bool) -> None:
        self.columns: dict[str, ExactSums] = {term: {} for term in terms}
        self.ids: Array | None = np.zeros(0, np.uint64) if keyed else None
        self.size = 0
        self.rows = 0  # added since digits were last carried

    def add(self, sums: Mapping[str, ExactSums], ids: Array | None, size: int, rows: int) -> None:
        """Add sums by line.

        ids: the ids of their lines; None: the first `size` lines
        rows: how many rows were added up
        """
        self._carry_before(rows)
        places = None if ids is None else self._places(ids)
        self.size = max(self.size, size) if self.ids is None else len(self.ids)
        for term, column in sums.items():
            exact_sums.add(self.columns[term], column, places, self.size)

    def _carry_before(self, rows: int) -> None:
        """Carry digits where int64 might not hold their sums once these rows are added."""
        self.rows += rows
        if self.rows < exact_sums.CARRY_ROWS:
            return
        self.rows = rows
        for term, column in self.columns.items():
            self.columns[term] = _carried(column, self.size)

    def _places(self, ids: Array) -> Array | None:
        """The lines with these ids, None where they are all lines; new lines are inserted."""
        assert self.ids is not None
        if not len(self.ids):
            self.ids = ids
        if np.array_equal(ids, self.ids):
            return None
        if len(ids):
            union = np.union1d(self.ids, ids)
            if len(union) > len(self.ids):
                moved = np.searchsorted(union, self.ids)
                self.columns = {
                    term: exact_sums.moved(column, moved, len(union))
                    for term, column in self.columns.items()
                }
                self.ids = union
        return np.searchsorted(self.ids, ids)

    def recoded(self, slices: Array, keys: Array | None) -> "SumTable":
        """The same sums under other slice and key numbers; lines that become one are added up.

        slices, keys: the new number of each old one; keys None: as before
        """
        table = SumTable(self.columns, keyed=self.ids is not None)
        slices = slices.astype(np.int64)  # they may be unsigned, and of a narrow type
        if self.ids is None:
            size = count_of(slices[: self.size])
            for term, column in self.columns.items():
                exact_sums.add(table.columns[term], _recoded(column, slices), None, size)
            table.size = size
            return table
        of_slice, of_key = self.line_keys()
        both = slices[of_slice], of_key if keys is None else keys[of_key]
        places, (slices, of_key) = kernels.active().rank_keys(both)
        table.ids = slices.astype(np.uint64) << KEY_BITS | of_key.astype(np.uint64)
        table.size = len(table.ids)
        for term, column in self.columns.items():
            table.columns[term] = {p: _sum_at(d, places, table.size) for p, d in column.items()}
        return table

    def line_keys(self) -> tuple[Array, Array]:
        """The slice number and the key number of each line."""
        assert self.ids is not None
        return (self.ids >> KEY_BITS).astype(np.int64), (self.ids & KEY_MASK).astype(np.int64)


def _carried(column: ExactSums, size: int) -> ExactSums:
    """The same column with digits below 2**31."""
    found = exact_sums.carried(column, np.arange(size))
    arrays = exact_sums.sections("", found)
    return exact_sums.restored("", found.power, arrays, size)


def _recoded(column: ExactSums, slices: Array) -> ExactSums:
    """A column by slice under other slice numbers."""
    return {
        power: _sum_at(digit, slices[: len(digit)], count_of(slices[: len(digit)]))
        for power, digit in column.items()
    }


def _sum_at(digit: Array, places: Array, size: int) -> Array:
    """The sum of the digits of each place."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, places, digit)
    return sums
