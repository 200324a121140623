"""A score for each class: a matrix or several columns, and the classes they are of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array, Key, Label
from steelyard.reading.labels import plain_label
from steelyard.reading.predictions import ClassScores, CodedClasses
from steelyard.reading.rows import KeptRows
from steelyard.sources.arrays import key
from steelyard.sources.blocks import SourceColumn


def is_matrix(values: Any) -> bool:
    """Whether it has several scores for each row; one column is no score for each class."""
    if isinstance(values, str | Mapping) or values is None:
        return False
    if is_frame(values):
        return len(values.columns) > 1
    if hasattr(values, "ndim"):
        return bool(values.ndim == 2 and values.shape[1] > 1)
    first = values[0] if isinstance(values, list | tuple) and values else None
    return isinstance(first, list | tuple | np.ndarray) and np.ndim(first) == 1 and len(first) > 1


def is_frame(values: Any) -> bool:
    """A pandas or Polars frame, whose columns have names."""
    return hasattr(values, "columns") and hasattr(values, "to_numpy")


def matrix_columns(name: str, matrix: Any) -> dict[str, Any]:
    """The columns of a matrix by name."""
    if is_frame(matrix):
        return {f"{name}[{column}]": matrix[column] for column in matrix.columns}
    try:
        array = np.asarray(matrix)
    except ValueError as error:
        raise errors.NOT_ARRAY(name=name, reason=str(error)) from error
    return {f"{name}[{place}]": array[:, place] for place in range(array.shape[1])}


def classes_of(
    name: str, label: Any, given: Any, matrix: Any, names: str = "classes"
) -> tuple[Label, ...]:
    """The classes of a matrix's columns: those given, those that columns are called by where these
    are the labels, or the sorted labels."""
    columns = len(matrix.columns) if is_frame(matrix) else np.shape(matrix)[1]
    seen = ""
    if given is not None:
        classes = named_classes(given, names)
    else:
        words = key(name, label).keys or ()
        seen = f" in {name}"
        if is_frame(matrix) and set(map(plain_label, words)) <= {*matrix.columns}:
            return named_classes(list(matrix.columns), names)
        try:  # what cannot be compared says so itself
            classes = tuple(sorted(map(plain_label, words)))  # type: ignore[type-var]
        except TypeError:
            classes = tuple(words)[:0]  # of several types: nobody knows their order
    if len(classes) != columns:
        raise errors.CLASS_COUNT(columns=columns, count=len(classes), seen=seen, names=names)
    return classes


def named_classes(given: Any, names: str = "classes") -> tuple[Label, ...]:
    """The classes as plain values, each once."""
    values = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise errors.NOT_A_NAME(role=names, type=type(given).__name__)
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    classes = tuple(map(plain_label, plain))
    for place, value in enumerate(classes):
        if value in classes[:place]:
            raise errors.CLASS_TWICE(role=names, name=repr(value))
    return classes


def scores_of(
    name: str,
    truth: SourceColumn,
    classes: tuple[Label, ...],
    columns: Sequence[Array],
    rows: KeptRows,
) -> ClassScores:
    """The scores, and the column of each row's true class, which must have one."""
    wide = any(column.dtype == np.float64 for column in columns)
    same = tuple(c.astype(np.float64, copy=False) if wide else c for c in columns)
    assert truth.keys is not None
    places = {label: place for place, label in enumerate(classes)}
    found = [places.get(plain_label(word), -1) for word in truth.keys]
    true = np.array([*found, -1], np.int32)[truth.values]
    if true.min(initial=0) < 0:
        unknown = true < 0
        value = repr(truth.keys[int(truth.values[unknown.argmax()])])
        known = errors.listing([str(label) for label in classes])
        raise errors.UNKNOWN_CLASS(name=name, **rows.where(unknown), value=value, known=known)
    return ClassScores(tuple(classes), same, true)


def highest(scores: ClassScores) -> CodedClasses:
    """The class with the highest score; of equal ones the one listed first."""
    best, codes = scores.columns[0].copy(), np.zeros(len(scores.true), np.int32)
    for place, column in enumerate(scores.columns[1:], start=1):
        better = column > best
        codes[better] = place
        np.maximum(best, column, out=best)
    return CodedClasses(codes, scores.classes)


def check_alike(
    names: tuple[str, str], truth: CodedClasses, called: CodedClasses, rows: KeptRows
) -> None:
    """No prediction is of another kind than every truth: a word, or a fraction, which is a score.

    Such a prediction is never right, and a table of zeros would not say why.
    """
    if not truth.classes or not called.classes:
        return
    words = [isinstance(word, str) for word in called.classes]
    unlike = [isinstance(word, str) for word in truth.classes]
    if all(words) != all(unlike) and any(words) != any(unlike):
        kinds = ("text", "numbers") if all(unlike) else ("numbers", "text")
        raise errors.CLASS_TYPES_DIFFER(
            name=names[1], label=names[0], truth=kinds[0], prediction=kinds[1]
        )
    fractions = [_is_fraction(word) for word in called.classes]
    if any(fractions) and not any(map(_is_fraction, truth.classes)):
        bad = np.array([*fractions, False])[called.codes]
        if bad.any():
            value = repr(called.classes[int(called.codes[bad.argmax()])])
            raise errors.SCORES_AS_CLASSES(
                name=names[1], label=names[0], **rows.where(bad), value=value
            )


def _is_fraction(word: Key) -> bool:
    return isinstance(word, float) and not word.is_integer()


def canonical_classes(column: SourceColumn) -> CodedClasses:
    """Classes as they were read, with one spelling for equal ones."""
    assert column.keys is not None
    words: list[Key] = [plain_label(word) for word in column.keys]
    return CodedClasses(column.values, words)
