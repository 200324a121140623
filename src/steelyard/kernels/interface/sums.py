"""Checks of columns, exact sums, and weights as whole numbers."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Digits, ExactSums
from steelyard.kernels.interface.terms import RowCodes, RowTerm, TermColumns
from steelyard.model import Floats


class BadRows(NamedTuple):
    """The rows that fail a check: how many, and the number of the first (0 where none does)."""

    rows: int
    first: int


class CheckedColumn(NamedTuple):
    """The least and the largest value, both NaN where a value is, 0 where there are no rows.

    0.0 and −0.0 are equal: an end may be either.

    bad: for each check, the rows that fail it
    """

    least: float
    largest: float
    bad: tuple[BadRows, ...]


class SumKernels(Protocol):
    """Checks of columns, exact sums, and weights as whole numbers."""

    def check_column(self, values: Array, checks: Sequence[str]) -> CheckedColumn:
        """The ends of a column of numbers or booleans, and for each check the rows that fail it.

        "present": it is not NaN. "finite": it is not infinite. "positive": it is above 0.
        "not_negative": it is 0 or more. "probability": it is from 0 to 1. "count": it is a whole
        number from 0 to 2**63 − 1. NaN fails "present" and "count" alone.
        """

    def add_terms(
        self, lines: Sequence[RowCodes], columns: TermColumns, terms: Sequence[RowTerm]
    ) -> list[list[ExactSums]]:
        """For each coding of the rows, and each term, the exact sums by code, in new arrays.

        A column of sums is as long as its coding has codes; it may be empty (`{}`) where every row
        adds 0. Columns are only read. The sums do not depend on the order of rows, but which powers
        of two have a digit may. Up to 2**32 rows a call.
        """

    def largest_errors(
        self, lines: Sequence[RowCodes], columns: TermColumns, formula: str
    ) -> list[Floats]:
        """For each coding, the largest value of a formula of truth and prediction by code.

        It is +∞ where float64 does not hold it, −∞ where a code has no rows.
        """

    def bin_codes(self, columns: TermColumns, bins: int) -> Array:
        """The bin of each row's probability, as int64: how many of the edges 1/B, 2/B, … are not
        above it, each the float64 nearest to k/B; 1 is in the last bin.
        """

    def rank_codes(self, columns: TermColumns) -> Array:
        """above · classes + level, as uint64: how many classes have a higher score than the true
        one, and how many others have the same.
        """

    def lowest_bit(self, weights: Array) -> int:
        """The largest u such that each weight is a whole multiple of 2**u; 0 without weights."""

    def to_digits(self, weights: Array, unit: int) -> Digits:
        """Weights as whole multiples of 2**unit, which divides each of them."""

    def sums_by_code(
        self,
        codes: Array | None,
        count: int,
        values: Array | None = None,
        weights: Array | None = None,
    ) -> ExactSums:
        """For each code below `count`, the exact sum of value times weight; without both, of 1.

        Values are floats, booleans without weights, or whole numbers ≥ 0; weights are ≥ 0. Without
        codes all rows have the code 0, and values or weights are required.
        """
