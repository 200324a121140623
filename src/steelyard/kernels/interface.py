"""The functions of a set of kernels: each works on whole columns, once per block or range.

**Digits.** A column of exact non-negative integers is a tuple of arrays, least significant digit
first, each value below 2**31, so that int64 holds a product of two digits. Weights are such
integers times 2**unit.

**Exact sums.** A column of exact sums, one for each code, is a dict of int64 arrays: signed digits
by the power of two that they count, a multiple of 31. A digit is a sum of at most 2**32 values of
less than 31 bits each.
"""

from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from steelyard.model import Array as Array

Columns = tuple[Array, ...]
Digits = tuple[Array, ...]
ExactSums = dict[int, Array]
UnsignedWords = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.intp]

DIGIT = 31  # bits
MASK = (1 << DIGIT) - 1


class Run(NamedTuple):
    """Rows by rising score, with their weights; digits None: each weight is 1."""

    scores: Array
    digits: Digits | None


class KeyedRun(NamedTuple):
    """Rows by slice and rising score, with their weights; digits None: each weight is 1.

    starts: where each slice starts, and the end of all
    """

    starts: Array
    scores: Array
    digits: Digits | None

    @property
    def run(self) -> Run:
        """The rows without their slices."""
        return Run(self.scores, self.digits)


class Placement(NamedTuple):
    """The distinct positive scores, rising, and their places in the runs of both classes.

    starts: the first positive row with that score
    below: the first negative row with that score or a higher one: how many have a lower one
    past: the first negative row with a higher score; the same array as `below` without any tie
    """

    scores: Array
    starts: Array
    below: Array
    past: Array


class GroupCodes(NamedTuple):
    """The group of each row.

    codes: the number of each row's group; None where the rows of each group are adjacent
    starts: where each group starts, and the end of all; None where there are codes
    keys: the key of each number, column by column; a number may have no row
    """

    codes: Array | None
    starts: Array | None
    keys: Columns

    def row_codes(self) -> Array:
        """The number of each row's group."""
        if self.codes is not None:
            return self.codes
        sizes = self.sizes()
        return np.repeat(np.arange(len(sizes)), sizes)

    def sizes(self) -> Array:
        """How many rows each number has."""
        if self.codes is not None:
            return np.bincount(self.codes, minlength=len(self.keys[0]))
        assert self.starts is not None
        return np.diff(self.starts)


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


class SortedRows(NamedTuple):
    """Rows by slice and rising score.

    starts: where each slice starts, and the end of all; columns: other columns of the rows
    """

    starts: Array
    scores: Array
    columns: Columns


class Kernels(Protocol):
    """One implementation of the hot loops."""

    def distinct(self, words: UnsignedWords) -> tuple[Indices, Indices]:
        """The number of each word, counted from 0, and the index of a word with each number.

        Numbers may come in any order, but equal words have one number.
        """

    def ranked(self, words: Array, bound: int) -> tuple[Array, Array]:
        """The rank of each word among the distinct ones, and these in rising order.

        words: of any unsigned type, all below `bound`
        """

    def split(self, chosen: Array, columns: Columns) -> tuple[Columns, Columns]:
        """The columns of the rows that are chosen, and of the rows that are not, in new arrays."""

    def sort_rows(self, scores: Array, columns: Columns) -> tuple[Array, Columns]:
        """Rows by rising score (-0.0 as 0.0), with their columns; `scores` is overwritten."""

    def collapse(self, rows: KeyedRun) -> KeyedRun:
        """One row for each distinct score of each slice, with its total weight."""

    def place(self, positives: Run, negatives: Run) -> Placement:
        """The place of every distinct positive score among the negatives."""

    def cumulative(self, run: Run) -> Digits:
        """Digit by digit, the weight before each row and of all.

        No digits where each weight is 1: the weight before a row is its number.
        """

    def weight_before(self, sums: Digits, rows: Array) -> Digits:
        """The weight before each of these row numbers; sums: the result of `cumulative`."""

    def weight_between(self, sums: Digits, rows: Array) -> Digits:
        """The weight from each of these row numbers to the next; sums: as in `weight_before`."""

    def sum_between(self, column: Array, starts: Array) -> Array:
        """The sum of each slice's whole numbers, which must fit their type."""

    def dot_by_slice(self, weights: Digits, numbers: Array, starts: Array) -> ExactSums:
        """The exact Σ weight·number over the rows of each slice."""

    def lowest_bit(self, weights: Array) -> int:
        """The largest u such that each weight is a whole multiple of 2**u; 0 without weights."""

    def to_digits(self, weights: Array, unit: int) -> Digits:
        """Weights as whole multiples of 2**unit, which divides each of them."""

    def exact_sum(self, values: Array) -> Fraction:
        """The exact sum of finite numbers, which does not depend on their order."""

    def exact_dot(self, values: Array, weights: Array) -> Fraction:
        """The exact sum of value times weight; weights are ≥ 0."""

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

    def exact_sums_of(self, amount: int, power: int) -> ExactSums:
        """The column of exact sums with one line: amount · 2**power."""

    def sort_keyed(
        self, codes: Array | None, count: int, scores: Array, columns: Columns
    ) -> SortedRows:
        """Rows by code and rising score (-0.0 as 0.0), their columns; `scores` is overwritten."""

    def bring_together(self, codes: Array, count: int) -> tuple[Array, Array]:
        """The order that makes the rows of each code adjacent, and where each code starts."""

    def place_keyed(self, positives: KeyedRun, negatives: KeyedRun) -> Placement:
        """The place of every distinct positive score of each slice among its negatives."""

    def log(self, values: Array) -> Array:
        """ln of finite numbers ≥ 0, as float64: −∞ at 0; the same bits everywhere."""

    def log_complement(self, values: Array) -> Array:
        """ln(1 − p) for p from 0 to 1, as float64, also accurate for a small p: −∞ at 1."""

    def log_chance(self, values: Array, happened: Array) -> Array:
        """ln p of the rows that happened, ln(1 − p) of the others: the bits of the two above."""

    def log_one_plus(self, values: Array) -> Array:
        """ln(1 + x) of numbers ≥ 0, also accurate for a small x."""

    def log2_counts(self, counts: Array) -> Array:
        """log2 of whole numbers from 1; exact for powers of two."""

    def one_minus_log1p_ratio(self, z: Array, y: Array) -> tuple[Array, Array]:
        """1 − ln(1+z)/z and ln(1+z)/z for z ≥ 0; y is z/(2+z)."""

    def atanh_tail(self, y: Array, terms: int) -> Array:
        """The first terms of y²/3 + y⁴/5 + …."""

    def exp(self, values: Array) -> Array:
        """e to the power of each number, as float64; 0 and ∞ beyond float64."""

    def inversions(self, codes: Array, digits: Digits | None) -> int:
        """Σ of weight times weight over the pairs of rows whose later row has the lower code.

        Codes are whole numbers from 0; digits None: each weight is 1.
        """

    def dot(self, left: Digits, right: Digits) -> int:
        """The sum of the products of two exact integer columns."""

    def total(self, digits: Digits) -> int:
        """The sum of one exact integer column."""

    def shift(self, digits: Digits, bits: int) -> Digits:
        """Each integer times 2**bits: the same weights, counted in a smaller unit."""

    def integers(self, digits: Digits) -> Array:
        """Exact integers as one column: int64 where two digits hold them, else Python integers."""

    def number_groups(self, columns: Columns) -> GroupCodes:
        """The group of each row by its keys, which are int64 or uint64 columns."""

    def sort_groups(
        self, groups: GroupCodes, scores: Array, grades: Array, *, rows: bool
    ) -> SortedGroups:
        """Rows by group, falling score (-0.0 as 0.0) and falling grade.

        rows: whether row numbers are needed
        """

    def order_ties(self, numbers: Array, keys: Array) -> Array:
        """The order of rows by block and rising key; numbers: the block of each row, rising."""

    def sum_groups(self, digits: Digits, starts: Array) -> Digits:
        """The sum over each group's rows of an exact integer column."""

    def dot_groups(self, left: Digits, right: Digits, starts: Array) -> Digits:
        """The sum over each group's rows of the products of two exact integer columns."""
