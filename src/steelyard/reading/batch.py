"""Batches: checked rows, in the form that states take.

The columns of a batch are one-dimensional, in native byte order and without missing values. They
are never written to. Rows of weight zero are left out.
"""

from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from steelyard.cached import cached_property
from steelyard.kernels import probability
from steelyard.model import Array, Floats, Label, Mask, Reading
from steelyard.reading.clusters import ClusterCodes
from steelyard.reading.grouping import GroupColumns
from steelyard.reading.metric_columns import NO_COLUMNS, MetricColumns
from steelyard.reading.predictions import ClassPredictions, ClassScores, NumericPredictions
from steelyard.reading.slices import Slices

Some = TypeVar("Some")


@dataclass(frozen=True, eq=False)
class Batch:
    """Rows of one score or prediction; a column that no metric needs is None.

    weight: None where every row has weight 1
    count: of aggregated rows, the number of rows that each represents; `weight` includes it
    dropped: the number of rows left out because of a missing value; slices: one for each `by`
    clusters: the cluster of each row, where intervals are requested
    shared: what states computed of slices and clusters, for other scores on the same rows

    Rows with a score have `score`, `positive`, the label of the other rows (None where there are
    none) and `grade`, which is None where `positive` says the same. Rows with a prediction have
    `numbers`, `classes` or `class_scores`.
    """

    size: int
    reading: Reading
    weight: Array | None = None
    count: Array | None = None
    dropped: int = 0
    slices: tuple[Slices, ...] = ()
    clusters: ClusterCodes | None = None
    score: Array | None = None
    positive: Mask | None = None
    negative_label: Label = None
    grade: Array | None = None
    groups: GroupColumns | None = None
    columns: MetricColumns = NO_COLUMNS
    numbers: NumericPredictions | None = None
    classes: ClassPredictions | None = None
    class_scores: ClassScores | None = None
    shared: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.size

    @cached_property
    def outside(self) -> bool:
        """Whether a score is outside 0 to 1, so that scores are no probabilities."""
        score = self.score
        return score is not None and len(score) > 0 and bool(score.min() < 0 or score.max() > 1)

    @property
    def scores_are_read_as_they_are(self) -> bool:
        """Whether a score, as it is, is the probability."""
        return self.reading.downsampled is None and not self.outside

    @cached_property
    def probability(self) -> Floats:
        """The score as a probability, corrected if the model was trained on fewer negatives."""
        return self.probabilities(slice(None))

    def probabilities(self, rows: slice) -> Floats:
        """The scores of some rows as probabilities.

        Scores outside 0 to 1 are cut, so that every sum is finite; no value is made of them.
        """
        scores = required(self.score)[rows]
        return probabilities(np.clip(scores, 0, 1) if self.outside else scores, self.reading)


def required(column: Some | None) -> Some:
    """The column, which a batch has where the metrics of a state need it."""
    assert column is not None
    return column


def clipped(chances: Floats, reading: Reading) -> Floats:
    """Probabilities as logarithms read them: cut to [clip, 1 − clip] where a clip is given."""
    return probability.clipped(chances, reading.clip)


def probabilities(scores: Array, reading: Reading) -> Floats:
    """Scores as float64 probabilities."""
    return probability.probabilities(scores, reading.downsampled)
