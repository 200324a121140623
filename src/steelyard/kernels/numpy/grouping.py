"""Rows sorted by group and falling score, without a loop over groups.

Where the row numbers are not needed, group, score and grade are packed into one 64-bit key and
sorted (packing.py). Otherwise the rows of each group are brought together, and groups of about one
size are sorted together as the lines of a matrix.
"""

import numpy as np

from steelyard.kernels.interface import Array, Columns, GroupCodes, SortedGroups
from steelyard.kernels.numpy.numbering import distinct
from steelyard.kernels.numpy.packing import KEY_BITS, sort_packed
from steelyard.kernels.numpy.sorting import bring_together, sortable
from steelyard.kernels.ragged import as_matrix, by_length, spread, tied_rows

DENSE = 2  # keys whose range is below so many times the rows are numbered without hashing


def number_groups(columns: Columns) -> GroupCodes:
    """The group of each row by its keys, and the keys of each group."""
    if len(columns) == 1:
        starts = _adjacent_starts(columns[0])
        if starts is not None:
            return GroupCodes(None, starts, (columns[0][starts[:-1]],))
    codes, keys = _number(columns[0])
    found = [keys]
    for column in columns[1:]:
        more, keys = _number(column)
        pairs, both = _number(codes * len(keys) + more)
        found = [part[both // len(keys)] for part in found] + [keys[both % len(keys)]]
        codes = pairs
    return GroupCodes(codes, None, tuple(found))


def _adjacent_starts(keys: Array) -> Array | None:
    """Where each group starts, and the end, if the rows of every group are adjacent."""
    changes = keys[1:] != keys[:-1]
    if 2 * np.count_nonzero(changes) > len(keys) > 1:
        return None
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1, [len(keys)]]) if len(keys) else [0]
    first = keys[starts[:-1]]
    if not (first[1:] > first[:-1]).all() and len(distinct(_as_words(first))[1]) < len(first):
        return None
    return np.asarray(starts, np.intp)


def _number(keys: Array) -> tuple[Array, Array]:
    """A number from 0 for each row's key, and the key of each number; some may have no row."""
    low, high = (int(keys.min()), int(keys.max())) if len(keys) else (0, -1)
    if high - low < DENSE * len(keys):
        least = keys.dtype.type(low)
        codes = keys if low == 0 else keys - least
        known = np.arange(high - low + 1).astype(keys.dtype) + least
        return codes.astype(np.int64, copy=False), known
    codes, firsts = distinct(_as_words(keys))
    return codes, keys[firsts]


def _as_words(keys: Array) -> Array:
    """The same 64 bits as unsigned integers, as `distinct` takes them."""
    return np.ascontiguousarray(keys).view(np.uint64)


def sort_groups(groups: GroupCodes, scores: Array, grades: Array, *, rows: bool) -> SortedGroups:
    """Rows by group, falling score and falling grade; rows: whether row numbers are needed."""
    if not rows and grades.dtype == np.uint8:
        packed = sort_packed(groups, scores, grades)
        if packed is not None:
            found, certain = packed
            return found if certain else _sort_near_ties_again(found, groups, scores, grades)
    return _sort_rows(groups, scores, grades)


def _sort_near_ties_again(
    found: SortedGroups, groups: GroupCodes, scores: Array, grades: Array
) -> SortedGroups:
    """Sort again the groups with two equal keys, whose scores may be equal or only close."""
    close = np.flatnonzero(~found.block_start)
    if not len(close):
        return found
    starts, sizes = found.starts, np.diff(found.starts)
    again = np.unique(np.searchsorted(starts, close, side="right") - 1)
    if 2 * sizes[again].sum() > len(scores):
        return _sort_rows(groups, scores, grades)
    places, numbers = spread(starts[again], sizes[again])
    if groups.codes is None:
        rows, codes = places, numbers
    else:
        new_codes = np.full(len(sizes), -1)
        new_codes[again] = np.arange(len(again))
        codes = new_codes[groups.codes]
        rows = np.flatnonzero(codes >= 0)
        codes = codes[rows]
    some = _sort_rows(GroupCodes(codes, None, (again,)), scores[rows], grades[rows])
    found.grades[places], found.block_start[places] = some.grades, some.block_start
    return found


def _sort_rows(groups: GroupCodes, scores: Array, grades: Array) -> SortedGroups:
    """Rows by group, falling score and falling grade, through the order of row numbers."""
    order, starts = None, groups.starts
    if groups.codes is not None:
        order, starts = bring_together(groups.codes, len(groups.keys[0]))
    assert starts is not None
    together = scores if order is None else scores.take(order)
    within = order_within(starts, together, falling=True)
    order = within if order is None else order.take(within)
    ordered = together.take(within)
    block_start = ordered[1:] != ordered[:-1]
    del together, ordered, within
    block_start = np.concatenate([np.ones(min(len(order), 1), bool), block_start])
    block_start[starts[:-1][np.diff(starts) > 0]] = True
    grades = grades.take(order)
    if not block_start.all():
        tied, numbers = tied_rows(block_start)
        moved = tied[order_ties(numbers, _falling(grades[tied]))]
        order[tied], grades[tied] = order[moved], grades[moved]
    return SortedGroups(starts, grades, block_start, order)


def order_ties(numbers: Array, keys: Array) -> Array:
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
