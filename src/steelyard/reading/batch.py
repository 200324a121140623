"""Batches: rows as states take them.

A batch's columns are one-dimensional, of native byte order, without missing values, never written
to, and hold no row of weight zero: that row is absent.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from steelyard.model import Array, Floats, Label, Mask, Reading
from steelyard.reading.grouping import GroupColumns
from steelyard.reading.metric_columns import NO_COLUMNS, MetricColumns
from steelyard.reading.predictions import ClassPredictions, ClassScores, NumericPredictions
from steelyard.reading.slices import Slices

Some = TypeVar("Some")


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of one score or prediction; what no metric asks for is None.

    weight: None where every row weighs 1
    count: how many rows each stands for, where rows are aggregated; its weight has that in it
    dropped: how many rows were left out for a missing value; slices: one for each `by`

    Rows with a score have `score`, `positive`, the label of the others (None where there are none)
    and a `grade`, which is None where it says no more than `positive` does. Rows with a prediction
    have `numbers`, `classes` or `class_scores`.
    """

    size: int
    reading: Reading
    weight: Array | None = None
    count: Array | None = None
    dropped: int = 0
    slices: tuple[Slices, ...] = ()
    score: Array | None = None
    positive: Mask | None = None
    negative_label: Label = None
    grade: Array | None = None
    groups: GroupColumns | None = None
    columns: MetricColumns = NO_COLUMNS
    numbers: NumericPredictions | None = None
    classes: ClassPredictions | None = None
    class_scores: ClassScores | None = None

    def __len__(self) -> int:
        return self.size

    @cached_property
    def probability(self) -> Floats:
        """The score as a probability, corrected where the model saw fewer negatives."""
        return probabilities(required(self.score), self.reading)


def required(column: Some | None) -> Some:
    """A column that is there, because the state's metrics ask for it."""
    assert column is not None
    return column


def clipped(chances: Floats, reading: Reading) -> Floats:
    """What logarithms see: probabilities cut to [clip, 1 − clip], where a clip is given."""
    return chances if reading.clip is None else np.clip(chances, reading.clip, 1.0 - reading.clip)


def probabilities(scores: Array, reading: Reading) -> Floats:
    """Scores as probabilities: float64, and p/(p + (1 − p)/r), where a share r of the negatives
    was trained on: three operations, each rounded."""
    p: Floats = scores.astype(np.float64, copy=False)
    if reading.downsampled is None:
        return p
    others = 1.0 - p
    with np.errstate(over="ignore"):  # r of 1e-310: whatever is not 1 becomes 0
        others /= reading.downsampled
        others += p
    return np.divide(p, others, out=others)
