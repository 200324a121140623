"""Exact sums by the compiled kernels."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, ExactSums, RowCodes, RowTerm, TermColumns
from steelyard.kernels.rust.columns import packed

ROWS_A_LINE = 16  # where lines have fewer rows, one thread adds: each has sums of its own

_has_formula = cache(_rust.has_formula)


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
    """The sums of formulas that are compiled; None where a column is missing."""
    if columns.rows == 0:
        return None
    if not terms:
        return [[] for _ in lines]
    number = threads.for_rows(columns.rows)
    if sum(line.size for line in lines) * number * ROWS_A_LINE > columns.rows:
        number = 1
    rows = (
        *(columns.rows, _packed(columns.score), _packed(columns.positive), columns.outside),
        *(columns.downsampled, columns.clip, _packed(columns.truth), _packed(columns.prediction)),
        *(_weights(columns.weight), _weights(columns.count)),
        [(name, packed(column)) for name, column in columns.amounts.items()],
    )
    codes = [(_codes(line.codes), line.size) for line in lines]
    made = _rust.add_terms(codes, rows, [(term.formula, term.weighted) for term in terms], number)
    if made is None:
        return None
    found = zip(made, lines, strict=True)
    return [[_exact_sums(*sums, line.size) for sums in each] for each, line in found]


def _exact_sums(powers: Sequence[int], digits: bytearray, size: int) -> ExactSums:
    columns = np.frombuffer(digits, np.int64).reshape(len(powers), size)
    return dict(zip(powers, columns, strict=True))


def _packed(column: Array | None) -> Array | None:
    return None if column is None else packed(column)


def _codes(codes: Array | None) -> Array | None:
    return None if codes is None else packed(codes).view(f"u{codes.dtype.itemsize}")


def _weights(column: Array | None) -> Array | None:
    """Weights as float32, float64, uint32 or uint64."""
    if column is None or column.dtype.char in "fd":
        return _packed(column)
    if column.dtype.kind == "f":
        return packed(column, np.float64)
    narrow = column.dtype.itemsize < 4 or column.dtype.str[1:] == "u4"
    return packed(column, np.uint32 if narrow else np.uint64)
