"""What each cluster of each slice adds: exact sums by slice and cluster, for influence values.

A line is a cluster in a slice, in the order of slices and then of cluster numbers. Columns have one
entry for each line. A sum is exact before it is rounded to float64, so that it does not depend on
the order of the rows.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.distinct import ranked
from steelyard.kernels.interface import DIGIT, Digits, ExactSums
from steelyard.model import Array, Floats
from steelyard.states import Sums, exact_sums


class ClusterLines(NamedTuple):
    """The clusters of every slice: the slice number and the cluster number of each line.

    starts: the first line of each slice number, and the end
    """

    slices: Array
    clusters: Array
    starts: Array

    def __len__(self) -> int:
        return len(self.slices)

    def spread(self, column: Array) -> Array:
        """A column of slices, by slice number, for each line."""
        spread: Array = column[self.slices]
        return spread


def lines_of(slices: Array, clusters: Array, count: int) -> tuple[ClusterLines, Array]:
    """The lines of some rows, and the line of each row.

    slices, clusters: the numbers of each row; count: how many slice numbers there are
    """
    width = int(clusters.max(initial=0)) + 1
    # Columns of all rows are made as few and as narrow as can be: new memory costs time.
    ids: Array = slices.astype(np.uint32 if count * width < 1 << 32 else np.uint64)
    np.multiply(ids, width, out=ids, casting="unsafe")
    np.add(ids, clusters, out=ids, casting="unsafe")
    codes, found = ranked(ids, count * width)
    of_slice = found // width
    starts = of_slice.searchsorted(np.arange(count + 1))
    return ClusterLines(of_slice, found % width, starts), codes


def finite(column: Floats) -> Floats:
    """The column with 0 instead of NaN and infinity, of slices without a value.

    They could not be added exactly, and nothing is read from such slices.
    """
    return column if np.isfinite(column).all() else np.where(np.isfinite(column), column, 0.0)


class TermColumns(dict[str, Floats]):
    """A column for each term, made when it is first read."""

    def __init__(self, make: Callable[[str], Floats]) -> None:
        self._make = make

    def __missing__(self, term: str) -> Floats:
        self[term] = column = self._make(term)
        return column


class ClusterSums:
    """Sums of row terms by slice and cluster.

    count: how many slice numbers there are
    own, total: for each term, the sum of each line, and that of its slice
    """

    def __init__(self, state: Sums, number: int, count: int) -> None:
        self._table = state.table(number)
        slices, clusters = self._table.line_keys()
        self.lines = ClusterLines(slices, clusters, slices.searchsorted(np.arange(count + 1)))

        self.own, self.total = TermColumns(self._own), TermColumns(self._total)

    def _own(self, term: str) -> Floats:
        """The sum of each line."""
        every = np.arange(len(self.lines))
        return exact_sums.floats(self._table.columns[term], every)

    def _total(self, term: str) -> Floats:
        """The sum of each line's slice."""
        sums = exact_sums.by_slice(self._table.columns[term], self.lines.starts)
        slices = np.arange(len(self.lines.starts) - 1)
        return self.lines.spread(exact_sums.floats(sums, slices))


class LineAdder:
    """Adds values of rows or groups by line, exactly.

    codes: the line of each row; digits: its weight in multiples of 2**unit, None: 1 each
    """

    def __init__(self, lines: ClusterLines, codes: Array, digits: Digits | None, unit: int) -> None:
        self.lines = lines
        self._codes, self._digits, self._unit = codes, digits, unit

    def add(self, values: Floats | None = None) -> Floats:
        """Σ weight · value of each line; Σ weight without values."""
        sums = exact_sums.floats(self._sums(values), np.arange(len(self.lines)))
        return np.ldexp(sums, self._unit)

    def _sums(self, values: Floats | None) -> ExactSums:
        kernel, count = kernels.active(), len(self.lines)
        if self._digits is None:
            return kernel.sums_by_code(self._codes, count, values)
        sums: ExactSums = {}
        for place, digit in enumerate(self._digits):
            # A digit is below 2**31, which float64 holds.
            column = kernel.sums_by_code(self._codes, count, values, digit.astype(np.float64))
            moved = {power + DIGIT * place: found for power, found in column.items()}
            exact_sums.add(sums, moved, None, count)
        return sums

    @cached_property
    def weights(self) -> Floats:
        """The weight of each line."""
        return self.add()

    @cached_property
    def totals(self) -> Floats:
        """The weight of each line's slice."""
        return self.lines.spread(self.by_slice())

    def by_slice(self, values: Floats | None = None) -> Floats:
        """Σ weight · value of each slice; Σ weight without values."""
        sums = exact_sums.by_slice(self._sums(values), self.lines.starts)
        slices = np.arange(len(self.lines.starts) - 1)
        return np.ldexp(exact_sums.floats(sums, slices), self._unit)
