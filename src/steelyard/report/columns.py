"""Rows as columns of one type each, which tables of any make are built from."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from steelyard.model import Conventions, Key, Row
from steelyard.report import display, schema
from steelyard.report.json_types import LARGEST, dump_any
from steelyard.rows import ResultRows

TEXT, INTEGER, UNSIGNED, NUMBER, BOOLEAN = "text", "integer", "unsigned", "number", "boolean"

# What stands behind the slices. Sums of weights are integers or floats: numbers, all of them.
FIELDS = {
    "value": NUMBER,
    "why": TEXT,
    "low": NUMBER,
    "high": NUMBER,
    "n": INTEGER,
    "weight": NUMBER,
    "positives": INTEGER,
    "negatives": INTEGER,
    "weighted_positives": NUMBER,
    "weighted_negatives": NUMBER,
    "prediction_sum": NUMBER,
    "weighted_prediction_sum": NUMBER,
    "dropped": INTEGER,
}


COUNTS = tuple(name for name, type_ in FIELDS.items() if type_ == INTEGER)


class TypedColumn(NamedTuple):
    """Values of one type, None where there is none; a number may be an int or a float."""

    type: str
    values: list[Any]


def columns(rows: Sequence[Row], conventions: Conventions) -> dict[str, TypedColumn]:
    """Every field of the rows; the types do not depend on which rows there are.

    by: what a row is sliced by, "" for the total; then one column for each such name
    """
    rows = ResultRows.of(rows)
    names = list(schema.slice_columns(rows, conventions))
    laid: dict[str, TypedColumn] = {
        "metric": TypedColumn(TEXT, _of_all(rows, "metric")),
        "score": TypedColumn(TEXT, _of_all(rows, "score")),
        "by": TypedColumn(TEXT, [by for s in rows.sections for by in [",".join(s.names)] * len(s)]),
    }
    taken = {*laid, *FIELDS, "details", *names}
    for name in names:
        column = keys([key for section in rows.sections for key in section.key_column(name)])
        laid[_free(name, {*laid, *FIELDS, "details"}, taken)] = column
    for name, type_ in FIELDS.items():
        laid[name] = _whole(type_, _of_all(rows, name))
    details = [json.dumps(dump_any(d)) if d else None for d in _of_all(rows, "details")]
    return laid | {"details": TypedColumn(TEXT, details)}


def _of_all(rows: ResultRows, name: str) -> list[Any]:
    return [value for section in rows.sections for value in section.column(name)]


def _free(name: str, ours: set[str], taken: set[str]) -> str:
    """A slice's own name; where it is one of ours, slice_ is put before it."""
    while name in ours:
        name = f"slice_{name}"
        while name in taken:
            name += "_"
    return name


def keys(given: list[Key]) -> TypedColumn:
    """The keys of a slice; text where they are of several types or float64 would round them."""
    type_ = {"string": TEXT, "boolean": BOOLEAN, "integer": INTEGER, "number": NUMBER}.get(
        schema.key_type(given)
    )
    large = any(isinstance(key, int) and abs(key) > LARGEST for key in given)
    if type_ is None or (type_ == NUMBER and large):
        return _texts(given)
    return _whole(type_, given)


def _whole(type_: str, values: list[Any]) -> TypedColumn:
    """Integers in 64 bits, with a sign or without, or as text where neither will do."""
    if type_ != INTEGER:
        return TypedColumn(type_, values)
    low = min((value for value in values if value is not None), default=0)
    high = max((value for value in values if value is not None), default=0)
    if low >= -(2**63) and high < 2**63:
        return TypedColumn(INTEGER, values)
    return TypedColumn(UNSIGNED, values) if low >= 0 and high < 2**64 else _texts(values)


def _texts(keys: list[Any]) -> TypedColumn:
    words = [key if key is None or isinstance(key, str) else display.key(key) for key in keys]
    return TypedColumn(TEXT, words)
