"""Curves by the compiled kernels."""

from collections.abc import Sequence
from struct import Struct
from typing import cast

import numpy as np
import numpy.typing as npt

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import Array, CurvePoints, CurveTotals, ScoreRows, SortedTable
from steelyard.kernels.numpy.curves import end_scores
from steelyard.kernels.rust.columns import FURTHEST, chunk_columns, integers
from steelyard.kernels.rust.levels import both_runs

WORDS = 14  # of 64 bits for each slice: two ends, two weights of 2 each, two areas of 4 each
ONE = Struct("=2d12Q")
PLACES = slice(0, 2), slice(2, 4), slice(4, 8), slice(8, 12)  # in the words after the ends


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
    areas = (integers(words.reshape(-1, 2)) for words in (area, tied))
    return CurveTotals(*weights, *end_scores(table), *areas)


def _totals(words: bytes) -> tuple[CurveTotals, npt.DTypeLike]:
    """The totals of all slices, and the type of their whole numbers."""
    if len(words) == ONE.size:
        return _totals_of_one(words)
    table = np.frombuffer(words, np.uint64).reshape(-1, WORDS)
    ends = table[:, :2].view(np.float64)
    none = ends[:, 0] > ends[:, 1]
    lowest, highest = (np.where(none, np.nan, ends[:, place]) for place in (0, 1))
    up, down = table[:, 2:4], table[:, 4:6]
    # Two numbers below 2**63 have a sum that uint64 holds.
    fits = not table[:, 3:6:2].any() and not ((up[:, 0] | down[:, 0]) >> np.uint64(63)).any()
    largest = int((up[:, 0] + down[:, 0]).max()) if fits else 1 << 64
    whole = _type_of(largest)
    positives, negatives, area, tied = map(integers, (up, down, table[:, 6:10], table[:, 10:]))
    weights = positives.astype(whole), negatives.astype(whole)
    return CurveTotals(*weights, lowest, highest, area, tied), whole


def _totals_of_one(words: bytes) -> tuple[CurveTotals, npt.DTypeLike]:
    """The same of one slice, in a quarter of the time: 25 calls of NumPy take 25 µs."""
    lowest, highest, *rest = ONE.unpack(words)
    whole = [_integer(rest[places]) for places in PLACES]
    if lowest > highest:
        lowest = highest = np.nan
    kind = _type_of(whole[0] + whole[1])
    up, down = (np.array([weight], kind) for weight in whole[:2])
    area, tied = (np.array([number], object) for number in whole[2:])
    return CurveTotals(up, down, np.array([lowest]), np.array([highest]), area, tied), kind


def _integer(words: Sequence[int]) -> int:
    return sum(word << 64 * place for place, word in enumerate(words) if word)


def _type_of(largest: int) -> npt.DTypeLike:
    """The type of whole numbers up to this one."""
    return np.uint32 if largest < 1 << 32 else np.int64 if largest < 1 << 63 else object
