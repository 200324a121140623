"""What a set of kernels must offer: functions of whole columns, called once a block or range.

**Digits.** An exact non-negative integer column is a tuple of arrays, least significant first, each
value below 2**31, so that a product of two digits fits int64. Weights are such integers times
2**unit.
"""

from fractions import Fraction
from typing import NamedTuple, Protocol

from steelyard.model import Array as Array

Columns = tuple[Array, ...]
Digits = tuple[Array, ...]

DIGIT = 31
MASK = (1 << DIGIT) - 1


class Run(NamedTuple):
    """Scores in ascending order with the weight of each; no digits means that each weighs 1."""

    scores: Array
    digits: Digits | None


class Placement(NamedTuple):
    """The distinct positive scores of a score range, ascending, as rows of two sorted runs.

    starts: the first positive row with that score
    below: the first negative row that does not score lower, so the number of those that do
    past: the first negative row that scores higher; the same array as `below` where nothing ties
    """

    scores: Array
    starts: Array
    below: Array
    past: Array


class GroupCodes(NamedTuple):
    """The group of each row.

    codes: the number of each row's group; None where the rows of each group lie side by side
    starts: then, where each group starts, and the end of all
    keys: the key of each number, column by column; a number may have no row
    """

    codes: Array | None
    starts: Array | None
    keys: Columns


class SortedGroups(NamedTuple):
    """Rows by group, falling score and falling grade.

    starts: where each group starts, and the end of all
    block_start: whether a tied block starts at a row
    rows: the number that each row had in the input; None where it was not requested
    """

    starts: Array
    grades: Array
    block_start: Array
    rows: Array | None


# A sum for each code, in signed digits: int64 columns by the power of two that they count, a
# multiple of 31. A digit is a sum of at most 2**32 of less than 31 bits each.
ExactSums = dict[int, Array]


class SortedRows(NamedTuple):
    """Rows by slice and rising score.

    starts: where each slice starts, and the end of all; columns: what was carried along
    """

    starts: Array
    scores: Array
    columns: Columns


class Kernels(Protocol):
    """One implementation of the hot loops."""

    def split(self, chosen: Array, columns: Columns) -> tuple[Columns, Columns]:
        """The rows that are chosen and the rows that are not, in new arrays."""

    def sort_rows(self, scores: Array, columns: Columns) -> tuple[Array, Columns]:
        """Scores ascending (-0.0 as 0.0), and the columns carried along; the scores are used up."""

    def collapse(self, run: Run, slices: Array) -> tuple[Run, Array]:
        """One entry for each distinct score of each slice, its weights added; where slices start.

        slices: where each slice starts in the run, and the end
        """

    def place(self, positives: Run, negatives: Run) -> Placement:
        """Every distinct positive score among the negatives."""

    def cumulative(self, run: Run) -> Digits:
        """Digit by digit, the weight of the rows before each row and before the end.

        No digits where each row weighs 1: a row's number says it all.
        """

    def weight_before(self, sums: Digits, rows: Array) -> Digits:
        """The weight of the rows before each of these row numbers, given the cumulative weights."""

    def weight_between(self, sums: Digits, rows: Array) -> Digits:
        """The weight of the rows from each of these row numbers to the next."""

    def sum_between(self, column: Array, starts: Array) -> Array:
        """The sum of each slice's whole numbers, which their type holds."""

    def dot_by_slice(self, weights: Digits, numbers: Array, starts: Array) -> ExactSums:
        """Σ weight·number over the rows of each slice, exactly."""

    def lowest_bit(self, weights: Array) -> int:
        """The largest u such that each weight is a whole multiple of 2**u."""

    def to_digits(self, weights: Array, unit: int) -> Digits:
        """Weights as whole multiples of 2**unit."""

    def exact_sum(self, values: Array) -> Fraction:
        """The sum of finite numbers, exactly, whatever their order."""

    def exact_dot(self, values: Array, weights: Array) -> Fraction:
        """The sum of value times weight, exactly."""

    def sums_by_code(
        self,
        codes: Array | None,
        count: int,
        values: Array | None = None,
        weights: Array | None = None,
    ) -> ExactSums:
        """For each code below `count`, the exact sum of value times weight; without either, 1.

        Values are floats, booleans without weights, or whole numbers of zero or more; weights are
        zero or more. Without codes
        all rows have the code 0, and values or weights are there.
        """

    def exact_sums_of(self, amount: int, power: int) -> ExactSums:
        """One whole number times 2**power, as digits of one code."""

    def sort_keyed(
        self, codes: Array | None, count: int, scores: Array, columns: Columns
    ) -> SortedRows:
        """Rows by code and rising score (-0.0 as 0.0); the scores are used up."""

    def bring_together(self, codes: Array, count: int) -> tuple[Array, Array]:
        """The order that puts the rows of each code side by side, and where each code starts."""

    def place_keyed(self, positives: SortedRows, negatives: SortedRows) -> Placement:
        """Every distinct positive score of each slice among the slice's negatives."""

    def log(self, values: Array) -> Array:
        """ln of finite numbers of zero or more, as float64: −∞ at 0; the same bits everywhere."""

    def log_complement(self, values: Array) -> Array:
        """ln(1 − p) for p from 0 to 1, as float64, accurate for a small p too: −∞ at 1."""

    def log_chance(self, values: Array, happened: Array) -> Array:
        """ln p of the rows that happened and ln(1 − p) of the others: the bits of the two above."""

    def log_one_plus(self, values: Array) -> Array:
        """ln(1 + x) of numbers of zero or more, accurate for a small x too."""

    def log2_counts(self, counts: Array) -> Array:
        """log2 of whole numbers from 1; exact for powers of two."""

    def one_minus_log1p_ratio(self, z: Array, y: Array) -> tuple[Array, Array]:
        """1 − ln(1+z)/z and ln(1+z)/z for z ≥ 0; y is z/(2+z)."""

    def atanh_tail(self, y: Array, terms: int) -> Array:
        """y²/3 + y⁴/5 + …, so many terms."""

    def exp(self, values: Array) -> Array:
        """e to the power of a number, as float64; 0 and ∞ beyond the range."""

    def inversions(self, codes: Array, digits: Digits | None) -> int:
        """Σ of weight times weight over pairs whose later row has the lower code.

        Codes are whole numbers from 0; no digits mean that each row weighs 1.
        """

    def dot(self, left: Digits, right: Digits) -> int:
        """The sum of products of two exact integer columns."""

    def total(self, digits: Digits) -> int:
        """The sum of one exact integer column."""

    def shift(self, digits: Digits, bits: int) -> Digits:
        """Each integer times 2**bits: the same weights, counted in a smaller unit."""

    def integers(self, digits: Digits) -> Array:
        """Exact integers as one column: int64 where two digits hold them, else Python's."""

    def number_groups(self, columns: Columns) -> GroupCodes:
        """The group of each row by its keys: int64 or uint64 columns, side by side."""

    def sort_groups(
        self, groups: GroupCodes, scores: Array, grades: Array, *, rows: bool
    ) -> SortedGroups:
        """Rows by group, falling score (-0.0 as 0.0) and falling grade."""

    def order_ties(self, numbers: Array, keys: Array) -> Array:
        """The order of rows by block and rising key; `numbers` rise already."""

    def sum_groups(self, digits: Digits, starts: Array) -> Digits:
        """The sum of each group's rows, of an exact integer column."""

    def dot_groups(self, left: Digits, right: Digits, starts: Array) -> Digits:
        """The sum of products of two exact integer columns, of each group's rows."""
