"""What each cluster of each slice adds: exact sums by slice and cluster, for influence values.

A line is a cluster in a slice, in the order of slices and then of cluster numbers. Columns have one
entry for each line. A sum is exact before it is rounded to float64, so that it does not depend on
the order of the rows.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.cached import cached_property
from steelyard.kernels.interface import DIGIT, Digits, ExactSums
from steelyard.model import Array, Floats
from steelyard.states import Sums, exact_sums
from steelyard.states.codes import count_of


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
    codes, (of_slice, of_cluster) = kernels.active().rank_keys((slices, clusters))
    starts = of_slice.searchsorted(np.arange(count + 1))
    return ClusterLines(of_slice, of_cluster, starts), codes


def lines_in(clusters: Sequence[Array]) -> ClusterLines:
    """The lines of rows of one slice; clusters: the numbers of several chunks of rows."""
    size = max(map(count_of, clusters), default=0)
    rows = np.zeros(size, np.int64)
    for column in clusters:
        if len(column):
            rows += kernels.active().sums_by_code(column, size)[0]
    used = np.flatnonzero(rows)
    return ClusterLines(np.zeros_like(used), used, np.array([0, len(used)]))


class LineSums(NamedTuple):
    """Exact sums by line: what influences are made from. Those of parts of the rows are added."""

    lines: ClusterLines
    columns: tuple[ExactSums, ...]

    def rounded(self, *units: int) -> tuple[list[Floats], list[Floats]]:
        """Each column, rounded once, and the column of its slices.

        units: the columns of weights whose sum is from ½ to 1 in each slice: see `near_one`
        """
        starts, count = self.lines.starts, len(self.lines.starts) - 1
        of_slices = [exact_sums.by_slice(column, starts) for column in self.columns]
        weights: ExactSums = {}
        for unit in units:
            exact_sums.add(weights, of_slices[unit], None, count)
        scale = near_one(weights, count)
        own, spread = np.arange(len(self.lines)), self.lines.spread
        return (
            [exact_sums.floats(column, own, spread(scale)) for column in self.columns],
            [spread(exact_sums.floats(each, np.arange(count), scale)) for each in of_slices],
        )

    def of_slices(self, slices: Array) -> "LineSums":
        """The same, whose slices have these numbers."""
        lines = self.lines
        return LineSums(
            ClusterLines(slices[lines.slices], lines.clusters, lines.starts), self.columns
        )


def joined_lines(parts: Sequence[LineSums], count: int) -> LineSums:
    """The sums of several parts, line by line; count: how many slice numbers there are."""
    slices = np.concatenate([part.lines.slices for part in parts])
    clusters = np.concatenate([part.lines.clusters for part in parts])
    lines, codes = lines_of(slices, clusters, count)
    own = np.split(codes, np.cumsum([len(part.lines) for part in parts])[:-1])
    columns: list[ExactSums] = [{} for _ in parts[0].columns]
    for part, places in zip(parts, own, strict=True):
        for column, more in zip(columns, part.columns, strict=True):
            exact_sums.add(column, more, places, len(lines))
    return LineSums(lines, tuple(columns))


def finite(column: Floats) -> Floats:
    """The column with 0 instead of NaN and infinity, of slices without a value.

    They could not be added exactly, and nothing is read from such slices.
    """
    return column if np.isfinite(column).all() else np.where(np.isfinite(column), column, 0.0)


class RoundedTerms(dict[str, Floats]):
    """A column for each term, made when it is first read; rounded once.

    sums: gives the exact column of a term, of some places; spread: their column as one of lines
    scale: the power of two by which each place is multiplied; power: whole numbers are multiples
        of 2**power
    """

    def __init__(
        self,
        sums: Callable[[str], ExactSums],
        spread: Callable[[Array], Array],
        scale: Array,
        power: int,
    ) -> None:
        self._sums, self._spread, self._scale, self._power = sums, spread, scale, power
        self._every = np.arange(len(scale))

    def __missing__(self, term: str) -> Floats:
        self[term] = column = self._rounded(self._sums(term))
        return column

    def _rounded(self, sums: ExactSums) -> Floats:
        found: Floats = self._spread(exact_sums.floats(sums, self._every, self._scale))
        return found

    def difference(self, term: str, other: str) -> Floats:
        """One term minus another, exactly, and then rounded."""
        sums: ExactSums = {}
        exact_sums.add(sums, self._sums(term), None, len(self._every))
        less = {power: -digit for power, digit in self._sums(other).items()}
        exact_sums.add(sums, less, None, len(self._every))
        return self._rounded(sums)

    def whole(self, term: str) -> Array:
        """The column as whole numbers of any size."""
        found = np.empty(len(self._every), object)
        found[:] = exact_sums.integers(self._sums(term), self._power, self._every)
        return self._spread(found)


class ClusterSums:
    """Sums of row terms by slice and cluster.

    count: how many slice numbers there are
    own, total: for each term, the sum of each line, and that of its slice, in a unit of the slice
    """

    def __init__(self, state: Sums, number: int, count: int) -> None:
        table = state.table(number)
        slices, clusters = table.line_keys()
        starts = slices.searchsorted(np.arange(count + 1))
        self.lines = lines = ClusterLines(slices, clusters, starts)
        columns = table.columns

        def of_slices(term: str) -> ExactSums:  # no method: a cycle would keep all columns
            return exact_sums.by_slice(columns[term], starts)

        power = min((power for column in columns.values() for power in column), default=0)
        scale = near_one(of_slices("weight"), count)
        self.own = RoundedTerms(
            columns.__getitem__, lambda column: column, lines.spread(scale), power
        )
        self.total = RoundedTerms(of_slices, lines.spread, scale, power)


def near_one(weights: ExactSums, count: int) -> Array:
    """By slice number, the power of two that brings its weight to between ½ and 1.

    Influences are quotients of sums of one slice, which a common factor does not change: with this
    one, no sum of subnormal weights loses bits and no sum of the largest is infinite.
    """
    return -exact_sums.exponents(weights, np.arange(count))


class LineAdder:
    """Adds values of rows by line, exactly.

    codes: the line of each row; digits: its weight in any unit, None: 1 each
    scale: by slice number, the power of two by which sums are multiplied; without it, `near_one`
    """

    def __init__(
        self,
        lines: ClusterLines,
        codes: Array,
        digits: Digits | None,
        scale: Array | None = None,
    ) -> None:
        self.lines = lines
        self._codes, self._digits, self._given = codes, digits, scale

    @cached_property
    def scale(self) -> Array:
        if self._given is not None:
            return self._given
        of_slices = exact_sums.by_slice(self.exact(), self.lines.starts)
        return near_one(of_slices, len(self.lines.starts) - 1)

    def add(self, values: Floats | None = None) -> Floats:
        """Σ weight · value of each line; Σ weight without values."""
        return self._floats(self.exact(values))

    def add_both(self, values: Floats) -> tuple[Floats, Floats]:
        """Σ weight · value of each line and of each slice, from one pass over the rows."""
        sums = self.exact(values)
        return self._floats(sums), self._by_slice(sums)

    def _floats(self, sums: ExactSums) -> Floats:
        every = np.arange(len(self.lines))
        return exact_sums.floats(sums, every, self.lines.spread(self.scale))

    def exact(self, values: Floats | None = None) -> ExactSums:
        """Σ weight · value of each line, in the unit of the digits; Σ weight without values."""
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
        return self._by_slice(self.exact(values))

    def _by_slice(self, sums: ExactSums) -> Floats:
        of_slices = exact_sums.by_slice(sums, self.lines.starts)
        return exact_sums.floats(of_slices, np.arange(len(self.scale)), self.scale)
