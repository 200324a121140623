"""Rows by group: keys as numbers, and the rows of each group in order."""

from typing import NamedTuple, Protocol

import numpy as np

from steelyard.kernels.interface.exact import Array, Columns, Digits, Indices, UnsignedWords


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


class GroupKernels(Protocol):
    """Rows by group: keys as numbers, and the rows of each group in order."""

    def distinct(self, words: UnsignedWords) -> tuple[Indices, Indices]:
        """The number of each word, counted from 0, and the index of a word with each number.

        Numbers may come in any order, but equal words have one number.
        """

    def ranked(self, words: Array, bound: int) -> tuple[Array, Array]:
        """The rank of each word among the distinct ones, and these in rising order.

        words: of any unsigned type, all below `bound`
        """

    def bring_together(self, codes: Array, count: int) -> tuple[Array, Array]:
        """The order that makes the rows of each code adjacent, and where each code starts."""

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
