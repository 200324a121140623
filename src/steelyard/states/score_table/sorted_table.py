"""The rows of both classes by slice and rising score, from rows in input order."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import KeyedRun
from steelyard.model import Array
from steelyard.states.weights import Weights, common_unit, digits_in_unit, input_weights


class SideChunk(NamedTuple):
    """Rows of one class that were added at once; codes: slice numbers, None: all of slice 0."""

    codes: Array | None
    scores: Array
    weights: Weights


class SortedTable(NamedTuple):
    """The rows of both classes by slice and rising score; weights are multiples of 2**unit."""

    positives: KeyedRun
    negatives: KeyedRun
    unit: int


def sorted_table(
    chunks: tuple[Sequence[SideChunk], Sequence[SideChunk]], slices: int, score_type: str
) -> SortedTable:
    """The sorted rows of both classes, with weights in one unit."""
    unit = common_unit([chunk.weights for side in chunks for chunk in side])
    positives, negatives = (sorted_side(side, slices, unit, score_type) for side in chunks)
    return SortedTable(positives, negatives, unit)


def sorted_side(chunks: Sequence[SideChunk], slices: int, unit: int, score_type: str) -> KeyedRun:
    """The sorted rows of one class, with weights in multiples of 2**unit."""
    kernel = kernels.active()
    if not chunks:
        return KeyedRun(np.zeros(slices + 1, np.int64), np.zeros(0, score_type), None)
    codes = None
    if slices > 1:
        found = [chunk.codes for chunk in chunks if chunk.codes is not None]
        codes = found[0] if len(found) == 1 else np.concatenate(found)
    scores = np.concatenate([chunk.scores for chunk in chunks])  # a copy: the sort overwrites it
    weights = [chunk.weights for chunk in chunks]
    raw = input_weights(weights)
    if raw is not None:  # a float32 with a float32 takes one sort of 64-bit keys
        starts, scores, (carried,) = kernel.sort_keyed(codes, slices, scores, (raw,))
        return KeyedRun(starts, scores, kernel.to_digits(carried, unit))
    digits = digits_in_unit(weights, unit)
    starts, scores, columns = kernel.sort_keyed(codes, slices, scores, digits or ())
    return KeyedRun(starts, scores, columns or None)
