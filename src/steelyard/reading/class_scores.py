"""Scores of classes: a matrix or several columns, and the class of each column."""

from collections.abc import Mapping, Sequence
from math import isinf
from numbers import Integral
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import Array, Key, Label
from steelyard.phrases import listing, phrase
from steelyard.reading.labels import plain_label
from steelyard.reading.numbers import NEAR
from steelyard.reading.predictions import ClassScores, CodedClasses
from steelyard.reading.row_numbers import KeptRows
from steelyard.sources.arrays import as_array, is_missing, key, not_array
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.text_values import value_of

CLASS_KINDS = "biuUST"  # of NumPy's types: booleans, integers, text


def is_matrix(values: Any) -> bool:
    """Whether the values have several scores per row; a matrix of one column does not count."""
    if isinstance(values, str | Mapping) or values is None:
        return False
    if is_frame(values):
        return len(values.columns) > 1
    if hasattr(values, "ndim"):
        return bool(values.ndim == 2 and values.shape[1] > 1)
    first = values[0] if isinstance(values, list | tuple) and values else None
    return isinstance(first, list | tuple | np.ndarray) and np.ndim(first) == 1 and len(first) > 1


def are_classes(values: Any) -> bool:
    """Whether values are classes by their type: integers, booleans or text; floats are scores."""
    kind = getattr(getattr(values, "dtype", None), "kind", "O")
    if kind != "O":
        return kind in CLASS_KINDS
    array = as_array(values)
    if array.dtype.kind != "O":
        return array.dtype.kind in CLASS_KINDS
    present = [value for value in array.ravel().tolist() if not is_missing(value)]
    return bool(present) and all(isinstance(value, str | bytes | Integral) for value in present)


def is_frame(values: Any) -> bool:
    """Whether it is a pandas or Polars frame, whose columns have names."""
    return hasattr(values, "columns") and hasattr(values, "to_numpy")


def matrix_columns(name: str, matrix: Any) -> dict[str, Any]:
    """The columns of a matrix, by name."""
    if is_frame(matrix):
        return {f"{name}[{column}]": matrix[column] for column in matrix.columns}
    try:
        array = np.asarray(matrix)
    except ValueError as error:
        raise not_array(name, matrix, error) from error
    return {f"{name}[{place}]": array[:, place] for place in range(array.shape[1])}


def classes_of(
    name: str,
    label: Any,
    given: Any,
    matrix: Any,
    names: str = "classes",
    matrix_name: str = "score",
) -> tuple[Label, ...]:
    """The class of each column of a matrix.

    These are the classes given, else the column names if every label is among them, else the
    sorted labels.
    """
    columns = len(matrix.columns) if is_frame(matrix) else np.shape(matrix)[1]
    if len(matrix) != len(label) == columns:
        raise errors.TRANSPOSED(name=matrix_name, rows=len(matrix), columns=columns, label=name)
    seen = ""
    if given is not None:
        classes = named_classes(given, names)
    else:
        labels = [plain_label(each) for each in key(name, label).keys or ()]
        seen = f" in {name}"
        if is_frame(matrix) and {*labels} <= {*matrix.columns}:
            return named_classes(list(matrix.columns), names)
        if columns == len(labels) == 2:
            _refuse_two_scores(matrix, names, matrix_name)
        try:  # a key's type says nothing of order; the except clause is for those without one
            classes = tuple(sorted(labels))  # type: ignore[type-var]
        except TypeError:
            classes = ()  # labels of several types have no order
    if len(classes) != columns:
        raise errors.CLASS_COUNT(
            columns=columns, count=len(classes), seen=seen, names=phrase(names)
        )
    return classes


def _refuse_two_scores(matrix: Any, names: str, matrix_name: str) -> None:
    """Refuses two columns that may be scores of two models: their rows do not add up to 1."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # infinity is refused when it is read
            sums = np.asarray(matrix, np.float64).sum(axis=1)
    except (TypeError, ValueError):
        return  # what is no number is refused when it is read
    bad = np.abs(sums - 1.0) > NEAR  # False for NaN, which is refused when it is read
    if bad.any():
        position = int(bad.argmax())
        value = f"{sums[position]:.6g}"
        raise errors.TWO_SCORES(
            name=matrix_name, position=position, value=value, names=phrase(names)
        )


def named_classes(given: Any, names: str = "classes") -> tuple[Label, ...]:
    """The classes as plain Python values; refused if one is given twice."""
    values = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise errors.NOT_A_NAME(role=names, type=type(given).__name__)
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    classes = tuple(map(plain_label, plain))
    try:
        hash(classes)
        all(value == value for value in classes)
    except TypeError as error:  # a list or a mapping among them, or a missing value of pandas
        wanted = "a text or a number for each class"
        raise errors.OPTION_TYPE(
            name=phrase(names), type=type(given).__name__, wanted=wanted
        ) from error
    if not classes:
        raise errors.NO_CLASSES(role=phrase(names))
    for place, value in enumerate(classes):
        if value in classes[:place]:
            raise errors.CLASS_TWICE(role=names, name=phrase("{value!r}", value=value))
    return classes


def scores_of(
    name: str,
    truth: SourceColumn,
    classes: tuple[Label, ...],
    columns: Sequence[Array],
    rows: KeptRows,
) -> ClassScores:
    """The scores of all classes, and for each row the column of its true class."""
    wide = any(column.dtype == np.float64 for column in columns)
    same = tuple(c.astype(np.float64, copy=False) if wide else c for c in columns)
    refuse_infinite(name, truth, rows)
    assert truth.keys is not None
    places = {label: place for place, label in enumerate(classes)}
    found = [places.get(plain_label(label), -1) for label in truth.keys]
    true = np.array([*found, -1], np.int32)[truth.values]
    if true.min(initial=0) < 0:
        unknown = true < 0
        value = repr(truth.keys[int(truth.values[unknown.argmax()])])
        known = listing([phrase("{label}", label=label) for label in classes])
        raise errors.UNKNOWN_CLASS(name=name, **rows.where(unknown), value=value, known=known)
    return ClassScores(tuple(classes), same, true)


def highest(scores: ClassScores) -> CodedClasses:
    """The class with the highest score in each row; of equal scores the class listed first."""
    best, codes = scores.columns[0].copy(), np.zeros(len(scores.true), np.int32)
    for place, column in enumerate(scores.columns[1:], start=1):
        better = column > best
        codes[better] = place
        np.maximum(best, column, out=best)
    return CodedClasses(codes, scores.classes)


def check_same_kind(
    names: tuple[str, str], truth: CodedClasses, predicted: CodedClasses, rows: KeptRows
) -> None:
    """Refuses predictions of another kind than every truth: text, or fractions, which are scores.

    Such a prediction is never right, and a table of zeros would not tell the reason.
    """
    if not truth.classes or not predicted.classes:
        return
    text = [isinstance(label, str) for label in predicted.classes]
    true_text = [isinstance(label, str) for label in truth.classes]
    if all(text) != all(true_text) and any(text) != any(true_text):
        kinds = ("text", "numbers") if all(true_text) else ("numbers", "text")
        raise errors.CLASS_TYPES_DIFFER(
            name=names[1], label=names[0], truth=kinds[0], prediction=kinds[1]
        )
    fractions = [_is_fraction(label) for label in predicted.classes]
    if any(fractions) and not any(map(_is_fraction, truth.classes)):
        bad = np.array([*fractions, False])[predicted.codes]
        if bad.any():
            value = repr(predicted.classes[int(predicted.codes[bad.argmax()])])
            raise errors.SCORES_AS_CLASSES(
                name=names[1], label=names[0], **rows.where(bad), value=value
            )


def _is_fraction(label: Key) -> bool:
    """Whether it is a number with a fraction, or the text of one."""
    value = value_of(label) if isinstance(label, str) else label
    return isinstance(value, float) and not value.is_integer()


def refuse_infinite(name: str, column: SourceColumn, rows: KeptRows) -> None:
    """Refuses infinity, which is no class: it is the outcome of a calculation that failed."""
    assert column.keys is not None
    infinite = [isinstance(label, float) and isinf(label) for label in column.keys]
    if any(infinite):
        bad = np.array([*infinite, False])[column.values]
        if bad.any():
            raise errors.INFINITE(name=name, **rows.where(bad))


def canonical_classes(name: str, column: SourceColumn, rows: KeptRows) -> CodedClasses:
    """The classes of a column; equal ones have one canonical form, 1 for 1.0 and True."""
    refuse_infinite(name, column, rows)
    assert column.keys is not None
    return CodedClasses(column.values, [plain_label(label) for label in column.keys])
