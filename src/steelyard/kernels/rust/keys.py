"""Keys as numbers, and rows by number, by the compiled kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, CodedKeys, Columns, Texts
from steelyard.kernels.numpy.keys import DENSE
from steelyard.kernels.rust.columns import packed

ENDS = tuple(map(np.dtype, (np.float64, np.uint32, np.int64, np.uint64)))  # types of `group_ends`
IN_CACHE = (
    1 << 22
)  # keys, of which a table fits the cache; beyond, NumPy's narrower tables are faster
SPARE = 8  # times as many rows as groups, for which each thread has all groups


def code_keys(columns: Sequence[Array | Texts]) -> CodedKeys:
    """The number of each row's key, in the order of their first rows, and these rows."""
    rows = len(columns[0].starts if isinstance(columns[0], Texts) else columns[0])
    codes = np.empty(rows, np.uint32)
    firsts = _rust.code_keys([_form(each) for each in columns], codes, threads.for_rows(rows))
    return CodedKeys(codes, np.frombuffer(firsts, np.int64).astype(np.intp, copy=False))


def _form(column: Array | Texts) -> Any:
    if isinstance(column, Texts):
        starts, lengths, data = column
        return packed(starts, np.int64), packed(lengths, np.int64), packed(data).view(np.uint8)
    if column.dtype.kind == "U":
        return packed(column).view(np.uint32), column.dtype.itemsize // 4
    return packed(column)


def rank_keys(columns: Columns) -> tuple[Array, Columns]:
    """The rank of each row's key among the distinct keys, and these in rising order."""
    rows, right = len(columns[0]), columns[1] if len(columns) > 1 else None
    width = 1 if right is None else int(right.max(initial=0)) + 1
    bound = (int(columns[0].max(initial=0)) + 1) * width
    if rows >= 1 << 31 or IN_CACHE < bound <= DENSE * rows:
        return _numpy.rank_keys(columns)
    ranks = np.empty(rows, np.uint32)
    other = None if right is None else packed(right)
    made = _rust.rank_keys(packed(columns[0]), other, width, ranks, threads.for_rows(rows))
    found = np.frombuffer(made, np.int64)
    keys = (found,) if right is None else (found // width, found % width)
    return ranks.view(np.int32), keys


def group_ends(codes: Array, count: int, column: Array) -> tuple[Array, Array]:
    """The lowest and the highest number of each group, in the type of the column."""
    if column.dtype not in ENDS:
        return _numpy.group_ends(codes, count, column)
    low, high = np.empty((2, count), column.dtype)
    number = threads.for_rows(len(codes)) if count * SPARE < len(codes) else 1
    _rust.group_ends(packed(codes), packed(column), low, high, number)
    return low, high


def bring_together(codes: Array, count: int) -> tuple[Array, Array]:
    """The order that makes the rows of each code adjacent, and where each code starts."""
    order, starts = np.zeros(len(codes), np.int64), np.zeros(count + 1, np.int64)
    _rust.bring_together(packed(codes), starts, order)
    return order.astype(np.intp, copy=False), starts
