"""Curves by the compiled kernels."""

from typing import cast

import numpy as np
import numpy.typing as npt

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, CurvePoints, CurveTotals, ScoreRows, SortedTable
from steelyard.kernels.numpy.curves import end_scores
from steelyard.kernels.rust.columns import chunk_columns
from steelyard.kernels.rust.levels import both_runs

FURTHEST = 1000  # 2**unit and 2**-unit are ordinary float64 up to here
WORDS = 14  # of 64 bits for each slice: two ends, two weights of 2 each, two areas of 4 each


def curve_points(
    rows: ScoreRows, slices: int, unit: int, *, points: bool
) -> tuple[CurveTotals, CurvePoints | None]:
    """Areas, totals and, with `points`, the points of the curve of each slice."""
    if isinstance(rows, SortedTable):
        totals = None if points else _areas(rows)
        if totals is None:
            return _numpy.curve_points(rows, slices, unit, points=points)
        return totals, None
    chunks = chunk_columns(rows, unit)
    if not chunks or abs(unit) > FURTHEST:
        return _numpy.curve_points(rows, slices, unit, points=points)
    number = threads.for_rows(sum(len(chunk[1]) for chunk in chunks))
    made = _rust.curve_points(chunks, slices, unit, points, number)
    if made is None:
        return _numpy.curve_points(rows, slices, unit, points=points)
    totals, whole = _totals(made[0])
    if made[1] is None:
        return totals, None
    count, starts = len(made[1]), np.empty(slices + 1, np.int64)
    scores = np.empty(count, chunks[0][1].dtype)
    positives, below, tied = cast(Array, np.empty((3, count), whole))
    made[1].fill(starts, scores, (positives, below, tied), number)
    return totals, CurvePoints(starts, scores, positives, below, tied if made[1].tied else None)


def _areas(table: SortedTable) -> CurveTotals | None:
    """The totals of sorted rows; None: the kernel declines."""
    runs = both_runs(*table[:2])
    number = threads.for_rows(sum(len(side.scores) for side in table[:2]))
    made = None if runs is None else _rust.sorted_areas(runs, number)
    if made is None:
        return None
    positives, negatives, area, tied = (np.frombuffer(words, np.uint64) for words in made)
    whole = np.uint32 if int((positives + negatives).max()) < 1 << 32 else np.int64
    weights = positives.astype(whole), negatives.astype(whole)
    areas = (_integers(words.reshape(-1, 2)) for words in (area, tied))
    return CurveTotals(*weights, *end_scores(table), *areas)


def _totals(words: bytes) -> tuple[CurveTotals, npt.DTypeLike]:
    """The totals of all slices, and the type of their whole numbers."""
    table = np.frombuffer(words, np.uint64).reshape(-1, WORDS)
    ends = table[:, :2].view(np.float64)
    none = ends[:, 0] > ends[:, 1]
    lowest, highest = (np.where(none, np.nan, ends[:, place]) for place in (0, 1))
    up, down = table[:, 2:4], table[:, 4:6]
    # Two numbers below 2**63 have a sum that uint64 holds.
    fits = not table[:, 3:6:2].any() and not ((up[:, 0] | down[:, 0]) >> np.uint64(63)).any()
    largest = int((up[:, 0] + down[:, 0]).max()) if fits else 1 << 64
    whole: npt.DTypeLike = (
        np.uint32 if largest < 1 << 32 else np.int64 if largest < 1 << 63 else object
    )
    positives, negatives, area, tied = map(_integers, (up, down, table[:, 6:10], table[:, 10:]))
    weights = positives.astype(whole), negatives.astype(whole)
    return CurveTotals(*weights, lowest, highest, area, tied), whole


def _integers(words: Array) -> Array:
    """Python integers of words, the least significant one first."""
    used = np.flatnonzero(words.any(axis=0)).max(initial=0)
    made = words[:, used].astype(object)
    for place in range(used - 1, -1, -1):
        made = (made << 64) | words[:, place].astype(object)
    return made
