"""Ranked lists, from rows that are sorted by group and falling score."""

import numpy as np

from steelyard.kernels.interface import Array, GroupedRows, RankedLists, Ties
from steelyard.kernels.numpy.grouping import order_ties, sort_groups
from steelyard.kernels.numpy.sorted_groups import SortedGroups
from steelyard.kernels.ragged import steps


def rank_lists(
    rows: GroupedRows, unscored: Array | None, ties: Ties, keys: Array | None
) -> tuple[RankedLists, ...]:
    """The lists of each table: the total, and one for each column of slices."""
    tables = sort_groups(rows, unscored, with_rows=ties == "keys")
    return tuple(_ranked(table, ties, keys) for table in tables)


def _ranked(table: SortedGroups, ties: Ties, keys: Array | None) -> RankedLists:
    grades, sizes = table.grades, steps(table.starts)
    apart = ties != "expected" or bool(table.block_start.all())
    if ties in ("pessimistic", "keys") and not table.block_start.all():
        grades = order_ties(table, keys)
    hits = np.flatnonzero(grades)
    starts = hits.searchsorted(table.starts)
    first, tied = hits, np.ones(len(hits), np.uint32)
    if not apart:
        blocks = np.flatnonzero(table.block_start)
        place = blocks.searchsorted(hits, side="right")
        first = blocks[place - 1]
        tied = (np.append(blocks, len(grades))[place] - first).astype(np.uint32)
    above = (first - np.repeat(table.starts[:-1], steps(starts))).astype(np.uint32)
    rows, judged = sizes, None
    if table.judged is not None:
        rows = sizes + steps(table.judged[0])
        graded = np.flatnonzero(table.judged[1])
        judged = graded.searchsorted(table.judged[0]), table.judged[1][graded]
    columns = rows, sizes, starts, grades[hits], above, tied
    return RankedLists(table.groups, table.slices, *columns, judged)
