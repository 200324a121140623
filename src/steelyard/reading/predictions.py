"""Columns of a prediction: what is true and what was predicted, as classes or as numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from steelyard.model import Array, Floats, Key


class CodedClasses(NamedTuple):
    """Classes of rows: a code each, and the class that a code stands for; some may not occur."""

    codes: Array
    classes: Sequence[Key]


class NumericPredictions(NamedTuple):
    """Truth and prediction as float64."""

    truth: Floats
    prediction: Floats


class ClassPredictions(NamedTuple):
    """Truth and prediction as classes; words of the two are not the same list."""

    truth: CodedClasses
    prediction: CodedClasses


class ClassScores(NamedTuple):
    """One score for each class: `columns` in the order of `classes`, all of one float type.

    true: the number of the column that scores the true class
    """

    classes: tuple[Key, ...]
    columns: tuple[Array, ...]
    true: Array
