"""`steelyard.result/1`: a result as plain data, and back, type for type. See docs/result.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from steelyard import errors
from steelyard.model import Conventions, Key, Label, Row
from steelyard.report.kinds import (
    ANY,
    ANY_MAPPING,
    BY,
    FLAG,
    LIST,
    MAPPING,
    NAMES,
    NUMBER,
    REAL,
    TEXT,
    TEXTS,
    VALUES,
    WHOLE,
    Kind,
    optional,
)
from steelyard.rows import ResultRows

SCHEMA = "steelyard.result/1"

KINDS: dict[Any, Kind] = {  # of the types that conventions have
    str: TEXT,
    str | None: optional(TEXT),
    float | None: optional(REAL),
    Label: ANY,
    tuple[Label, ...]: VALUES,
    tuple[str, ...]: NAMES,
    tuple[tuple[str, ...], ...]: BY,
    Mapping[str, str]: TEXTS,
    Mapping[str, Mapping[str, Any]]: ANY_MAPPING,
}
CONVENTIONS = {each.name: KINDS[each.type] for each in fields(Conventions)}
ROW = {
    "metric": TEXT,
    "score": TEXT,
    "slice": MAPPING,  # its keys by their own types, below
    "value": optional(REAL),
    "why": optional(TEXT),
    "low": optional(REAL),
    "high": optional(REAL),
    "n": WHOLE,
    "weight": optional(NUMBER),
    "positives": optional(WHOLE),
    "negatives": optional(WHOLE),
    "weighted_positives": optional(NUMBER),
    "weighted_negatives": optional(NUMBER),
    "prediction_sum": optional(REAL),
    "weighted_prediction_sum": optional(REAL),
    "dropped": WHOLE,
    "details": ANY_MAPPING,
}
KEYS = {
    "string": optional(TEXT),
    "boolean": optional(FLAG),
    "integer": optional(WHOLE),
    "number": optional(NUMBER),
    "mixed": ANY,
}

TYPES: dict[str, set[type]] = {
    "string": {str},
    "boolean": {bool},
    "integer": {int},
    "number": {int, float},
}


def dump(rows: Sequence[Row], conventions: Conventions) -> dict[str, Any]:
    """A result as a dictionary that JSON can hold."""
    head = dump_head(rows, conventions)
    return {**head, "rows": [dump_row(row, head["slices"]) for row in rows]}


def dump_head(rows: Sequence[Row], conventions: Conventions) -> dict[str, Any]:
    """Everything but the rows; `slices` has the type of each column sliced by."""
    return {
        "schema": SCHEMA,
        "conventions": {n: kind.dump(getattr(conventions, n)) for n, kind in CONVENTIONS.items()},
        "slices": slice_types(rows, conventions),
    }


def dump_row(row: Row, types: Mapping[str, str]) -> dict[str, Any]:
    """One row; every field is there."""
    dumped = {name: kind.dump(getattr(row, name)) for name, kind in ROW.items()}
    dumped["slice"] = {name: KEYS[types[name]].dump(key) for name, key in row.slice.items()}
    return dumped


def load(data: Any) -> tuple[list[Row], Conventions]:
    """The rows and conventions of such a dictionary; fields it does not know are passed over."""
    if not isinstance(data, dict) or "schema" not in data:
        raise errors.NOT_A_RESULT(reason='it has no "schema"')
    if data["schema"] != SCHEMA:
        raise errors.RESULT_SCHEMA(schema=data["schema"], known=SCHEMA)
    types = _loaded(TEXTS, data.get("slices"), "slices")
    for name, kind in types.items():
        if kind not in KEYS:
            raise errors.RESULT_DAMAGED(part=f"slices.{name}", wanted=f"one of {', '.join(KEYS)}")
    conventions = _fields(Conventions, data.get("conventions"), "conventions", CONVENTIONS)
    rows = _loaded(LIST, data.get("rows"), "rows")
    found = [_row(row, f"rows[{place}]", types) for place, row in enumerate(rows)]
    return found, Conventions(**conventions)


def slice_columns(rows: Sequence[Row], conventions: Conventions) -> dict[str, list[Key]]:
    """The keys of each column that was sliced by, once for each slice."""
    columns: dict[str, list[Key]] = {name: [] for by in conventions.by for name in by}
    for section in ResultRows.of(rows).sections:
        for name, keys in zip(section.names, zip(*section.keys, strict=True), strict=True):
            columns.setdefault(name, []).extend(keys)
    return columns


def slice_types(rows: Sequence[Row], conventions: Conventions) -> dict[str, str]:
    return {name: key_type(keys) for name, keys in slice_columns(rows, conventions).items()}


def key_type(keys: Iterable[Key]) -> str:
    """What keys are, apart from those that are missing.

    >>> key_type(["DE", None]), key_type([1, 2]), key_type([1, 2.5]), key_type([1, "a"])
    ('string', 'integer', 'number', 'mixed')
    """
    found: set[type] = {type(key) for key in keys if key is not None}
    return next((name for name, types in TYPES.items() if found <= types), "mixed")


def _row(data: Any, part: str, types: Mapping[str, str]) -> Row:
    found = _fields(Row, data, part, ROW)
    for name, key in found.get("slice", {}).items():
        if name not in types:
            raise errors.RESULT_DAMAGED(part=f"slices.{name}", wanted=f"one of {', '.join(KEYS)}")
        found["slice"][name] = _loaded(KEYS[types[name]], key, f"{part}.slice.{name}")
    return Row(**found)


def _fields(
    record: type[Row | Conventions], data: Any, part: str, kinds: Mapping[str, Kind]
) -> dict[str, Any]:
    """The fields of a record; those that have a default may be absent."""
    data = _loaded(MAPPING, data, part)
    for field in fields(record):
        absent = field.name not in data
        if absent and field.default is MISSING and field.default_factory is MISSING:
            raise errors.RESULT_DAMAGED(
                part=f"{part}.{field.name}", wanted=kinds[field.name].wanted
            )
    return {
        name: _loaded(kind, data[name], f"{part}.{name}")
        for name, kind in kinds.items()
        if name in data
    }


def _loaded(kind: Kind, data: Any, part: str) -> Any:
    try:
        return kind.load(data)
    except (ValueError, TypeError, OverflowError):
        raise errors.RESULT_DAMAGED(part=part, wanted=kind.wanted) from None
