"""Shapes as plain data for JSON, and back: an object with a field for each column or number."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

import numpy as np

from steelyard.model import (
    Array,
    Averages,
    CalibrationCurve,
    ClassConfusion,
    ClassCounts,
    ClassReport,
    Confusion,
    Gains,
    GroupValues,
    PrecisionRecall,
    PrecisionRecallOfClasses,
    PredictedVsTrue,
    Residuals,
    Roc,
    RocOfClasses,
    ScoreHistogram,
    Shape,
    Thresholds,
    missing_shape,
    same_shape,
)
from steelyard.report.json_types import (
    LIST,
    MAPPING,
    VALUES,
    WHOLE,
    JsonType,
    dump_number,
    load_number,
)

KINDS: Mapping[str, type[Any]] = {
    "confusion": Confusion,
    "class_confusion": ClassConfusion,
    "class_counts": ClassCounts,
    "class_report": ClassReport,
    "roc": Roc,
    "precision_recall": PrecisionRecall,
    "roc_of_classes": RocOfClasses,
    "precision_recall_of_classes": PrecisionRecallOfClasses,
    "thresholds": Thresholds,
    "calibration_curve": CalibrationCurve,
    "score_histogram": ScoreHistogram,
    "gains": Gains,
    "group_values": GroupValues,
    "residuals": Residuals,
    "predicted_vs_true": PredictedVsTrue,
}
Load = Callable[[Any], Any]
NAMES = {kind: name for name, kind in KINDS.items()}
CURVES: Mapping[type[Any], type[Any]] = {
    RocOfClasses: Roc,
    PrecisionRecallOfClasses: PrecisionRecall,
}


def dump_shape(shape: Shape) -> dict[str, Any]:
    """The fields of a shape; NaN is null."""
    if isinstance(shape, dict):
        return {
            "classes": VALUES.dump(list(shape)),
            "curves": [dump_shape(curve) for curve in shape.values()],
        }
    return {name: type_.dump(getattr(shape, name)) for name, type_ in _fields(type(shape)).items()}


def load_shape(kind: str, data: Any) -> Shape:
    """The shape of a kind; ValueError or TypeError if the data are not of this kind."""
    made, data = KINDS[kind], MAPPING.load(data)
    if made in CURVES:
        labels, curves = _labels(data.get("classes")), LIST.load(data.get("curves"))
        loaded = [load_shape(NAMES[CURVES[made]], curve) for curve in curves]
        found: Shape = made(zip(labels, loaded, strict=True))
        return found
    fields = {name: type_.load(data.get(name)) for name, type_ in _fields(made).items()}
    shape: Shape = made(**fields)
    if not same_shape(shape, missing_shape(made)):  # the curve of a class without rows
        _check_lengths(shape)
        _check_order(shape)
    return shape


def load_filled_shape(kind: str, data: Any) -> Shape:
    """The same, refused if it has no line, no class or no bin."""
    shape: Any = load_shape(kind, data)
    of_bins = not isinstance(shape, dict) and shape._fields[0] == "edges"
    if np.size(list(shape) if isinstance(shape, dict) else shape[0]) <= of_bins:
        raise ValueError("a shape of nothing")
    return shape  # type: ignore[no-any-return]


def _dump(value: Any) -> Any:
    return None if value != value else dump_number(value)


def _load(data: Any) -> int | float:
    return float("nan") if data is None else load_number(data)


def _dump_column(column: Array) -> list[Any]:
    return [_dump(value) for value in column.tolist()]


def _floats(data: Any) -> Array:
    return np.array([_load(value) for value in LIST.load(data)], np.float64)


def _within(load: Load, low: float, high: float, *, nan: bool = True) -> Load:
    """The same numbers, refused if one is below or above; NaN is neither."""

    def loaded(data: Any) -> Any:
        found = load(data)
        outside = np.less(found, low) | np.greater(found, high)
        if np.any(outside) or not (nan or np.all(np.equal(found, found))):
            raise ValueError("a number out of its range")
        return found

    return loaded


def _numbers(data: Any) -> Array:
    """Whole numbers as int64, others as float64."""
    numbers = [_load(value) for value in LIST.load(data)]
    whole = all(isinstance(number, int) for number in numbers)
    return np.array(numbers, np.int64 if whole else np.float64)


def _matrix(data: Any) -> Array:
    lines = [_numbers(line) for line in LIST.load(data)]
    if any(len(line) != len(lines) for line in lines):
        raise ValueError("it is not square")
    whole = all(line.dtype == np.int64 for line in lines)
    kind = np.int64 if whole else np.float64
    return np.array(lines, kind).reshape(len(lines), len(lines))


def _labels(data: Any) -> tuple[Any, ...]:
    labels: tuple[Any, ...] = VALUES.load(data)
    if len(set(labels)) < len(labels):
        raise ValueError("a class twice")
    return labels


def _averages(data: Any) -> Averages:
    data = MAPPING.load(data)
    return Averages(*(SHARE.load(data.get(name)) for name in Averages._fields))


def _type(dump: Callable[[Any], Any], load: Callable[[Any], Any]) -> JsonType:
    return JsonType("a shape", dump, load)


LABELS = _type(VALUES.dump, _labels)
FLOATS = _type(_dump_column, _floats)
SHARES = _type(_dump_column, _within(_floats, 0, 1))
WEIGHTS = _type(_dump_column, _within(_numbers, 0, inf, nan=False))
FLOAT_WEIGHTS = _type(_dump_column, _within(_floats, 0, inf, nan=False))
MATRIX = _type(lambda matrix: [_dump_column(line) for line in matrix], _within(_matrix, 0, inf))
FULL_MATRIX = MATRIX._replace(load=_within(_matrix, 0, inf, nan=False))
SHARE = _type(_dump, _within(lambda data: float(_load(data)), 0, 1))
CELL = _type(_dump, _within(_load, 0, inf))
COUNT = _type(_dump, _within(WHOLE.load, 0, inf))
POINTS = _type(
    lambda points: None if points is None else dump_shape(points),
    lambda data: None if data is None else load_shape("thresholds", data),
)
MEAN = _type(lambda mean: {name: _dump(v) for name, v in mean._asdict().items()}, _averages)
TYPES: Mapping[str, JsonType] = {
    "labels": LABELS,
    "matrix": MATRIX,
    **dict.fromkeys(("tp", "fp", "fn", "tn", "support"), WEIGHTS),
    **dict.fromkeys(("positives", "negatives", "groups"), WEIGHTS),
    **dict.fromkeys(("groups_used", "groups_total", "rows_used", "rows_total"), COUNT),
    **dict.fromkeys(("fpr", "tpr", "precision", "recall", "f1", "specificity"), SHARES),
    **dict.fromkeys(("depth", "capture", "predicted", "observed"), SHARES),
    **dict.fromkeys(("area_error", "accuracy"), SHARE),
    **dict.fromkeys(("macro", "weighted"), MEAN),
    "inner": POINTS,
}
ATTRIBUTES = ("area_error", "inner")  # of some shapes, besides the columns that can be unpacked
# A confusion matrix of shares has cells that are 0/0; a calibration curve's weight is a float.
OWN_TYPES: Mapping[type[Any], Mapping[str, JsonType]] = {
    Confusion: dict.fromkeys(Confusion._fields, CELL),
    CalibrationCurve: {"weight": FLOAT_WEIGHTS},
    Residuals: {"weight": WEIGHTS},
    PredictedVsTrue: {"matrix": FULL_MATRIX},
}
# Columns from one number to another, always rising or always falling.
ENDS: Mapping[type[Any], Mapping[str, tuple[float, float]]] = {
    Roc: {"fpr": (0, 1), "tpr": (0, 1)},
    PrecisionRecall: {"recall": (1, 0)},
    Gains: {"depth": (0, 1), "capture": (0, 1)},
}


def _fields(kind: type[Any]) -> dict[str, JsonType]:
    names = (*kind._fields, *(name for name in ATTRIBUTES if hasattr(kind, name)))
    types = {**TYPES, **OWN_TYPES.get(kind, {})}
    return {name: types.get(name, FLOATS) for name in names}


def _check_lengths(shape: Any) -> None:
    """Refuse columns of different lengths.

    The last precision and recall have no threshold; edges are one more than bins.
    """
    columns = [part for part in shape if isinstance(part, np.ndarray | tuple)]
    lengths = [len(part) for part in columns if not isinstance(part, Averages)]
    if isinstance(shape, PrecisionRecall):
        lengths[2] += 1
    if shape._fields[0] == "edges":
        lengths[0] -= 1
    if getattr(shape, "inner", None) is not None:
        lengths.append(len(shape.inner.thresholds) + 1)
    if len(set(lengths)) > 1:
        raise ValueError("columns of different lengths")


def _check_order(shape: Any) -> None:
    """Refuse what no rows have: NaN as a threshold, edges out of order, a curve that turns back."""
    falling = -1 if isinstance(shape, PrecisionRecall) else 1
    columns = [-falling * getattr(shape, "thresholds", np.zeros(1))]
    columns += [shape.edges] if shape._fields[0] == "edges" else []
    for name, (first, last) in ENDS.get(type(shape), {}).items():
        column = getattr(shape, name)
        if [*column[:1], *column[-1:]] != [first, last]:
            raise ValueError("a curve that does not have its ends")
        columns.append(column * (last - first))
    if not all((np.maximum.accumulate(column) == column).all() for column in columns):
        raise ValueError("numbers out of order")
