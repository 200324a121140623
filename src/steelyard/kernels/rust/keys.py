"""Keys as numbers by the compiled kernels."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels.interface import Array, CodedKeys, Texts
from steelyard.kernels.rust.columns import packed


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
