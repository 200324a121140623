"""Checks of columns: a column passes most of them by its ends, and few have a row that fails."""

from collections.abc import Callable, Sequence
from math import inf

import numpy as np

from steelyard.kernels.interface import Array, BadRows, CheckedColumn
from steelyard.model import Mask

NONE = BadRows(0, 0)
LARGEST_COUNT = 2**63 - 1


def check_column(values: Array, checks: Sequence[str]) -> CheckedColumn:
    """The ends of a column, and for each check the rows that fail it."""
    if len(values) == 0:
        return CheckedColumn(0, 0, (NONE,) * len(checks))
    return checked(values, checks, values.min().item(), values.max().item())


def checked(values: Array, checks: Sequence[str], low: float, high: float) -> CheckedColumn:
    """The same, of a column with rows whose ends are known; both are NaN where a value is."""
    found = (NONE if PASSES[each](low, high) else _failing(FAILS[each](values)) for each in checks)
    return CheckedColumn(low, high, tuple(found))


def _failing(bad: Mask) -> BadRows:
    return BadRows(int(np.count_nonzero(bad)), int(bad.argmax()))


def _is_no_count(values: Array) -> Mask:
    with np.errstate(invalid="ignore"):
        counts = values.astype(np.int64)
        bad: Mask = (counts != values) | (counts < 0)
    return bad


# Whether the ends of a column show that no row fails.
PASSES: dict[str, Callable[[float, float], bool]] = {
    "present": lambda low, high: low == low,
    "finite": lambda low, high: -inf < low and high < inf,
    "positive": lambda low, high: low > 0,
    "not_negative": lambda low, high: low >= 0,
    "probability": lambda low, high: low >= 0 and high <= 1,
    "count": lambda low, high: isinstance(low, int) and low >= 0 and high <= LARGEST_COUNT,
}
FAILS: dict[str, Callable[[Array], Mask]] = {
    "present": lambda values: values != values,
    "finite": lambda values: np.isinf(values),
    "positive": lambda values: values <= 0,
    "not_negative": lambda values: values < 0,
    "probability": lambda values: (values < 0) | (values > 1),
    "count": _is_no_count,
}
