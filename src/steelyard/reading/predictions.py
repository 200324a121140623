"""Rows of a prediction: what is true and what was predicted, as classes or as numbers.

The sister of a batch of scores. Its columns are one-dimensional, of native byte order, without
missing values, never written to, and hold no row of weight zero: that row is absent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steelyard.model import Array, Floats, Key, Label, Reading
from steelyard.reading.batch import Slices


class Coded(NamedTuple):
    """Classes of rows: a code each, and the class that a code stands for; some may not occur."""

    codes: Array
    words: Sequence[Key]

    def take(self, rows: Array | slice) -> "Coded":
        return self._replace(codes=self.codes[rows])


class Numbers(NamedTuple):
    """Truth and prediction as float64."""

    truth: Floats
    prediction: Floats

    def take(self, rows: Array | slice) -> "Numbers":
        return Numbers(self.truth[rows], self.prediction[rows])


class Classes(NamedTuple):
    """Truth and prediction as classes; words of the two are not the same list."""

    truth: Coded
    prediction: Coded

    def take(self, rows: Array | slice) -> "Classes":
        return Classes(self.truth.take(rows), self.prediction.take(rows))


class ClassScores(NamedTuple):
    """One score for each class: `columns` in the order of `classes`, all of one float type.

    true: the number of the column that scores the true class
    """

    classes: tuple[Key, ...]
    columns: tuple[Array, ...]
    true: Array

    def take(self, rows: Array | slice) -> "ClassScores":
        columns = tuple(column[rows] for column in self.columns)
        return ClassScores(self.classes, columns, self.true[rows])


@dataclass(frozen=True)
class Predicted:
    """Rows to weigh. What metrics ask for is there, the rest is None.

    dropped: rows left out for a missing value; memo: what one state worked out and another needs
    """

    size: int
    reading: Reading
    numbers: Numbers | None = None
    classes: Classes | None = None
    scores: ClassScores | None = None
    weight: Array | None = None
    dropped: int = 0
    slices: tuple[Slices, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return self.size

    @property
    def negative_label(self) -> Label:
        """There are more classes than two, or none."""
        return None

    @cached_property
    def parts(self) -> "list[list[PredictedPart]]":
        """For each `by`, the rows of each slice: made once, however many states ask."""
        return [list(self._parts(slices)) for slices in self.slices]

    def _parts(self, slices: Slices) -> "Iterator[PredictedPart]":
        """Rows of a slice side by side: one gather for all slices."""
        count = len(slices.keys)
        codes = slices.codes.astype(np.min_scalar_type(max(count - 1, 0)))
        order = np.argsort(codes, kind="stable")  # a radix sort up to 16 bits
        ends = np.cumsum(np.bincount(codes, minlength=count)).tolist()
        whole, start = self._take(order, self.size, 0), 0
        for key, dropped, end in zip(slices.keys, slices.dropped.tolist(), ends, strict=True):
            if end > start or dropped:
                yield PredictedPart(key, whole._take(slice(start, end), end - start, dropped))
            start = end

    def _take(self, rows: Array | slice, size: int, dropped: int) -> "Predicted":
        return Predicted(
            size,
            self.reading,
            None if self.numbers is None else self.numbers.take(rows),
            None if self.classes is None else self.classes.take(rows),
            None if self.scores is None else self.scores.take(rows),
            None if self.weight is None else self.weight[rows],
            dropped,
        )


class PredictedPart(NamedTuple):
    """The rows of one slice."""

    key: tuple[Key, ...]
    batch: Predicted
