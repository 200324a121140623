"""Shapes as columns: a line per cell, class, point or threshold; for CSV, frames and tables."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from steelyard import errors
from steelyard.model import (
    Array,
    Averages,
    CalibrationCurve,
    ClassConfusion,
    ClassCounts,
    ClassReport,
    Confusion,
    Conventions,
    Gains,
    GroupValues,
    PrecisionRecall,
    PrecisionRecallOfClasses,
    PredictedVsTrue,
    Residuals,
    Roc,
    RocOfClasses,
    Row,
    ScoreHistogram,
    Shape,
    ShapeRow,
    Thresholds,
)
from steelyard.report import schema
from steelyard.report.columns import NUMBER, TEXT, TypedColumn, free_name, key_column
from steelyard.result.result_rows import ResultRows

WORDS = ("average",)
AVERAGES = ("accuracy", "macro", "weighted")
ShapeColumns = dict[str, list[Any]]


def keys_of(names: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold classes; of a calibration curve, `predicted` is a number.

    >>> keys_of(("true", "predicted", "weight")), keys_of(("predicted", "observed", "weight"))
    (('true', 'predicted'), ())
    """
    known = ("class", "true", "predicted") if "true" in names else ("class",)
    return tuple(name for name in names if name in known)


def shape_columns(shape: Shape) -> ShapeColumns:
    """The columns of a shape, highest threshold first; None where a number is NaN."""
    if isinstance(shape, Confusion):
        return {name: _listed([cell]) for name, cell in shape._asdict().items()}
    if isinstance(shape, ClassConfusion):
        return _cells(shape)
    if isinstance(shape, ClassCounts):
        cells = {name: _listed(column) for name, column in shape._asdict().items()}
        return {"class": cells.pop("labels"), **cells}
    if isinstance(shape, ClassReport):
        return _report(shape)
    if isinstance(shape, RocOfClasses | PrecisionRecallOfClasses):
        return _of_classes(shape)
    if isinstance(shape, ScoreHistogram | GroupValues | Residuals):
        return _histogram(shape)
    if isinstance(shape, PredictedVsTrue):
        return _squares(shape)
    return _points(shape)


def _histogram(shape: ScoreHistogram | GroupValues | Residuals) -> ShapeColumns:
    """The edges of each bin, and what is in it."""
    columns = {
        name: _listed(column)
        for name, column in shape._asdict().items()
        if isinstance(column, np.ndarray)
    }
    edges = columns.pop("edges")
    return {"low": edges[:-1], "high": edges[1:], **columns}


def _squares(shape: PredictedVsTrue) -> ShapeColumns:
    """The squares that have rows: the edges of both bins, and the weight."""
    places, edges = np.nonzero(shape.matrix), shape.edges
    found: ShapeColumns = {}
    for name, bins in zip(("true", "predicted"), places, strict=True):
        found |= {f"{name}_low": _listed(edges[bins]), f"{name}_high": _listed(edges[bins + 1])}
    return {**found, "weight": _listed(shape.matrix[places])}


def _points(
    shape: Roc | PrecisionRecall | Thresholds | CalibrationCurve | Gains,
) -> ShapeColumns:
    if isinstance(shape, PrecisionRecall):  # without the last point, which no threshold has
        count = len(shape.thresholds)
        columns = (shape.thresholds, shape.precision[:count], shape.recall[:count])
        names = ("threshold", "precision", "recall")
        return {n: _listed(column[::-1]) for n, column in zip(names, columns, strict=True)}
    columns_ = shape._asdict()
    if "thresholds" in columns_:
        columns_ = {"threshold": columns_.pop("thresholds"), **columns_}
    return {name: _listed(column) for name, column in columns_.items()}


def _cells(shape: ClassConfusion) -> ShapeColumns:
    """The cells that are not zero."""
    true, called = np.nonzero(shape.matrix)
    return {
        "true": [shape.labels[place] for place in true.tolist()],
        "predicted": [shape.labels[place] for place in called.tolist()],
        "weight": _listed(shape.matrix[true, called]),
    }


def _report(shape: ClassReport) -> ShapeColumns:
    """The classes, then their means, which have no class."""
    accuracy = Averages(float("nan"), float("nan"), shape.accuracy)
    means = (accuracy, shape.macro, shape.weighted)
    columns = [
        _listed([*column.tolist(), *(mean[place] for mean in means)])
        for place, column in enumerate((shape.precision, shape.recall, shape.f1))
    ]
    support = _listed(shape.support)
    return {
        "class": [*shape.labels, *[None] * len(means)],
        "average": [*[None] * len(shape.labels), *AVERAGES],
        **dict(zip(("precision", "recall", "f1"), columns, strict=True)),
        "support": [*support, *[sum(support)] * len(means)],
    }


def _of_classes(shape: RocOfClasses | PrecisionRecallOfClasses) -> ShapeColumns:
    found: ShapeColumns = {"class": []}
    for label, curve in shape.items():
        columns = _points(curve)
        found["class"] += [label] * len(columns["threshold"])
        for name, column in columns.items():
            found.setdefault(name, []).extend(column)
    return found


def _listed(column: Array | Iterable[Any]) -> list[Any]:
    values = column.tolist() if isinstance(column, np.ndarray) else list(column)
    return [None if value != value else value for value in values]


def printed(shapes: Sequence[Row], conventions: Conventions) -> list[ShapeRow]:
    """The shapes that were requested as metrics; those held for pictures are not printed."""
    hidden = set(conventions.pictures)
    return [row for row in shapes if isinstance(row, ShapeRow) and row.metric not in hidden]


# --- a table of several slices and scores ---------------------------------------------------------
def typed_shapes(shapes: Sequence[Row], conventions: Conventions) -> dict[str, TypedColumn]:
    """Metric, score, `by` and slice, then the columns of the shapes, which must be alike."""
    rows = [row for row in shapes if isinstance(row, ShapeRow)]
    lines = [({} if row.shape is None else shape_columns(row.shape)) for row in rows]
    names = {tuple(each) for each in lines if each}
    if len(names) > 1:
        raise errors.ONE_TABLE(tables=", ".join(dict.fromkeys(row.metric for row in rows)))
    own = next(iter(names), ())
    counts = [len(next(iter(each.values()), ())) for each in lines]
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
    for name in own:
        column = [value for each in lines for value in each.get(name, ())]
        type_ = TEXT if name in WORDS else NUMBER
        found[name] = key_column(column) if name in keys_of(own) else TypedColumn(type_, column)
    return found


def _repeated(values: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    return [value for value, n in zip(values, counts, strict=True) for _ in range(n)]
