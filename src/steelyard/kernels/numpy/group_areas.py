"""The area under each group's ROC curve, and the lowest and highest number of each group."""

import numpy as np

from steelyard.kernels.digits import carry, integers, sum_groups
from steelyard.kernels.interface import Array, Digits, GroupAreas, GroupedRows
from steelyard.kernels.numpy.exact import dot_groups, to_digits
from steelyard.kernels.numpy.grouping import sorted_tables
from steelyard.kernels.numpy.sorted_groups import SortedGroups
from steelyard.kernels.numpy.sorting import bring_together
from steelyard.kernels.ragged import running_sums


def group_areas(
    rows: GroupedRows,
    weights: Array | Digits | None,
    unit: int,
    counts: Array | None,
) -> tuple[GroupAreas, ...]:
    """The area of every group of each table: the total, and one for each column of slices."""
    with_rows = weights is not None or counts is not None
    tables = sorted_tables(rows, with_rows=with_rows)
    digits = to_digits(weights, unit) if isinstance(weights, np.ndarray) else weights
    return tuple(_of_table(table, digits, counts) for table in tables)


def _of_table(table: SortedGroups, digits: Digits | None, counts: Array | None) -> GroupAreas:
    hits = np.flatnonzero(table.grades >= 1)
    first = hits.searchsorted(table.starts)
    rows, positive_rows = np.diff(table.starts), np.diff(first)
    if digits is None:
        areas = _plain(table, hits, first)
    else:
        areas = _weighted(table, hits, first, digits)
    if counts is not None:
        assert table.rows is not None
        ordered = counts.take(table.rows)
        rows = np.diff(running_sums(ordered).take(table.starts))
        positive_rows = np.diff(running_sums(ordered.take(hits)).take(first))
    columns = (rows, positive_rows, *areas)
    return GroupAreas(table.groups, table.slices, *map(_whole, columns))


def _plain(table: SortedGroups, hits: Array, first: Array) -> tuple[Array, Array, Array]:
    """Positives, negatives and the doubled area of each group, where each weight is 1."""
    starts = table.starts
    positives = np.diff(first)
    negatives = np.diff(starts) - positives
    # Positives come first in a block: rows before one are positives, or have a higher score.
    sums = running_sums(hits - np.arange(len(hits)))
    better = np.diff(sums.take(first)) - positives * (starts[:-1] - first[:-1])
    doubled = 2 * positives * negatives - 2 * better
    tied, losers = _losers(table, hits)
    if len(tied):
        sums = np.zeros(len(hits) + 1, np.int64)
        sums[tied + 1] = losers
        doubled -= np.diff(np.cumsum(sums).take(first))
    return positives, negatives, doubled


def _losers(table: SortedGroups, hits: Array) -> tuple[Array, Array]:
    """The positives that tie with negatives, by their place in `hits`, and with how many."""
    alone = table.block_start.take(hits)
    alone &= table.block_start.take(hits + 1, mode="clip")  # nothing ties with the last row
    tied = np.flatnonzero(~alone)
    if len(tied) == 0:
        return tied, tied
    top, bottom = _block_ends(table, hits[tied])
    positives = np.searchsorted(hits, bottom) - np.searchsorted(hits, top)
    return tied, bottom - top - positives


def _block_ends(table: SortedGroups, rows: Array) -> tuple[Array, Array]:
    """Where the tied block of each of these rows starts and ends."""
    blocks = np.flatnonzero(table.block_start)
    block = np.searchsorted(blocks, rows, side="right")
    return blocks[block - 1], np.append(blocks, len(table.grades))[block]


def _weighted(
    table: SortedGroups, hits: Array, first: Array, digits: Digits
) -> tuple[Array, Array, Array]:
    """The same with weights: for each positive the negatives below it, and half of its ties."""
    assert table.rows is not None
    top, bottom = _block_ends(table, hits)
    end = np.repeat(table.starts[1:], np.diff(first))
    own, below, negative = [], [], []
    for digit in digits:
        ordered = digit.take(table.rows).astype(np.int64, copy=False)
        own.append(ordered.take(hits))
        ordered[hits] = 0
        running = running_sums(ordered)
        below.append(2 * running.take(end) - running.take(bottom) - running.take(top))
        negative.append(np.diff(running.take(table.starts)))
    # A single digit of `below` may be negative; the numbers are not, and carrying says so.
    doubled = dot_groups(tuple(own), carry(below), first)
    positives = sum_groups(tuple(own), first)
    return integers(positives), integers(carry(negative)), integers(doubled)


def _whole(column: Array) -> Array:
    """Whole numbers: uint32 where it holds their sum, int64 where it holds the double of each."""
    most = int(column.max(initial=0))
    if most >= 1 << 62:
        return column.astype(object)
    column = column.astype(np.int64)
    if most * len(column) < 1 << 32 or int(column.sum(dtype=np.float64)) < 1 << 32:
        return column.astype(np.uint32)
    return column


def group_ends(codes: Array, count: int, column: Array) -> tuple[Array, Array]:
    """The lowest and the highest number of each group; one pass where a group has one number."""
    found = np.zeros(count, column.dtype)
    found[codes] = column
    if np.array_equal(found[codes], column):
        return found, found
    order, starts = bring_together(codes, count)
    ordered = column.take(order)
    return np.minimum.reduceat(ordered, starts[:-1]), np.maximum.reduceat(ordered, starts[:-1])
