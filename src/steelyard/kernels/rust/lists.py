"""Ranked lists by the compiled kernels."""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, GroupedRows, RankedLists, Ties
from steelyard.kernels.rust.columns import packed
from steelyard.kernels.rust.groups import column, grouped_columns


def rank_lists(
    rows: GroupedRows, unscored: Array | None, ties: Ties, keys: Array | None
) -> tuple[RankedLists, ...]:
    """The lists of each table: the total, and one for each column of slices."""
    given = grouped_columns(rows, unscored)
    wide = keys is not None and not np.can_cast(keys.dtype, np.int64)
    if given is None or wide or (ties == "keys" and keys is None):
        return _numpy.rank_lists(rows, unscored, ties, keys)
    keys = None if keys is None else packed(keys, np.int64)
    made = _rust.rank_lists(given, ties, keys, threads.for_rows(len(rows.codes)))
    return tuple(_table(columns, place > 0) for place, columns in enumerate(made))


def _table(columns: Sequence[tuple[bytearray, str]], by_slice: bool) -> RankedLists:
    groups, slices, *amounts = (column(*each) for each in columns)
    judged = (amounts[6], amounts[7]) if len(amounts) > 6 else None
    return RankedLists(groups, slices if by_slice else None, *amounts[:6], judged)
