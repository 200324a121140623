"""The types of JSON fields: how each is written, read back and named in an error.

Numbers in JSON are finite and exact up to 2**53. A larger integer is a string, and so is an
infinity. In a field that may hold strings too (details, parameters, slices of several types), a
string that looks like such a number has a backslash before it.
"""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple

LARGEST = 2**53
LIKE_NUMBER = re.compile(r"(\\*)(-?[0-9]{16,}|-?inf|nan)")  # 2**53 has 16 digits


class JsonType(NamedTuple):
    """A type of field; `load` raises ValueError or TypeError for a value of another type."""

    wanted: str
    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]


def dump_number(value: Any) -> Any:
    """A number as JSON can hold it.

    >>> dump_number(2**53), dump_number(2**53 + 1), dump_number(0.5), dump_number(float("-inf"))
    (9007199254740992, '9007199254740993', 0.5, '-inf')
    """
    large = isinstance(value, int) and abs(value) > LARGEST
    return str(value) if large or (isinstance(value, float) and not isfinite(value)) else value


def load_number(data: Any) -> int | float:
    if isinstance(data, str) and LIKE_NUMBER.fullmatch(data) and not data.startswith("\\"):
        return int(data) if data[-1].isdigit() else float(data)
    if isinstance(data, int | float) and not isinstance(data, bool):
        return data
    raise TypeError


def dump_any(value: Any) -> Any:
    """A string, a number, a boolean, None, or a list or mapping of those.

    >>> dump_any({"area": 2**60, "id": "1152921504606846976", "ties": "expected"})
    {'area': '1152921504606846976', 'id': '\\\\1152921504606846976', 'ties': 'expected'}
    """
    if isinstance(value, str):
        return f"\\{value}" if LIKE_NUMBER.fullmatch(value) else value
    if isinstance(value, Mapping):
        return {name: dump_any(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [dump_any(inner) for inner in value]
    return dump_number(value)


def load_any(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: load_any(inner) for name, inner in data.items()}
    if isinstance(data, list):
        return [load_any(inner) for inner in data]
    if isinstance(data, str) and LIKE_NUMBER.fullmatch(data):
        return data[1:] if data.startswith("\\") else load_number(data)
    return data


def _as_is(value: Any) -> Any:
    return value


def _of(type_: type) -> Callable[[Any], Any]:
    def load(data: Any) -> Any:
        if not isinstance(data, type_):
            raise TypeError
        return data

    return load


def _whole(data: Any) -> int:
    number = load_number(data)
    if not isinstance(number, int):
        raise TypeError
    return number


def _texts(data: Any) -> dict[str, str]:
    return {name: TEXT.load(text) for name, text in MAPPING.load(data).items()}


def _scalar(data: Any) -> Any:
    if isinstance(data, list | dict):
        raise TypeError
    return load_any(data)


def _parameters(data: Any) -> dict[str, dict[str, Any]]:
    return {
        name: {each: _scalar(value) for each, value in MAPPING.load(given).items()}
        for name, given in MAPPING.load(data).items()
    }


def _by(data: Any) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(TEXT.load(name) for name in LIST.load(by)) for by in LIST.load(data))


def counted(data: Any) -> dict[str, Any]:
    """Some classes, loaded before, and how many there are: {"first": [...], "classes": 3}."""
    found = MAPPING.load(data)
    first = LIST.load(found.get("first"))
    if not all(isinstance(each, str | int | float | None) for each in first):
        raise TypeError
    return {**found, "classes": _whole(found.get("classes"))}


def selected(data: Any) -> dict[str, Any]:
    """How slices were selected, and how many there were and are; empty if none was left out."""
    found = ANY_MAPPING.load(data)
    if not found:
        return {}
    known = {"sort": TEXT, "top": WHOLE, "min_rows": WHOLE, "slices": WHOLE, "slices_shown": WHOLE}
    needed = dict.fromkeys(("slices", "slices_shown"))  # None is refused
    return {n: known.get(n, ANY).load(value) for n, value in {**needed, **found}.items()}


def optional(kind: JsonType) -> JsonType:
    """The same, or null."""
    return JsonType(
        f"{kind.wanted} or null",
        lambda value: None if value is None else kind.dump(value),
        lambda data: None if data is None else kind.load(data),
    )


def word(*texts: str) -> JsonType:
    """One of some words."""

    def load(data: Any) -> str:
        if data not in texts:
            raise ValueError
        return str(data)

    return JsonType(" or ".join(map(repr, texts)), _as_is, load)


TEXT = JsonType("a string", _as_is, _of(str))
FLAG = JsonType("true or false", _as_is, _of(bool))
WHOLE = JsonType("a whole number", dump_number, _whole)
NUMBER = JsonType("a number", dump_number, load_number)
REAL = JsonType("a number", dump_number, lambda data: float(load_number(data)))
ANY = JsonType("any value", dump_any, load_any)
SCALAR = JsonType("a string, a number, true, false or null", dump_any, _scalar)
LIST = JsonType("a list", list, _of(list))
MAPPING = JsonType("an object", dict, lambda data: dict(_of(dict)(data)))
ANY_MAPPING = JsonType("an object", dump_any, lambda data: load_any(_of(dict)(data)))
PARAMETERS = JsonType("an object of objects", dump_any, _parameters)
TEXTS = JsonType("an object of strings", dict, _texts)
BY = JsonType("a list of lists of names", lambda by: [list(names) for names in by], _by)
VALUES = JsonType(
    "a list of strings, numbers, true, false or null",
    lambda values: [dump_any(value) for value in values],
    lambda data: tuple(map(_scalar, LIST.load(data))),
)
NAMES = JsonType("a list of names", list, lambda data: tuple(map(TEXT.load, LIST.load(data))))
