"""Checks of columns and exact sums by the compiled kernels."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import (
    Array,
    CheckedColumn,
    ExactSums,
    RowCodes,
    RowTerm,
    TermColumns,
)
from steelyard.kernels.numpy.checking import checked
from steelyard.kernels.rust.columns import packed

ROWS_A_LINE = 16  # where lines have fewer rows, one thread adds: each has sums of its own

CODES_A_ROW = 64  # with more, NumPy is faster: 100 rows, 20,000 codes, 5 terms 0.5 and 1.2 ms
MOST_COUNTED = 1 << 31  # rows

_has_formula = cache(_rust.has_formula)


def check_column(values: Array, checks: Sequence[str]) -> CheckedColumn:
    """The ends of a column, and for each check the rows that fail it."""
    if values.dtype.char not in "fd" or len(values) == 0:
        return _numpy.check_column(values, checks)
    values = packed(values)
    low, high = _rust.column_ends(values, threads.for_rows(len(values)))
    return checked(values, checks, low, high)


def lowest_bit(weights: Array) -> int:
    """The largest u such that each weight is a whole multiple of 2**u; 0 where there are none."""
    unit = None
    if weights.dtype.char in "fd":
        unit = _rust.lowest_bit(packed(weights), threads.for_rows(len(weights)))
    return _numpy.lowest_bit(weights) if unit is None else unit


def add_terms(
    lines: Sequence[RowCodes], columns: TermColumns, terms: Sequence[RowTerm]
) -> list[list[ExactSums]]:
    """For each coding of the rows, and each term, the exact sums by code."""
    compiled = [_has_formula(term.formula) for term in terms]
    made = _add([t for t, mine in zip(terms, compiled, strict=True) if mine], lines, columns)
    if made is None:
        return _numpy.add_terms(lines, columns, terms)
    if all(compiled):
        return made
    rest = [t for t, mine in zip(terms, compiled, strict=True) if not mine]
    others = _numpy.add_terms(lines, columns, rest)
    return [
        [next(mine) if here else next(other) for here in compiled]
        for mine, other in zip(map(iter, made), map(iter, others), strict=True)
    ]


def _add(
    terms: Sequence[RowTerm], lines: Sequence[RowCodes], columns: TermColumns
) -> list[list[ExactSums]] | None:
    """The sums of formulas that are compiled; None where a column is missing, or rows are few."""
    if columns.rows * CODES_A_ROW < sum(line.size for line in lines) or not columns.rows:
        return None
    if not terms:
        return [[] for _ in lines]
    number = adding_threads(columns.rows, sum(line.size for line in lines))
    rows = (
        *(columns.rows, _packed(columns.score), _packed(columns.positive), columns.outside),
        *(columns.downsampled, columns.clip, _packed(columns.truth), _packed(columns.prediction)),
        *(_weights(columns.weight), _weights(columns.count)),
        [(name, packed(column)) for name, column in columns.amounts.items()],
    )
    codes = [(_codes(line.codes, line.size), line.size) for line in lines]
    made = _rust.add_terms(codes, rows, [(term.formula, term.weighted) for term in terms], number)
    if made is None:
        return None
    found = zip(made, lines, strict=True)
    return [[exact_sums(*sums, line.size) for sums in each] for each, line in found]


def sums_by_code(
    codes: Array | None, count: int, values: Array | None = None, weights: Array | None = None
) -> ExactSums:
    """For each code below `count`, the exact sum of value times weight."""
    if values is None:
        values, weights = weights, None
    rows = len(values) if values is not None else len(codes) if codes is not None else 0
    if not count / CODES_A_ROW <= rows < MOST_COUNTED or not rows or (codes is None and count != 1):
        return _numpy.sums_by_code(codes, count, values, weights)
    number = adding_threads(rows, count)
    if values is None or values.dtype == bool:
        counts = np.zeros(count, np.int64)
        _rust.count_codes(rows, _codes(codes, count), _packed(values), counts, number)
        return {0: counts}
    made = _rust.sums_by_code(
        _codes(codes, count), count, _numbers(values), _weights(weights), number
    )
    sums = exact_sums(*made, count)
    if values.dtype.kind != "f" and 0 not in sums:
        sums[0] = np.zeros(count, np.int64)
    return sums


def bin_codes(columns: TermColumns, bins: int) -> Array:
    """The bin of each row's probability, as int64."""
    score = columns.score
    if score is None or score.dtype.char not in "fd":
        return _numpy.bin_codes(columns, bins)
    codes = np.empty(columns.rows, np.int64)
    number = threads.for_rows(columns.rows)
    _rust.bin_codes(packed(score), columns.outside, columns.downsampled, bins, codes, number)
    return codes


def adding_threads(rows: int, codes: int) -> int:
    """How many threads add rows to sums by code."""
    number = threads.for_rows(rows)
    return 1 if codes * number * ROWS_A_LINE > rows else number


def exact_sums(powers: Sequence[int], digits: bytearray, size: int) -> ExactSums:
    """Columns of digits, which come one after another."""
    columns = np.frombuffer(digits, np.int64).reshape(len(powers), size)
    return dict(zip(powers, columns, strict=True))


def _packed(column: Array | None) -> Array | None:
    return None if column is None else packed(column)


def _codes(codes: Array | None, count: int) -> Array | None:
    """Unsigned codes; None: all are 0, and sums take a third of the time."""
    return None if codes is None or count == 1 else packed(codes).view(f"u{codes.dtype.itemsize}")


def _weights(column: Array | None) -> Array | None:
    return None if column is None else _numbers(column)


def _numbers(column: Array) -> Array:
    """Numbers as float32, float64, uint32 or uint64."""
    if column.dtype.char in "fd":
        return packed(column)
    if column.dtype.kind == "f":
        return packed(column, np.float64)
    narrow = column.dtype.itemsize < 4 or column.dtype.str[1:] == "u4"
    return packed(column, np.uint32 if narrow else np.uint64)
