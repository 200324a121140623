"""The rows of both classes by slice and rising score, from rows in input order."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import Digits, KeyedRun
from steelyard.model import Array
from steelyard.states.weights import Weights, common_unit, digits_in_unit, input_weights


class SideChunk(NamedTuple):
    """Rows of one class that were added at once; codes: slice numbers, None: all of slice 0.

    clusters: the cluster of each row; None where rows have none
    """

    codes: Array | None
    scores: Array
    weights: Weights
    clusters: Array | None = None


class SortedTable(NamedTuple):
    """The rows of both classes by slice and rising score; weights are multiples of 2**unit.

    clusters: of both classes, the cluster of each row; None where rows have none
    """

    positives: KeyedRun
    negatives: KeyedRun
    unit: int
    clusters: tuple[Array, Array] | None = None


def sorted_table(
    chunks: tuple[Sequence[SideChunk], Sequence[SideChunk]],
    slices: int,
    score_type: str,
    clustered: bool = False,
) -> SortedTable:
    """The sorted rows of both classes, with weights in one unit."""
    unit = common_unit([chunk.weights for side in chunks for chunk in side])
    (positives, up), (negatives, down) = (
        sorted_side(side, slices, unit, score_type) for side in chunks
    )
    return SortedTable(positives, negatives, unit, (up, down) if clustered else None)


def sorted_side(
    chunks: Sequence[SideChunk], slices: int, unit: int, score_type: str
) -> tuple[KeyedRun, Array]:
    """The sorted rows of one class, with weights in multiples of 2**unit, and their clusters."""
    kernel = kernels.active()
    none = np.zeros(0, np.uint32)
    if not chunks:
        return KeyedRun(np.zeros(slices + 1, np.int64), np.zeros(0, score_type), None), none
    codes = None
    if slices > 1:
        found = [chunk.codes for chunk in chunks if chunk.codes is not None]
        codes = found[0] if len(found) == 1 else np.concatenate(found)
    scores = np.concatenate([chunk.scores for chunk in chunks])  # a copy: the sort overwrites it
    weights = [chunk.weights for chunk in chunks]
    clusters = tuple(_joined([chunk.clusters for chunk in chunks if chunk.clusters is not None]))
    raw = input_weights(weights)
    if raw is not None:  # a float32 with a float32 takes one sort of 64-bit keys
        starts, scores, carried = kernel.sort_keyed(codes, slices, scores, (*clusters, raw))
        digits: Digits | None = kernel.to_digits(carried[-1], unit)
    else:
        digits = digits_in_unit(weights, unit)
        starts, scores, carried = kernel.sort_keyed(
            codes, slices, scores, (*clusters, *(digits or ()))
        )
        digits = carried[len(clusters) :] or None
    return KeyedRun(starts, scores, digits), carried[0] if clusters else none


def _joined(columns: Sequence[Array]) -> list[Array]:
    """One column of several; none of none."""
    return [np.concatenate(columns)] if columns else []
