"""Shapes as plain data for JSON, and back: an object with a field for each column or number."""

import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, get_args

import numpy as np

from steelyard.model import Array, Averages, Shape, missing_shape, same_shape
from steelyard.report.json_types import (
    LIST,
    MAPPING,
    VALUES,
    WHOLE,
    JsonType,
    dump_number,
    load_number,
    optional,
)
from steelyard.result.shape_fields import Content, fields_of

Load = Callable[[Any], Any]
# The kinds by name: that of the class, in small letters.
KINDS: Mapping[str, type[Any]] = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(Shape)
}
NAMES = {kind: name for name, kind in KINDS.items()}


def dump_shape(shape: Shape | Averages) -> dict[str, Any]:
    """The fields of a shape; NaN is null."""
    if isinstance(shape, dict):
        return {
            "classes": VALUES.dump(list(shape)),
            "curves": [dump_shape(curve) for curve in shape.values()],
        }
    fields = fields_of(type(shape))
    return {name: TYPES[each.content].dump(getattr(shape, name)) for name, each in fields.items()}


def load_shape(kind: str, data: Any) -> Shape:
    """The shape of a kind; ValueError or TypeError if the data are not of this kind."""
    made = KINDS[kind]
    if issubclass(made, dict):
        return _curves(made, MAPPING.load(data))
    shape: Shape = _fields(made, data)
    if not same_shape(shape, missing_shape(made)):  # the curve of a class without rows
        _check_lengths(shape)
        _check_order(shape)
        _check_counts(shape)
    return shape


def load_filled_shape(kind: str, data: Any) -> Shape:
    """The same, refused if it has no line, no class or no bin."""
    shape: Any = load_shape(kind, data)
    of_bins = not isinstance(shape, dict) and shape._fields[0] == "edges"
    if np.size(list(shape) if isinstance(shape, dict) else shape[0]) <= of_bins:
        raise ValueError("a shape of nothing")
    return shape  # type: ignore[no-any-return]


def _curves(made: Any, data: dict[str, Any]) -> Shape:
    """The curves of some classes; their kind is that of the values of the mapping."""
    _, curve = get_args(made.__orig_bases__[0])
    labels, curves = _labels(data.get("classes")), LIST.load(data.get("curves"))
    loaded = [load_shape(NAMES[curve], each) for each in curves]
    found: Shape = made(zip(labels, loaded, strict=True))
    return found


def _fields(made: type[Any], data: Any) -> Any:
    data = MAPPING.load(data)
    fields = fields_of(made).items()
    return made(**{name: TYPES[each.content].load(data.get(name)) for name, each in fields})


def _dump(value: Any) -> Any:
    return None if value != value else dump_number(value)


def _load(data: Any) -> int | float:
    return float("nan") if data is None else load_number(data)


def _dump_column(column: Array) -> list[Any]:
    return [_dump(value) for value in column.tolist()]


def _dump_lines(matrix: Array) -> list[Any]:
    return [_dump_column(line) for line in matrix]


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


def _one_within(load: Load, low: float, high: float) -> Load:
    """The same for one number, which may be a whole one of any size: NumPy cannot compare those."""

    def loaded(data: Any) -> Any:
        number = load(data)
        if number < low or number > high:
            raise ValueError("a number out of its range")
        return number

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


def _type(dump: Callable[[Any], Any], load: Callable[[Any], Any]) -> JsonType:
    return JsonType("a shape", dump, load)


FLOATS = _type(_dump_column, _floats)
TYPES: Mapping[Content, JsonType] = {
    Content.LABELS: _type(VALUES.dump, _labels),
    **dict.fromkeys((Content.NUMBERS, Content.THRESHOLDS, Content.EDGES), FLOATS),
    Content.SHARES: _type(_dump_column, _within(_floats, 0, 1)),
    Content.WEIGHTS: _type(_dump_column, _within(_numbers, 0, inf, nan=False)),
    Content.FLOAT_WEIGHTS: _type(_dump_column, _within(_floats, 0, inf, nan=False)),
    Content.MATRIX: _type(_dump_lines, _within(_matrix, 0, inf)),
    Content.FULL_MATRIX: _type(_dump_lines, _within(_matrix, 0, inf, nan=False)),
    Content.WEIGHT: _type(_dump, _one_within(_load, 0, inf)),
    Content.SHARE: _type(_dump, _one_within(lambda data: float(_load(data)), 0, 1)),
    Content.COUNT: _type(_dump, _one_within(WHOLE.load, 0, inf)),
    Content.AVERAGES: _type(dump_shape, lambda data: _fields(Averages, data)),
    Content.POINTS: optional(_type(dump_shape, lambda data: load_shape("thresholds", data))),
}


def _check_lengths(shape: Any) -> None:
    """Refuse columns of different lengths."""
    lengths = {
        len(getattr(shape, name)) - field.more
        for name, field in fields_of(type(shape)).items()
        if isinstance(getattr(shape, name), np.ndarray) or field.content is Content.LABELS
    }
    if getattr(shape, "inner", None) is not None:
        lengths.add(len(shape.inner.thresholds) + 1)
    if len(lengths) > 1:
        raise ValueError("columns of different lengths")


def _check_order(shape: Any) -> None:
    """Refuse what no rows have: NaN as a threshold, edges out of order, a curve that turns back."""
    for name, field in fields_of(type(shape)).items():
        column = getattr(shape, name)
        if field.direction and field.content is Content.SHARES:
            ends = [0, 1][:: field.direction]
            if [*column[:1], *column[-1:]] != ends:
                raise ValueError("a curve that does not have its ends")
        if field.direction and not _rises(column * field.direction):
            raise ValueError("numbers out of order")


def _check_counts(shape: Any) -> None:
    """Refuse more groups or rows with a value than there are."""
    for name in fields_of(type(shape)):
        if name.endswith("_used") and getattr(shape, name) > getattr(shape, f"{name[:-5]}_total"):
            raise ValueError("a part that is more than the whole")


def _rises(column: Array) -> bool:
    """Whether no number is below the one before it, or NaN."""
    return bool((np.maximum.accumulate(column) == column).all())
