"""Placements by the compiled kernels, for weights below 2**62 in total, and areas by line.

Areas by line are of weights of up to three digits in each row.
"""

from collections.abc import Sequence

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import (
    DIGIT,
    MASK,
    Array,
    ExactSums,
    LineAreas,
    Placements,
    ScoreChunk,
    ScoreRows,
    SortedTable,
)
from steelyard.kernels.rust.columns import packed, unsigned
from steelyard.kernels.rust.levels import both_runs
from steelyard.kernels.rust.score_sorting import row_numbers, sort_scores
from steelyard.kernels.rust.sums import adding_threads, exact_sums

LEAST_ROWS_A_LINE = 4  # with fewer, a thread's sums of all lines take more time than the rows


def placements(rows: ScoreRows, slices: int, unit: int) -> Placements:
    """For each row, the weight of the other class of its slice below its score and at it."""
    if isinstance(rows, SortedTable):
        found = _of_table(rows)
        return _numpy.placements(rows, slices, unit) if found is None else found
    numbered = zip(rows, row_numbers(rows), strict=True)
    chunks = [each._replace(clusters=numbers) for each, numbers in numbered]
    table = sort_scores(chunks, slices, unit)
    found = _of_table(table)
    if found is None or found.tied is None or table.clusters is None:
        return _numpy.placements(rows, slices, unit)
    order = np.concatenate(table.clusters)
    below, tied = np.empty((2, len(order)), found.below.dtype)
    below[order], tied[order] = found.below, found.tied
    return Placements(below, tied)


def _of_table(table: SortedTable) -> Placements | None:
    """The placements of sorted rows; None: the kernel declines."""
    runs, rows = both_runs(*table[:2]), [len(side.scores) for side in table[:2]]
    number = threads.for_rows(sum(rows))
    largest = None if runs is None else _rust.heaviest_slice(runs, number)
    if runs is None or largest is None:
        return None
    below, tied = np.empty((2, sum(rows)), np.uint32 if largest < 1 << 32 else np.int64)
    sides = slice(0, rows[0]), slice(rows[0], None)
    _rust.placements(runs, [(below[side], tied[side]) for side in sides], number)
    return Placements(below, tied)


def line_areas(rows: ScoreRows, slices: int, unit: int, lines: int) -> LineAreas:
    """For each line, its weight and what it adds to the area, of both classes.

    Rows without weights are not sorted: their placements are added up where they are ranked.
    """
    if not isinstance(rows, SortedTable):
        some = [each for each in rows if len(each.scores)]
        found = None if unit else _of_chunks(some, slices, lines)
        if found is not None:
            return found
        rows = sort_scores(rows, slices, unit)
    found = _of_lines(rows, lines)
    return _numpy.line_areas(rows, slices, unit, lines) if found is None else found


def _of_lines(table: SortedTable, lines: int) -> LineAreas | None:
    """The sums of lines of sorted rows; None: weights have too many digits."""
    runs, columns = both_runs(*table[:2]), table.clusters
    assert columns is not None
    if runs is None:
        return None
    up, down = (packed(column, np.uint32) for column in columns)
    number = adding_threads(len(up) + len(down), lines)
    made = _rust.sorted_line_areas(runs, (up, down), lines, number)
    weights_up, weights_down, areas_up, areas_down = (exact_sums(*sums, lines) for sums in made)
    return LineAreas((weights_up, weights_down), (areas_up, areas_down))


def _of_chunks(chunks: Sequence[ScoreChunk], slices: int, lines: int) -> LineAreas | None:
    """The sums of lines of rows without weights; None: the kernel declines."""
    rows = sum(len(each.scores) for each in chunks)
    if not lines or rows < lines * LEAST_ROWS_A_LINE or not rows:
        return None
    columns = []
    for each in chunks:
        if each.weights is not None or each.clusters is None:
            return None
        codes = None if each.codes is None else unsigned(each.codes)
        own = packed(each.clusters, np.uint32)
        columns.append((codes, packed(each.scores), packed(each.positive), own))
    number = adding_threads(rows, lines)
    made = np.empty((2, 2, lines), np.int64)
    (up, down), (area_up, area_down) = made
    if not _rust.line_areas(columns, slices, ((up, down), (area_up, area_down)), number):
        return None
    return LineAreas(({0: up}, {0: down}), (_two_digits(area_up), _two_digits(area_down)))


def _two_digits(numbers: Array) -> ExactSums:
    """Whole numbers as digits: sums of many slices are within int64."""
    return {0: numbers & MASK, DIGIT: numbers >> DIGIT}
