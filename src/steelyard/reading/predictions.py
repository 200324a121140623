"""Truth and prediction of rows: as classes, as numbers, or as scores of classes."""

from collections.abc import Sequence
from typing import NamedTuple

from steelyard.model import Array, Floats, Key


class CodedClasses(NamedTuple):
    """The class of each row, as a code of `classes`; some classes may not occur."""

    codes: Array
    classes: Sequence[Key]


class NumericPredictions(NamedTuple):
    """Truth and prediction as float64."""

    truth: Floats
    prediction: Floats


class ClassPredictions(NamedTuple):
    """Truth and prediction as classes; each has its own list of classes."""

    truth: CodedClasses
    prediction: CodedClasses


class ClassScores(NamedTuple):
    """A score for each class: `columns` in the order of `classes`, all of one float type.

    true: the index of the column that has the score of the true class
    """

    classes: tuple[Key, ...]
    columns: tuple[Array, ...]
    true: Array
