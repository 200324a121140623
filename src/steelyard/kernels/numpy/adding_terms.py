"""Exact sums and largest values of row terms by code.

A block of rows stays in the cache while all its terms are computed and added to all lines: columns
that terms share (the probability, its logarithm) are computed once.
"""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels.interface import Array, ExactSums, RowCodes, RowTerm, TermColumns
from steelyard.kernels.numpy.coded import add_sums, exact_sums_of, sums_by_code
from steelyard.kernels.numpy.row_terms import TermValues, term_function
from steelyard.kernels.numpy.term_rows import TermRows
from steelyard.kernels.row_blocks import blocks
from steelyard.model import Floats

SHORT_BLOCK, LONG_BLOCK = 1 << 16, 1 << 20  # rows, where codes are few and where they are many
FEW_CODES = 1 << 13


def add_terms(
    lines: Sequence[RowCodes], columns: TermColumns, terms: Sequence[RowTerm]
) -> list[list[ExactSums]]:
    """For each coding of the rows, and each term, the exact sums by code."""
    found: list[list[ExactSums]] = [[{} for _ in terms] for _ in lines]
    many = max((line.size for line in lines), default=1) > FEW_CODES
    functions = [term_function(term.formula) for term in terms]
    factors = [columns.weight if term.weighted else columns.count for term in terms]
    for rows in blocks(columns.rows, LONG_BLOCK if many else SHORT_BLOCK):
        block = TermRows(columns, rows)
        for place, (function, factor) in enumerate(zip(functions, factors, strict=True)):
            term = function(block)
            if term is not None:
                weights = None if factor is None else factor[rows]
                for sums, line in zip(found, lines, strict=True):
                    add_sums(sums[place], _sums_of(line, rows, term, weights))
    return found


def _sums_of(line: RowCodes, rows: slice, term: TermValues, weights: Array | None) -> ExactSums:
    """The sums by code of value times weight, over the rows that the term has values of."""
    values, chosen = term
    if weights is not None and chosen is not None:
        weights = weights[chosen]
    if line.codes is None:
        if values is None and weights is None:
            count = rows.stop - rows.start if chosen is None else int(np.count_nonzero(chosen))
            return exact_sums_of(count, 0)
        return sums_by_code(None, 1, values, weights)
    codes = line.codes[rows]
    if chosen is not None:
        if values is None and weights is None:  # takes half the time of a selection
            return sums_by_code(codes, line.size, chosen)
        codes = codes[chosen]
    return sums_by_code(codes, line.size, values, weights)


def largest_errors(lines: Sequence[RowCodes], columns: TermColumns, formula: str) -> list[Floats]:
    """For each coding of the rows, the largest value of a formula by code; −∞ without rows."""
    found = [np.full(line.size, -np.inf) for line in lines]
    for rows in blocks(columns.rows):
        values = TermRows(columns, rows).error(formula)
        for largest, (codes, _) in zip(found, lines, strict=True):
            if codes is None:
                largest[0] = max(largest[0], values.max())
            else:
                np.maximum.at(largest, codes[rows], values)
    return found
