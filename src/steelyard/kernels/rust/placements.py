"""Placements by the compiled kernels, for weights below 2**62 in total."""

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Placements, ScoreRows, SortedTable
from steelyard.kernels.rust.levels import both_runs
from steelyard.kernels.rust.score_sorting import row_numbers, sort_scores


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
