"""Ranked lists by the compiled kernels."""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.gains import discount_table
from steelyard.kernels.interface import (
    Array,
    Columns,
    GroupedRows,
    ListTerm,
    RankedLists,
    Ties,
)
from steelyard.kernels.rust.columns import packed
from steelyard.kernels.rust.groups import column, grouped_columns

COUNTS = {"relevant": 1, "hits": 2, "hits_to_relevant": 2}  # terms of int64, and their columns
DISCOUNTED = ("discounted_gain", "ideal_gain")
ListColumns = tuple[Array, Array, Array, Array, tuple[Array, Array] | None]
DEEPEST = (1 << 63) - 1


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
    groups, slices, rows, sizes, starts, grades, above, tied, *judged = (
        column(*each) for each in columns
    )
    return RankedLists(
        groups,
        slices if by_slice else None,
        rows,
        sizes,
        starts,
        grades,
        above,
        tied,
        (judged[0], judged[1]) if judged else None,
    )


def list_gains(lists: RankedLists, terms: Sequence[ListTerm]) -> tuple[Columns, ...]:
    """The columns of each term, with an entry for each list."""
    graded = [lists.grades] if lists.judged is None else [lists.grades, lists.judged[1]]
    if any(grades.dtype.char not in "Bd" for grades in graded):
        return _numpy.list_gains(lists, terms)
    judged = None
    if lists.judged is not None:
        judged = packed(lists.judged[0], np.int64), packed(lists.judged[1])
    starts, above, tied = packed(lists.starts, np.int64), packed(lists.above), packed(lists.tied)
    given = starts, packed(lists.grades), above, tied, judged
    longest = int(lists.rows.max(initial=0))
    made = (_term(given, len(lists.groups), term, longest) for term in terms)
    return tuple(
        columns or _numpy.list_gains(lists, (term,))[0]
        for term, columns in zip(terms, made, strict=True)
    )


def _term(given: ListColumns, count: int, term: ListTerm, longest: int) -> Columns | None:
    """The columns of a term; None where it is not compiled."""
    counts = term.name in COUNTS
    result = np.empty((count, 2), np.int64) if counts else np.empty(count)
    depth = DEEPEST if term.k is None else min(term.k, DEEPEST)
    discounts = discount_table(min(depth, longest) if term.name in DISCOUNTED else 0)
    of_term = term.name, depth, term.rel, term.gain == "exp2", term.p, discounts
    number = threads.for_rows(len(given[1]))
    if not _rust.list_gains(given, of_term, result.ravel(), number):
        return None
    if not counts:
        return (result,)
    return tuple(packed(each) for each in result.T[: COUNTS[term.name]])
