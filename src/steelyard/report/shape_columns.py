"""Shapes as columns: a line per cell, class, point or threshold; for CSV, frames and tables."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.model import (
    Array,
    Averages,
    ClassConfusion,
    ClassReport,
    Conventions,
    PrecisionRecall,
    PrecisionRecallOfClasses,
    PredictedVsTrue,
    RocOfClasses,
    Row,
    Shape,
    ShapeRow,
)
from steelyard.report import schema
from steelyard.report.columns import NUMBER, TEXT, TypedColumn, free_name, key_column
from steelyard.result.result_rows import ResultRows
from steelyard.result.shape_fields import Content, fields_of

AVERAGES = ("accuracy", "macro", "weighted")
# Fields that are about the whole shape, and no columns.
OF_ALL_LINES = (Content.SHARE, Content.COUNT, Content.AVERAGES, Content.POINTS)


class ShapeColumn(NamedTuple):
    """What a column of a shape holds, and its values; None where a number is NaN."""

    content: Content
    values: list[Any]


ShapeColumns = dict[str, ShapeColumn]


def shape_columns(shape: Shape) -> ShapeColumns:
    """The columns of a shape, highest threshold first."""
    if isinstance(shape, RocOfClasses | PrecisionRecallOfClasses):
        return _of_classes(shape)
    if isinstance(shape, ClassConfusion | PredictedVsTrue):
        return _cells(shape)
    found: ShapeColumns = {}
    for name, field in fields_of(type(shape)).items():
        values = getattr(shape, name)
        if field.content is Content.LABELS:
            found["class"] = _column(field.content, values)
        elif field.content is Content.EDGES:
            found |= _edges(values[:-1], values[1:])
        elif field.content is Content.THRESHOLDS:
            found = {"threshold": _column(field.content, values), **found}
        elif field.content not in OF_ALL_LINES:
            found[name] = _column(field.content, np.atleast_1d(values))
    if isinstance(shape, ClassReport):
        return _with_averages(found, shape)
    return _falling(found) if isinstance(shape, PrecisionRecall) else found


def _falling(columns: ShapeColumns) -> ShapeColumns:
    """The points from the highest threshold, without the last, which no threshold has."""
    last = len(columns["threshold"].values)
    return {n: each._replace(values=each.values[:last][::-1]) for n, each in columns.items()}


def _column(content: Content, column: Array | Iterable[Any]) -> ShapeColumn:
    values = column.tolist() if isinstance(column, np.ndarray) else list(column)
    return ShapeColumn(content, [None if value != value else value for value in values])


def _edges(low: Array, high: Array, of: str = "") -> ShapeColumns:
    ends = {f"{of}low": low, f"{of}high": high}
    return {name: _column(Content.EDGES, column) for name, column in ends.items()}


def _cells(shape: ClassConfusion | PredictedVsTrue) -> ShapeColumns:
    """The cells that are not zero: the class of both sides, or the edges of their bins."""
    places, found = np.nonzero(shape.matrix), ShapeColumns()
    for name, numbers in zip(("true", "predicted"), places, strict=True):
        if isinstance(shape, PredictedVsTrue):
            found |= _edges(shape.edges[numbers], shape.edges[numbers + 1], f"{name}_")
        else:
            labels = (shape.labels[number] for number in numbers.tolist())
            found[name] = ShapeColumn(Content.LABELS, list(labels))
    return {**found, "weight": _column(Content.WEIGHTS, shape.matrix[places])}


def _with_averages(columns: ShapeColumns, shape: ClassReport) -> ShapeColumns:
    """The classes, then their means, which have no class."""
    nan, support = float("nan"), sum(columns["support"].values)
    means = (Averages(nan, nan, shape.accuracy), shape.macro, shape.weighted)
    more = {name: [getattr(mean, name, None) for mean in means] for name in columns}
    more["support"] = [support] * len(means)
    whole = {n: _column(c.content, [*c.values, *more[n]]) for n, c in columns.items()}
    averages = ShapeColumn(Content.WORDS, [*[None] * len(shape.labels), *AVERAGES])
    return {"class": whole.pop("class"), "average": averages, **whole}


def _of_classes(shape: RocOfClasses | PrecisionRecallOfClasses) -> ShapeColumns:
    found: ShapeColumns = {"class": ShapeColumn(Content.LABELS, [])}
    for label, curve in shape.items():
        columns = shape_columns(curve)
        found["class"].values.extend([label] * len(columns["threshold"].values))
        for name, (content, values) in columns.items():
            found.setdefault(name, ShapeColumn(content, [])).values.extend(values)
    return found


def printed(shapes: Sequence[Row], conventions: Conventions) -> list[ShapeRow]:
    """The shapes that were requested as metrics; those held for pictures are not printed."""
    hidden = set(conventions.pictures)
    return [row for row in shapes if isinstance(row, ShapeRow) and row.metric not in hidden]


# --- a table of several slices and scores ---------------------------------------------------------
def typed_shapes(shapes: Sequence[Row], conventions: Conventions) -> dict[str, TypedColumn]:
    """Metric, score, `by` and slice, then the columns of the shapes, which must be alike."""
    rows = [row for row in shapes if isinstance(row, ShapeRow)]
    parts = [({} if row.shape is None else shape_columns(row.shape)) for row in rows]
    names = {tuple(each) for each in parts if each}
    if len(names) > 1:
        raise errors.ONE_TABLE(tables=", ".join(dict.fromkeys(row.metric for row in rows)))
    own = next(filter(None, parts), {})
    counts = [len(next(iter(each.values())).values) if each else 0 for each in parts]
    found = {
        name: TypedColumn(TEXT, _repeated([getattr(row, name) for row in rows], counts))
        for name in ("metric", "score")
    }
    found["by"] = TypedColumn(TEXT, _repeated([",".join(row.slice) for row in rows], counts))
    sliced = list(schema.slice_columns(ResultRows.of(rows), conventions))
    taken = {*found, *own, *sliced}
    for name in sliced:
        column = _repeated([row.slice.get(name) for row in rows], counts)
        found[free_name(name, {*found, *own}, taken)] = key_column(column)
    for name, (content, _) in own.items():
        column = [value for each in parts if each for value in each[name].values]
        type_ = TEXT if content is Content.WORDS else NUMBER
        is_key = content is Content.LABELS
        found[name] = key_column(column) if is_key else TypedColumn(type_, column)
    return found


def _repeated(values: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    return [value for value, n in zip(values, counts, strict=True) for _ in range(n)]
