"""`steelyard.result/1`: a result as plain data and back, with all types. See docs/result.md."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from itertools import chain
from math import inf
from typing import Any

from steelyard import errors
from steelyard.metrics.influence import A_TEST
from steelyard.metrics.record import ROLES
from steelyard.model import Conventions, Key, Label, Row, ShapeRow
from steelyard.report.display import CLASS_LABELS, COUNT_LABELS, DETAIL_LABELS, ROWS_TAKEN_AS
from steelyard.report.json_types import (
    ANY,
    ANY_MAPPING,
    BY,
    FLAG,
    LIST,
    MAPPING,
    NAMES,
    NUMBER,
    PARAMETERS,
    REAL,
    SCALAR,
    TEXT,
    TEXTS,
    VALUES,
    WHOLE,
    JsonType,
    counted,
    optional,
    selected,
    word,
)
from steelyard.report.shape_json import KINDS, dump_shape, load_filled_shape
from steelyard.report.shape_json import NAMES as SHAPE_NAMES
from steelyard.result.result_rows import ResultRows
from steelyard.result.sections import SAMPLE

SCHEMA = "steelyard.result/1"

JSON_TYPES: dict[Any, JsonType] = {  # by type of a field of a row or of the conventions
    str: TEXT,
    str | None: optional(TEXT),
    int: WHOLE,
    int | None: optional(WHOLE),
    float | None: optional(REAL),
    int | float | None: optional(NUMBER),
    Label: SCALAR,
    tuple[Label, ...]: VALUES,
    tuple[str, ...]: NAMES,
    tuple[tuple[str, ...], ...]: BY,
    Mapping[str, str]: TEXTS,
    Mapping[str, Key]: MAPPING,  # its keys have the types of KEY_TYPES
    Mapping[str, Any]: ANY_MAPPING,
    Mapping[str, Mapping[str, Any]]: PARAMETERS,
}
SELECTION = JsonType("an object with slices and slices_shown, or empty", ANY.dump, selected)
CONVENTION_FIELDS = {each.name: JSON_TYPES[each.type] for each in fields(Conventions)} | {
    "reads": word(*ROLES),
    "selection": SELECTION,
}
ROW_NAMES = ("metric", "score", "slice", "value", "why", "low", "high", *SAMPLE, "details")
ROW_TYPES = {each.name: each.type for each in fields(Row)}
ROW_FIELDS = {name: JSON_TYPES[ROW_TYPES[name]] for name in ROW_NAMES}
SHAPE_KEYS, SHAPE_SAMPLE = ROW_NAMES[:3], ("why", *SAMPLE)  # of a row that is about no number
KEY_TYPES = {
    "string": optional(TEXT),
    "boolean": optional(FLAG),
    "integer": optional(WHOLE),
    "number": optional(NUMBER),
    "mixed": SCALAR,
}

COUNTED = JsonType("an object with first and classes", dict, counted)
# The types of details that tables show, and the details that are shown together with another.
SHOWN_WITH = {
    "groups": ("groups_used", "rows_used"),
    "classes_used": ("classes",),
    "pairs_used": ("pairs",),
}
# Details that count a part of what another counts.
PARTS = (("groups_used", "groups"), ("classes_used", "classes"), ("pairs_used", "pairs"))
COUNTS = (*COUNT_LABELS, *SHOWN_WITH, *chain(*SHOWN_WITH.values()))
DETAILS = (
    dict.fromkeys(COUNTS, WHOLE)
    | dict.fromkeys(DETAIL_LABELS, optional(REAL))
    | dict.fromkeys(CLASS_LABELS, COUNTED)
    | dict.fromkeys(("freedom", "largest_cluster"), REAL)
    | {"threshold": REAL, "area": NUMBER, ROWS_TAKEN_AS: word(A_TEST.rows_taken_as)}
    | {"no_interval": TEXT}
)

A_LOW_END = "a number that is at most high, in a row with a value"
OF_ITS_OWN = "the only one of its metric, score and slice"

PYTHON_TYPES: dict[str, set[type]] = {
    "string": {str},
    "boolean": {bool},
    "integer": {int},
    "number": {int, float},
}


def dump(
    rows: Sequence[Row], conventions: Conventions, shapes: Sequence[Row] = ()
) -> dict[str, Any]:
    """A result as a dictionary that JSON can hold."""
    head = dump_head(rows, conventions, shapes)
    listed = list(dump_rows(rows, head["slices"]))
    return {**head, "rows": listed, "shapes": list(dump_shapes(shapes, head["slices"]))}


def dump_head(
    rows: Sequence[Row], conventions: Conventions, shapes: Sequence[Row] = ()
) -> dict[str, Any]:
    """Everything except rows and shapes; `slices` has the type of each column sliced by."""
    return {
        "schema": SCHEMA,
        "conventions": dump_conventions(conventions),
        "slices": slice_types(ResultRows.both(rows, shapes), conventions),
    }


def dump_conventions(conventions: Conventions) -> dict[str, Any]:
    return {n: kind.dump(getattr(conventions, n)) for n, kind in CONVENTION_FIELDS.items()}


def dump_rows(rows: Sequence[Row], types: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The rows, each with every field; column by column, which is faster than row by row."""

    def dump_slice(keys: Mapping[str, Key]) -> dict[str, Any]:
        return {name: KEY_TYPES[types[name]].dump(key) for name, key in keys.items()}

    dumps = {name: type_.dump for name, type_ in ROW_FIELDS.items()} | {"slice": dump_slice}
    for section in ResultRows.of(rows).sections:
        columns = (map(dump, section.column(name)) for name, dump in dumps.items())
        yield from (dict(zip(dumps, values, strict=True)) for values in zip(*columns, strict=True))


def dump_shapes(shapes: Sequence[Row], types: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The shapes: the fields of a row that are not about one number, a kind and its fields."""
    for row, fields_ in zip(shapes, dump_rows(shapes, types), strict=True):
        assert isinstance(row, ShapeRow)
        kind = None if row.shape is None else SHAPE_NAMES[type(row.shape)]
        shape = None if row.shape is None else dump_shape(row.shape)
        keys, others = ({n: fields_[n] for n in names} for names in (SHAPE_KEYS, SHAPE_SAMPLE))
        yield {**keys, "kind": kind, "shape": shape, **others}


def load(data: Any) -> tuple[list[Row], Conventions, list[ShapeRow]]:
    """The parts of a dictionary that `dump` made; unknown fields are ignored."""
    if not isinstance(data, dict) or "schema" not in data:
        raise errors.NOT_A_RESULT(reason='it has no "schema"')
    if data["schema"] != SCHEMA:
        raise errors.RESULT_SCHEMA(schema=data["schema"], known=SCHEMA)
    types = _loaded(TEXTS, data.get("slices"), "slices")
    for name in types:
        _key_type(name, types)
    conventions = _fields(Conventions, data.get("conventions"), "conventions", CONVENTION_FIELDS)
    rows = _loaded(LIST, data.get("rows"), "rows")
    found = [_row(row, f"rows[{place}]", types) for place, row in enumerate(rows)]
    _refuse_repeated(found, "rows")
    shapes = _loaded(LIST, data.get("shapes", []), "shapes")
    of_shapes = [_shape_row(row, f"shapes[{place}]", types) for place, row in enumerate(shapes)]
    _refuse_repeated(of_shapes, "shapes")
    return found, Conventions(**conventions), of_shapes


def _refuse_repeated(rows: Sequence[Row], part: str) -> None:
    keys = [(row.metric, row.score, *row.slice.items()) for row in rows]
    if len(set(keys)) < len(keys):
        place = next(place for place, key in enumerate(keys) if key in keys[:place])
        raise errors.RESULT_DAMAGED(part=f"{part}[{place}]", wanted=OF_ITS_OWN)


def slice_columns(rows: Sequence[Row], conventions: Conventions) -> dict[str, list[Key]]:
    """The keys of each column sliced by, one per slice."""
    columns: dict[str, list[Key]] = {name: [] for by in conventions.by for name in by}
    for section in ResultRows.of(rows).sections:
        for name, keys in zip(section.names, zip(*section.keys, strict=True), strict=True):
            columns.setdefault(name, []).extend(keys)
    return columns


def slice_types(rows: Sequence[Row], conventions: Conventions) -> dict[str, str]:
    return {name: key_type(keys) for name, keys in slice_columns(rows, conventions).items()}


def key_type(keys: Iterable[Key]) -> str:
    """The type of keys, except for missing ones.

    >>> key_type(["DE", None]), key_type([1, 2]), key_type([1, 2.5]), key_type([1, "a"])
    ('string', 'integer', 'number', 'mixed')
    """
    found: set[type] = {type(key) for key in keys if key is not None}
    return next((name for name, types in PYTHON_TYPES.items() if found <= types), "mixed")


def _shape_row(data: Any, part: str, types: Mapping[str, str]) -> ShapeRow:
    data = _loaded(MAPPING, data, part)
    row = _row({"value": None, "details": {}, **data}, part, types)
    fields_ = {each.name: getattr(row, each.name) for each in fields(Row)}
    kind, shape = data.get("kind"), None
    if kind is not None:
        if not isinstance(kind, str) or kind not in KINDS:
            raise errors.RESULT_DAMAGED(part=f"{part}.kind", wanted=f"one of {', '.join(KINDS)}")
        wanted = f"the fields of a {kind}"
        load = JsonType(wanted, dump_shape, lambda found: load_filled_shape(kind, found))
        shape = _loaded(load, data.get("shape"), f"{part}.shape")
    return ShapeRow(**fields_, shape=shape)


def _row(data: Any, part: str, types: Mapping[str, str]) -> Row:
    found = _fields(Row, data, part, ROW_FIELDS)
    for name, key in found.get("slice", {}).items():
        found["slice"][name] = _loaded(_key_type(name, types), key, f"{part}.slice.{name}")
    details = found.get("details", {})
    for name in chain(*(SHOWN_WITH[name] for name in details.keys() & SHOWN_WITH.keys())):
        details.setdefault(name)  # refused below
    for name in details.keys() & DETAILS.keys():
        details[name] = _loaded(DETAILS[name], details[name], f"{part}.details.{name}")
    for part_of, whole in PARTS:
        if details.get(part_of, 0) > details.get(whole, inf):
            wanted = f"a whole number that is at most {whole}"
            raise errors.RESULT_DAMAGED(part=f"{part}.details.{part_of}", wanted=wanted)
    if found["value"] != found["value"]:
        raise errors.RESULT_DAMAGED(part=f"{part}.value", wanted=ROW_FIELDS["value"].wanted)
    ends = [end for end in (found.get("low"), found.get("high")) if end is not None]
    if ends and (found["value"] is None or len(ends) == 1 or not ends[0] <= ends[1]):
        raise errors.RESULT_DAMAGED(part=f"{part}.low", wanted=A_LOW_END)
    return Row(**found)


def _key_type(name: str, types: Mapping[str, str]) -> JsonType:
    if types.get(name) not in KEY_TYPES:
        raise errors.RESULT_DAMAGED(part=f"slices.{name}", wanted=f"one of {', '.join(KEY_TYPES)}")
    return KEY_TYPES[types[name]]


def _fields(
    record: type[Row | Conventions], data: Any, part: str, types: Mapping[str, JsonType]
) -> dict[str, Any]:
    """The fields of a record; those that have a default may be absent."""
    data = _loaded(MAPPING, data, part)
    for field in fields(record):
        absent = field.name not in data
        if absent and field.default is MISSING and field.default_factory is MISSING:
            raise errors.RESULT_DAMAGED(
                part=f"{part}.{field.name}", wanted=types[field.name].wanted
            )
    return {
        name: _loaded(kind, data[name], f"{part}.{name}")
        for name, kind in types.items()
        if name in data
    }


def _loaded(kind: JsonType, data: Any, part: str) -> Any:
    try:
        return kind.load(data)
    except (ValueError, TypeError, OverflowError):
        raise errors.RESULT_DAMAGED(part=part, wanted=kind.wanted) from None
