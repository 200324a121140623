"""Rows sorted by group and falling score, without a loop over groups.

Where the row numbers are not needed, group, score, grade and slices are packed into one 64-bit key
and sorted (packing.py). Otherwise the rows of each group are brought together, and groups of about
one size are sorted together as the lines of a matrix. The rows of a `by` are those of the total,
brought together by slice: no table but the total is sorted by score.
"""

from collections.abc import Iterator

import numpy as np

from steelyard.kernels.interface import Array, Columns, GroupedRows
from steelyard.kernels.numpy.packing import KEY_BITS, narrow, sort_packed
from steelyard.kernels.numpy.sorted_groups import SortedGroups
from steelyard.kernels.numpy.sorting import bring_together, by_code, sortable
from steelyard.kernels.ragged import as_matrix, by_length, spread, tied_rows
from steelyard.kernels.row_blocks import blocks


def sort_groups(
    rows: GroupedRows, unscored: Array | None = None, *, with_rows: bool
) -> tuple[SortedGroups, ...]:
    """The rows of each table in order: the total, and one for each column of slices."""
    if unscored is not None:
        lowest = np.where(unscored, rows.scores.dtype.type(-np.inf), rows.scores)
        tables = sorted_tables(rows._replace(scores=lowest), with_rows=True)
        return tuple(_without_unscored(table, unscored) for table in tables)
    return tuple(sorted_tables(rows, with_rows=with_rows))


def sorted_tables(rows: GroupedRows, *, with_rows: bool) -> Iterator[SortedGroups]:
    """The tables one by one, so that only one of them need be in memory with the total."""
    total, slices = _sort_total(rows, with_rows)
    yield total
    yield from (_by_slice(total, codes) for codes in slices)


def _sort_total(rows: GroupedRows, with_rows: bool) -> tuple[SortedGroups, Columns]:
    """The rows of the total in order, and the slices of these rows."""
    starts = _adjacent_starts(rows.codes)
    if not with_rows and rows.grades.dtype == np.uint8:
        packed = sort_packed(rows, starts)
        if packed is not None:
            found, slices, certain = packed
            return found if certain else _sort_near_ties_again(found, rows, starts), slices
    found = _sort_rows(rows, starts)
    assert found.rows is not None
    return found, tuple(narrow(codes).take(found.rows) for codes in rows.slices)


def _adjacent_starts(codes: Array) -> Array | None:
    """Where each group starts, and the end, if codes rise."""
    for block in blocks(len(codes) - 1):
        if (codes[1:][block] < codes[block]).any():
            return None
    changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
    return np.concatenate([np.zeros(min(len(codes), 1), np.intp), changes, [len(codes)]])


def _by_slice(total: SortedGroups, codes: Array) -> SortedGroups:
    """The rows of a `by`: those of the total, in the same order within each slice."""
    order = by_code(codes)
    block = np.cumsum(total.block_start, dtype=np.uint32).take(order)
    group = np.repeat(total.groups.astype(np.uint32), np.diff(total.starts)).take(order)
    codes = codes.take(order)
    first = np.ones(len(codes), bool)
    np.not_equal(codes[1:], codes[:-1], out=first[1:])
    block_start = first.copy()
    block_start[1:] |= block[1:] != block[:-1]
    first[1:] |= group[1:] != group[:-1]
    starts = np.flatnonzero(first)
    return SortedGroups(
        group[starts].astype(np.intp),
        codes[starts].astype(np.intp),
        np.append(starts, len(codes)),
        total.grades.take(order),
        block_start,
        None if total.rows is None else total.rows.take(order),
    )


def _without_unscored(table: SortedGroups, unscored: Array) -> SortedGroups:
    """The table with the unscored rows, the last of each group, in columns of their own."""
    assert table.rows is not None
    last = unscored.take(table.rows)
    listed, judged = np.flatnonzero(~last), np.flatnonzero(last)
    return table._replace(
        starts=listed.searchsorted(table.starts),
        grades=table.grades[listed],
        block_start=table.block_start[listed],
        rows=table.rows[listed],
        judged=(judged.searchsorted(table.starts), table.grades[judged]),
    )


def _sort_near_ties_again(
    found: SortedGroups, rows: GroupedRows, adjacent: Array | None
) -> SortedGroups:
    """Sort again the groups with two equal keys, whose scores may be equal or only close."""
    close = np.flatnonzero(~found.block_start)
    if not len(close):
        return found
    starts, sizes = found.starts, np.diff(found.starts)
    again = np.unique(np.searchsorted(starts, close, side="right") - 1)
    if 2 * sizes[again].sum() > len(rows.scores):
        return _sort_rows(rows, adjacent)
    places, numbers = spread(starts[again], sizes[again])
    if adjacent is not None:
        chosen, codes = places, numbers
    else:
        new_codes = np.full(len(sizes), -1)
        new_codes[again] = np.arange(len(again))
        codes = new_codes[rows.codes]
        chosen = np.flatnonzero(codes >= 0)
        codes = codes[chosen]
    few = GroupedRows(codes, len(again), rows.scores[chosen], rows.grades[chosen])
    some = _sort_rows(few, _adjacent_starts(codes))
    found.grades[places], found.block_start[places] = some.grades, some.block_start
    return found


def _sort_rows(rows: GroupedRows, starts: Array | None) -> SortedGroups:
    """Rows by group, falling score and falling grade, through the order of row numbers."""
    order, scores = None, rows.scores
    if starts is None:
        order, starts = bring_together(rows.codes, rows.groups)
    together = scores if order is None else scores.take(order)
    within = order_within(starts, together, falling=True)
    order = within if order is None else order.take(within)
    ordered = together.take(within)
    block_start = ordered[1:] != ordered[:-1]
    del together, ordered, within
    block_start = np.concatenate([np.ones(min(len(order), 1), bool), block_start])
    block_start[starts[:-1][np.diff(starts) > 0]] = True
    grades = rows.grades.take(order)
    if not block_start.all():
        tied, numbers = tied_rows(block_start)
        moved = tied[_order_in_blocks(numbers, _falling(grades[tied]))]
        order[tied], grades[tied] = order[moved], grades[moved]
    return SortedGroups(np.arange(rows.groups), None, starts, grades, block_start, order)


def order_ties(table: SortedGroups, keys: Array | None) -> Array:
    """The grades of a sorted table with each tied block by rising key; None: by rising grade."""
    tied, numbers = tied_rows(table.block_start)
    if keys is None:
        keys = table.grades[tied]
    else:
        assert table.rows is not None
        keys = keys[table.rows[tied]]
    grades = table.grades.copy()
    grades[tied] = grades[tied[_order_in_blocks(numbers, keys)]]
    return grades


def _order_in_blocks(numbers: Array, keys: Array) -> Array:
    """The order of rows by block and rising key; rows that agree in both keep their order."""
    width = max(len(keys) - 1, 1).bit_length()
    if keys.dtype.kind == "u" and len(keys):
        spare = int(keys.max()).bit_length()
        if int(numbers[-1]).bit_length() + spare + width <= KEY_BITS:
            packed = (numbers.astype(np.uint64) << np.uint64(spare)) | keys
            packed = (packed << np.uint64(width)) | np.arange(len(keys), dtype=np.uint64)
            packed.sort()
            return (packed & np.uint64((1 << width) - 1)).astype(np.intp)
    return np.lexsort((keys, numbers))


def _falling(grades: Array) -> Array:
    """Keys that sort the highest grade first."""
    return np.uint8(255) - grades if grades.dtype == np.uint8 else -grades


def order_within(
    starts: Array, scores: Array, chosen: Array | None = None, *, falling: bool = False
) -> Array:
    """The order that sorts the rows of each chosen group by score; without `chosen`, of all."""
    sizes = np.diff(starts)
    chosen = np.arange(len(sizes)) if chosen is None else chosen
    order = np.arange(len(scores))
    for some, width in by_length(sizes[chosen]):
        if width:
            these = chosen[some]
            _sort_matrix(order, starts[these], sizes[these], scores, width, falling)
    return order


def _sort_matrix(
    order: Array, starts: Array, sizes: Array, scores: Array, width: int, falling: bool
) -> None:
    """Sort groups of at most 2**width rows as the lines of a matrix of keys, into `order`."""
    cells, real = as_matrix(starts, sizes, width, len(scores) - 1)
    values = scores.take(cells) + scores.dtype.type(0)  # -0.0 + 0.0 is 0.0
    keys = ~sortable(values) if falling else sortable(values)
    place = np.arange(1 << width, dtype=np.uint64)
    if keys.dtype == np.uint32:
        keys = (keys.astype(np.uint64) << np.uint64(32)) | place
    else:
        keys &= ~np.uint64((1 << width) - 1)
        keys |= place
    keys[~real] = np.iinfo(np.uint64).max
    keys.sort(axis=1)
    found = starts[:, None] + (keys & np.uint64((1 << width) - 1)).astype(np.int64)
    order[cells[real]] = found[real]
    if values.dtype == np.float64:
        _sort_close_scores_again(order, starts, sizes, scores, keys >> np.uint64(width), falling)


def _sort_close_scores_again(
    order: Array, starts: Array, sizes: Array, scores: Array, kept: Array, falling: bool
) -> None:
    """Sort again the groups with two different scores that have equal bits in the key."""
    close = (kept[:, 1:] == kept[:, :-1]) & (np.arange(1, kept.shape[1]) < sizes[:, None])
    if not close.any():
        return
    group, column = np.nonzero(close)
    here = starts[group] + column
    differ = scores[order[here]] != scores[order[here + 1]]
    again = np.unique(group[differ])  # few: a key lacks only as many bits as a row number has
    rows, member = spread(starts[again], sizes[again])
    key = scores[order[rows]]
    order[rows] = order[rows[np.lexsort((-key if falling else key, member))]]
