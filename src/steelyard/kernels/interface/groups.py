"""Rows by group: keys as numbers, the rows of each group in order, and the area of each group.

**Tables.** Slices split groups: rows of one key in two slices are two groups. Functions that take
slices give one table for the total, in which slices do not matter, and one for each column of
slices. A table has the groups that have rows: those of the total by number, the others by slice and
then by number.

**Limits.** Up to 2**32 rows a call. Inputs are never changed. An answer may share memory with an
input only where this is said.

**Whole numbers** are uint32 where that holds the sum of the column's numbers, int64 where it holds
the double of each, and else Python integers: of float weights the sum of all groups is often beyond
int64, and that of each group is not. Compiled kernels leave calls to NumPy where Python integers
are needed, or where weights have more than three digits.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Columns, Digits, Indices


class Texts(NamedTuple):
    """A column of texts: places in a column of bytes, as in Arrow. Two texts may share bytes.

    starts, lengths: int64, the first byte of each text and how many there are; data: uint8
    """

    starts: Array
    lengths: Array
    data: Array


class CodedKeys(NamedTuple):
    """Keys as numbers from 0: equal keys have one number, and every number has a row.

    codes: uint32, the number of each row's key; firsts: a row with each number
    """

    codes: Array
    firsts: Indices


class GroupAreas(NamedTuple):
    """The groups of one table; a row is positive where its grade is 1 or more.

    groups: the number of each group's key; slices: the slice of each group, None for the total
    rows, positive_rows: whole numbers, how many input rows each group has, and the positive ones
    positives, negatives: whole numbers, the weight of each class in multiples of 2**unit
    doubled: whole numbers, twice the weight of the pairs of a positive and a negative in which the
        positive has the higher score, plus once the weight of tied pairs
    """

    groups: Array
    slices: Array | None
    rows: Array
    positive_rows: Array
    positives: Array
    negatives: Array
    doubled: Array


class GroupedRows(NamedTuple):
    """Rows of groups, in any order.

    codes: the number of each row's group, unsigned; groups: how many there are, each with a row
    scores: float32 or float64, finite; grades: uint8 or float64, finite and ≥ 0
    slices: the slice of each row, an unsigned or int64 column for each table but the total
    """

    codes: Array
    groups: int
    scores: Array
    grades: Array
    slices: Columns = ()


class GroupKernels(Protocol):
    """Rows by group: keys as numbers, the rows of each group in order, and areas."""

    def code_keys(self, columns: Sequence[Array | Texts]) -> CodedKeys:
        """The number of each row's key; numbers are in any order.

        A column is of texts, which are compared byte by byte, of NumPy's strings, or of whole
        numbers of any type. There is at least one column. If the rows of each key are adjacent,
        rising numbers are best: `rank_lists` is faster where codes rise.
        """

    def rank_keys(self, columns: Columns) -> tuple[Array, Columns]:
        """The rank of each row's key among the distinct keys, and these in rising order.

        The columns are one or two, of whole numbers ≥ 0 of any type, and the products of their
        highest numbers are below 2**63. Keys are compared by the first column, then by the second.
        Ranks are int32 where that holds them, else int64; the keys are int64, column by column.
        """

    def group_areas(
        self,
        rows: GroupedRows,
        weights: Array | Digits | None,
        unit: int,
        counts: Array | None,
    ) -> tuple[GroupAreas, ...]:
        """The area of every group of each table: the total, and one for each column of slices.

        weights: None: 1 each, and the unit is 0; an array: float32, float64, int64 or uint64,
            each ≥ 0 and a multiple of 2**unit; a tuple: digits, multiples of 2**unit
        counts: int64, how many input rows each row stands for; None: 1 each
        """

    def group_ends(self, codes: Array, count: int, column: Array) -> tuple[Array, Array]:
        """The lowest and the highest number of each group, in the type of the column.

        column: numbers without NaN; every code below `count` has a row
        """

    def bring_together(self, codes: Array, count: int) -> tuple[Array, Array]:
        """The order that makes the rows of each code adjacent, and where each code starts."""
