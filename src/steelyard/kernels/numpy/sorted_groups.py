"""Rows in the order of groups and scores."""

from typing import NamedTuple

from steelyard.kernels.interface import Array


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
