"""Rows as columns of one type each, from which CSV and data frames are made."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from steelyard.model import Conventions, Key, Row
from steelyard.report import display, schema
from steelyard.report.json_types import LARGEST, dump_any
from steelyard.result.result_rows import ResultRows

TEXT, INTEGER, UNSIGNED, NUMBER, BOOLEAN = "text", "integer", "unsigned", "number", "boolean"

# A sum of weights is an int or a float, so its type is number.
COLUMN_TYPES: dict[Any, str] = {
    str | None: TEXT,
    int: INTEGER,
    int | None: INTEGER,
    float | None: NUMBER,
    int | float | None: NUMBER,
}
# The columns after the slices, without the details.
FIELDS = {name: COLUMN_TYPES[schema.ROW_TYPES[name]] for name in schema.ROW_NAMES[3:-1]}
COUNTS = tuple(name for name, type_ in FIELDS.items() if type_ == INTEGER)


class TypedColumn(NamedTuple):
    """Values of one type, or None; a number is an int or a float."""

    type: str
    values: list[Any]


def typed_columns(rows: Sequence[Row], conventions: Conventions) -> dict[str, TypedColumn]:
    """Every field of the rows; the types do not depend on the rows.

    The column `by` has the names that a row is sliced by, "" for the total; then each such name has
    a column.
    """
    rows = ResultRows.of(rows)
    names = list(schema.slice_columns(rows, conventions))
    found: dict[str, TypedColumn] = {
        "metric": TypedColumn(TEXT, _all_values(rows, "metric")),
        "score": TypedColumn(TEXT, _all_values(rows, "score")),
        "by": TypedColumn(TEXT, [by for s in rows.sections for by in [",".join(s.names)] * len(s)]),
    }
    taken = {*found, *FIELDS, "details", *names}
    for name in names:
        keys = [key for section in rows.sections for key in section.key_column(name)]
        found[free_name(name, {*found, *FIELDS, "details"}, taken)] = key_column(keys)
    for name, type_ in FIELDS.items():
        found[name] = _typed(type_, _all_values(rows, name))
    details = [json.dumps(dump_any(d)) if d else None for d in _all_values(rows, "details")]
    return found | {"details": TypedColumn(TEXT, details)}


def convention_columns(conventions: Conventions) -> dict[str, TypedColumn]:
    """How the values were computed: what is set, by name."""
    told = {
        name: json.dumps(dumped, ensure_ascii=False)
        for name, dumped in schema.dump_conventions(conventions).items()
        if dumped not in (None, [], {}, "")
    }
    columns = {"convention": list(told), "value": list(told.values())}
    return {name: TypedColumn(TEXT, values) for name, values in columns.items()}


def widened(
    columns: Mapping[str, TypedColumn], before: Sequence[str], fields: Mapping[str, str]
) -> dict[str, TypedColumn]:
    """Rows of metrics as lines: the columns before, then some fields of each metric.

    before: the columns that tell lines apart; fields: the end of a column's name after the metric,
        by field; a field that no row of a metric has makes no column, unless it is the first
    """
    lines: dict[tuple[Any, ...], int] = {}
    keys = zip(*(columns[name].values for name in before), strict=True)
    places = [lines.setdefault(key, len(lines)) for key in keys]
    found: dict[str, TypedColumn] = {}
    rows: dict[str, list[int]] = {}
    for row, metric in enumerate(columns["metric"].values):
        rows.setdefault(metric, []).append(row)
    first = next(iter(fields))
    for metric, own in rows.items():
        for field, end in fields.items():
            made: list[Any] = [None] * len(lines)
            for row in own:
                made[places[row]] = columns[field].values[row]
            if field == first or any(value is not None for value in made):
                found[f"{metric}{end}"] = TypedColumn(columns[field].type, made)
    taken = {*found, *before}
    told = {
        free_name(name, set(found), taken): TypedColumn(columns[name].type, list(values))
        for name, values in zip(before, zip(*lines, strict=True), strict=True)
    }
    return {**told, **found}


def _all_values(rows: ResultRows, name: str) -> list[Any]:
    return [value for section in rows.sections for value in section.column(name)]


def free_name(name: str, ours: set[str], taken: set[str]) -> str:
    """The name of a slice column; slice_ comes before a name that another column has."""
    while name in ours:
        name = f"slice_{name}"
        while name in taken:
            name += "_"
    return name


def key_column(keys: list[Key]) -> TypedColumn:
    """A column of keys; text if they are of several types or float64 would round them."""
    type_ = {"string": TEXT, "boolean": BOOLEAN, "integer": INTEGER, "number": NUMBER}.get(
        schema.key_type(keys)
    )
    large = any(isinstance(key, int) and abs(key) > LARGEST for key in keys)
    if type_ is None or (type_ == NUMBER and large):
        return _as_text(keys)
    return _typed(type_, keys)


def _typed(type_: str, values: list[Any]) -> TypedColumn:
    """A column of a type; integers are signed or unsigned, or text if 64 bits are too few."""
    if type_ != INTEGER:
        return TypedColumn(type_, values)
    low = min((value for value in values if value is not None), default=0)
    high = max((value for value in values if value is not None), default=0)
    if low >= -(2**63) and high < 2**63:
        return TypedColumn(INTEGER, values)
    return TypedColumn(UNSIGNED, values) if low >= 0 and high < 2**64 else _as_text(values)


def _as_text(keys: list[Any]) -> TypedColumn:
    texts = [key if key is None or isinstance(key, str) else display.key(key) for key in keys]
    return TypedColumn(TEXT, texts)
