"""Columns of a prediction: what is true and what was predicted, as classes or as numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from steelyard.model import Array, Floats, Key


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
