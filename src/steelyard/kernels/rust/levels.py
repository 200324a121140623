"""Probability levels by the compiled kernels, for weights of up to three digits in each row."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.kernels import _rust, threads
from steelyard.kernels import numpy as _numpy
from steelyard.kernels.interface import (
    Array,
    Digits,
    ExactSums,
    KeyedRun,
    LevelBins,
    LevelCells,
    LevelHull,
)
from steelyard.kernels.ragged import running_sums
from steelyard.kernels.rust.columns import packed

RunColumns = tuple[Array, Array, Sequence[Array]]
LARGEST = 1 << 124  # the bins decline products beyond 2**128
WORD = 1 << 64
MOST_DIGITS = 3


def digit_columns(digits: Digits | None) -> Sequence[Array] | None:
    """Whole weights as columns, none where each is 1; None where they have too many digits."""
    used: Sequence[Array] = digits or ()
    while len(used) > 1 and not used[-1].any():
        used = used[:-1]
    return [packed(digit, np.uint32) for digit in used] if len(used) <= MOST_DIGITS else None


def run_columns(run: KeyedRun) -> RunColumns | None:
    """The columns of a run; None where weights have too many digits."""
    digits = digit_columns(run.digits)
    if digits is None:
        return None
    return packed(run.starts, np.int64), packed(run.scores), digits


def both_runs(positives: KeyedRun, negatives: KeyedRun) -> tuple[RunColumns, RunColumns] | None:
    """The columns of both classes."""
    up, down = run_columns(positives), run_columns(negatives)
    return None if up is None or down is None else (up, down)


def masses_of(totals: Array, below: Array) -> tuple[Array, Array] | None:
    """Both columns as words; None where numbers are too large."""
    if max(int(column.max(initial=0)) for column in (totals, below)) >= LARGEST:
        return None
    return _words(totals), _words(below)


def level_bins(
    positives: KeyedRun, negatives: KeyedRun, totals: Array, below: Array, bins: int
) -> LevelBins:
    """The bins of equal mass of each slice."""
    runs, masses = both_runs(positives, negatives), masses_of(totals, below)
    made = None
    if runs is not None and masses is not None:
        made = _rust.level_bins(runs, *masses, bins, _threads(positives, negatives))
    if made is None:
        return _numpy.level_bins(positives, negatives, totals, below, bins)
    counts, numbers, up, down = map(_int64, made)
    ends = (
        np.append(column, len(side.scores))
        for column, side in zip((up, down), (positives, negatives), strict=True)
    )
    return LevelBins(running_sums(counts), numbers, *ends)


def level_sums(rows: KeyedRun, bounds: Array, term: str, downsampled: float | None) -> ExactSums:
    """The exact Σ weight·term over the rows from each bound to the next."""
    run, made = run_columns(rows), None
    if run is not None:
        number = threads.for_rows(len(rows.scores))
        made = _rust.level_sums(run, packed(bounds, np.int64), term, downsampled, number)
    if made is None:
        return _numpy.level_sums(rows, bounds, term, downsampled)
    return {power: _int64(digits) for power, digits in made}


def level_hull(positives: KeyedRun, negatives: KeyedRun) -> LevelHull:
    """The corners of each slice."""
    runs, made = both_runs(positives, negatives), None
    if runs is not None:
        made = _rust.level_hull(runs, _threads(positives, negatives))
    if made is None:
        return _numpy.level_hull(positives, negatives)
    counts, x, y = map(_int64, made)
    return LevelHull(running_sums(counts), x, y)


def level_cells(
    positives: KeyedRun,
    negatives: KeyedRun,
    bits: Array,
    downsampled: float | None,
    clip: float | None,
) -> LevelCells:
    """The cells of each slice."""
    runs, made = both_runs(positives, negatives), None
    if runs is not None:
        number = _threads(positives, negatives)
        made = _rust.level_cells(runs, packed(bits, np.int64), downsampled, clip, number)
    if made is None:
        return _numpy.level_cells(positives, negatives, bits, downsampled, clip)
    codes, moments, counts, infinite = made
    columns = [_whole_numbers(words, len(codes)) for words in moments]
    up, down = tuple(columns[:4]), tuple(columns[4:])
    starts, none = running_sums(_int64(counts)), _int64(infinite).astype(object)
    return LevelCells(starts, _int64(codes), up, down, none)


def _threads(positives: KeyedRun, negatives: KeyedRun) -> int:
    return threads.for_rows(len(positives.scores) + len(negatives.scores))


def _words(column: Array) -> Array:
    """Two words of each whole number, the lower one first."""
    most = int(column.max(initial=0))
    words = np.zeros((len(column), 2), np.uint64)
    words[:, 0] = column if most < WORD else column & (WORD - 1)
    if most >= WORD:
        words[:, 1] = column >> 64
    return words.ravel()


def _int64(words: bytearray) -> Any:
    return np.frombuffer(words, np.int64)


def _whole_numbers(words: bytearray, codes: int) -> Array:
    """A column of one word each, or of two, the lower one first; codes: bytes of a column."""
    column: Array = _int64(words)
    if len(words) == codes:
        return column
    low, high = column.view(np.uint64)[::2], column[1::2]
    found: Array = (high.astype(object) << 64) | low.astype(object)
    return found
