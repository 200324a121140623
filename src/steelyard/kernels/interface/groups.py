"""Rows by group: keys as numbers, the rows of each group in order, and the area of each group.

**Tables.** Slices split groups: rows of one key in two slices are two groups. Functions that take
slices give one table for the total, in which slices do not matter, and one for each column of
slices. A table has the groups that have rows: those of the total by number, the others by slice and
then by number.

**Limits.** Up to 2**32 rows a call. Inputs are never changed. An answer may share memory with an
input only where this is said.

**Whole numbers** are uint32, int64 or Python integers, whichever is the narrowest that holds the
sum of the column's numbers. A compiled kernel may return NotImplemented where Python integers are
needed, or where weights have more than three digits.
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


class SortedGroups(NamedTuple):
    """The rows of one table by group, falling score (-0.0 as 0.0) and falling grade.

    groups: the number of each group's key; slices: the slice of each group, None for the total
    starts: where each group starts, and the end of all
    grades: in the type of the input; block_start: bool, whether a tied block starts at a row
    rows: the input row of each, ascending within equal group, score and grade; None where row
        numbers were not requested (a kernel may give them nevertheless)
    judged: where the unscored rows of each group start, and the end; and their grades, in any order
        within a group. None where all rows have a score. They are in no other column
    """

    groups: Array
    slices: Array | None
    starts: Array
    grades: Array
    block_start: Array
    rows: Array | None = None
    judged: tuple[Array, Array] | None = None


class GroupAreas(NamedTuple):
    """The groups of one table; a row is positive where its grade is 1 or more.

    groups, slices: as of `SortedGroups`
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

        A column is of texts, which are compared byte by byte, or of whole numbers of any type.
        There is at least one column. If the rows of each key are adjacent, rising numbers are best:
        `sort_groups` is faster where codes rise.
        """

    def rank_keys(self, columns: Columns) -> tuple[Array, Columns]:
        """The rank of each row's key among the distinct keys, and these in rising order.

        The columns are one or two, of whole numbers ≥ 0 of any type, and the products of their
        highest numbers are below 2**63. Keys are compared by the first column, then by the second.
        Ranks are int32 where that holds them, else int64; the keys are int64, column by column.
        """

    def sort_groups(
        self, rows: GroupedRows, unscored: Array | None = None, *, with_rows: bool
    ) -> tuple[SortedGroups, ...]:
        """The rows of each table in order: the total, and one for each column of slices.

        unscored: bool, the rows whose score has no meaning
        with_rows: whether row numbers are needed
        """

    def group_areas(
        self,
        rows: GroupedRows,
        weights: Array | Digits | None,
        unit: int,
        counts: Array | None,
        ordered: tuple[SortedGroups, ...] | None = None,
    ) -> tuple[GroupAreas, ...]:
        """The area of every group of each table: the total, and one for each column of slices.

        weights: None: 1 each, and the unit is 0; an array: float32, float64, int64 or uint64,
            each ≥ 0 and a multiple of 2**unit; a tuple: digits, multiples of 2**unit
        counts: int64, how many input rows each row stands for; None: 1 each
        ordered: what `sort_groups` gave for all these rows, if it was called before; a kernel need
            not read it
        """

    def group_ends(self, codes: Array, count: int, column: Array) -> tuple[Array, Array]:
        """The lowest and the highest number of each group, in the type of the column.

        column: numbers without NaN; every code below `count` has a row
        """

    def order_ties(self, table: SortedGroups, keys: Array | None) -> Array:
        """The grades of a sorted table, in a new array, with each tied block in another order.

        keys: a number for each input row, by which the rows of a block rise; the table has row
            numbers. Rows of equal keys stay in order. None: grades rise
        """

    def bring_together(self, codes: Array, count: int) -> tuple[Array, Array]:
        """The order that makes the rows of each code adjacent, and where each code starts."""

    def sum_groups(self, digits: Digits, starts: Array) -> Digits:
        """The sum over each group's rows of an exact integer column."""

    def dot_groups(self, left: Digits, right: Digits, starts: Array) -> Digits:
        """The sum over each group's rows of the products of two exact integer columns."""
