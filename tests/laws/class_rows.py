"""Rows of many classes, made by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steelyard.model import Reading
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import ClassPredictions, ClassScores, CodedClasses
from steelyard.states import ClassScoreTable, Sums

READING = Reading()


def coded(labels: Sequence[Any]) -> CodedClasses:
    words = list(dict.fromkeys(labels))
    codes = [words.index(label) for label in labels]
    return CodedClasses(np.array(codes, np.min_scalar_type(max(len(words) - 1, 0))), words)


def rows(truth: Sequence[Any], called: Sequence[Any], weight: Any = None) -> Batch:
    both = ClassPredictions(coded(truth), coded(called))
    weights = None if weight is None else np.asarray(weight)
    return Batch(len(truth), READING, classes=both, weight=weights)


def scored(classes: Sequence[Any], true: Sequence[int], matrix: Any, weight: Any = None) -> Batch:
    columns = tuple(np.ascontiguousarray(c) for c in np.asarray(matrix, np.float64).T)
    scores = ClassScores(tuple(classes), columns, np.array(true, np.uint8))
    weights = None if weight is None else np.asarray(weight)
    return Batch(len(true), READING, class_scores=scores, weight=weights)


def class_cells() -> Sums:
    """No rows yet: weight by true and predicted class."""
    return Sums(["weight"], "class_pair")


def class_ranks() -> Sums:
    """No rows yet: weight by how many classes score above the true one, and equal to it."""
    return Sums(["weight"], "rank")


def class_losses() -> Sums:
    """No rows yet: the logarithms of what the true classes were given."""
    return Sums(["weight", "log_of_class", "infinite_of_class"])


def some_cells() -> Sums:
    cells = class_cells()
    cells.update(rows(["a", 2, "né"], ["a", "a", 0.5], [0.5, 1.0, 2.0**40]))
    return cells


def some_ranks() -> Sums:
    ranks = class_ranks()
    ranks.update(scored(["a", 2], [0, 1, 1], [[1, 0], [1, 0], [0.5, 0.5]], [0.5, 1.0, 0.25]))
    return ranks


def some_rows() -> ClassScoreTable:
    scores = ClassScoreTable()
    scores.update(scored(["b", "a"], [1, 0, 1], [[1, 0], [1, -0.0], [0.5, 0.5]], [0.5, 1, 0.25]))
    return scores


def some_losses() -> Sums:
    losses = class_losses()
    losses.update(scored("ab", [0, 1, 1], [[0.75, 0.25], [1, 0], [0.5, 0.25]], [0.5, 1, 0.25]))
    return losses
