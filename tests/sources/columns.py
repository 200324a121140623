"""Five rows that every column test shares, with a tie and one pair in the wrong order.

So AUC shows a column that was shuffled, cut or rounded. The oracle counts pairs.
"""

from fractions import Fraction
from typing import Any

import numpy as np

import steelyard

sy: Any = steelyard  # the stubs refuse most of what these tests hand over, as they should

Y = [0, 1, 0, 1, 1]
S = [1, 2, 3, 3, 0]  # whole numbers, so that every numeric type holds them
W = [1, 2, 3, 4, 5]
NAN, INF = float("nan"), float("inf")


def literal_auc(y: list[int], s: list[Any], w: list[int] | None = None) -> float:
    """Pairs in the right order, ties half, over all pairs."""
    weight = w or [1] * len(y)
    rows = list(zip(y, s, weight, strict=True))
    pairs = [
        (a[2] * b[2], Fraction((a[1] > b[1]) + (a[1] >= b[1]), 2))
        for a in rows
        for b in rows
        if a[0] == 1 and b[0] == 0
    ]
    return float(sum(n * won for n, won in pairs) / sum(n for n, _ in pairs))


AUC = literal_auc(Y, S)
WEIGHTED = literal_auc(Y, S, W)


def frozen(column: Any) -> Any:
    """Something to compare a column with later."""
    if isinstance(column, np.ndarray):
        flags = (column.flags.writeable, column.dtype.str, column.shape, column.strides)
        return column.tobytes(), flags, np.ma.getmaskarray(column).tolist()
    return repr(column)


def masked(values: list[Any], *gone: int) -> Any:
    return np.ma.masked_array(values, mask=[i in gone for i in range(len(values))])
