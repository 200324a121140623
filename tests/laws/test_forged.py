"""Forged states: valid checksums around what no rows could have made. Always StateError."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import StateError
from steelyard.evaluation.saved_state import State
from tests.laws.intact_states import INTACT, loads
from tests.laws.state_bytes import (
    SIZES,
    Sections,
    forge,
    seal,
    taken_apart,
)
from tests.laws.state_makers import STATE_KINDS

HEADERS: dict[str, bytes] = {
    "not JSON": b"{kind: cells}",
    "empty": b"",
    "not UTF-8": b'{"kind": "\xff\xfe"}',
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "an empty object": b"{}",
    "nested beyond any stack": b"[" * 200_000,
    "nested and closed": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of 10,000 digits": b'{"kind": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("text", HEADERS.values(), ids=HEADERS)
@pytest.mark.parametrize("kind", STATE_KINDS)
def test_text_that_is_no_header_is_refused(kind: str, text: bytes) -> None:
    with pytest.raises(StateError):
        STATE_KINDS[kind].loads(seal(text))


INVALID: list[Any] = [
    None,
    True,
    -1,
    1.5,
    10**30,
    "x",
    "",
    [],
    [1],
    {},
    {"x": 1},
    float("nan"),
    1e308,
]

FEW: list[Any] = [None, -1, 1.5, "x", [1], {}]


def refused_or_the_same(load: Callable[[bytes], Any], data: bytes) -> None:
    """The one way to be loaded is to be what is written."""
    try:
        loaded = load(data)
    except StateError:
        return
    assert loaded.dumps() == data


@pytest.mark.parametrize("name", INTACT)
def test_any_field_missing_or_of_another_type(name: str) -> None:
    """Each field in turn replaced by each invalid value: StateError."""
    header, sections = taken_apart(INTACT[name])
    for field in header:
        less = {key: value for key, value in header.items() if key != field}
        if field != "outside":  # written only if a score is, which sums do not show
            with pytest.raises(StateError):
                loads(name, seal(json.dumps(less, sort_keys=True).encode(), *sections))
        for invalid in INVALID:
            if field == "negative_label" and invalid in (None, -1, 1.5, 10**30, "x", ""):
                continue  # any label may be the negative one; but 1 is never written as true or 1.0
            if (field, invalid) in (("unit", -1), ("units", [1])):
                continue  # the same weights may be counted in halves, or in twos
            if json.dumps(invalid) == json.dumps(header[field]):
                continue
            changed = json.dumps(header | {field: invalid}, sort_keys=True).encode()
            with pytest.raises(StateError):
                loads(name, seal(changed, *sections))


def places(tree: Any) -> Iterator[tuple[Any, ...]]:
    """The way to every value in a header."""
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield (key,)
            yield from ((key, *rest) for rest in places(value))


def replaced(tree: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    copy = tree.copy()
    copy[place[0]] = replaced(copy[place[0]], place[1:], value)
    return copy


@pytest.mark.parametrize("name", INTACT)
def test_any_value_of_the_header_replaced(name: str) -> None:
    """However deep: refused, or written as it was read."""
    header, sections = taken_apart(INTACT[name])
    for place in places({**header, "sections": header["sections"][:9]}):
        for invalid in INVALID:
            text = json.dumps(replaced(header, place, invalid), sort_keys=True).encode()
            refused_or_the_same(lambda data: loads(name, data), seal(text, *sections))


# What may be wrong with an array: its length, its type, its order, its values.
NAN, INF = float("nan"), float("inf")
TYPES: dict[str, tuple[Any, list[Any]]] = {
    "<f4": (np.float32, [NAN, INF, -1.0, -0.0]),
    "<f8": (np.float64, [NAN, INF, -1.0, -0.0, 1e308, 5e-324]),
    "|u1": (np.uint8, [0, 255]),
    "<u2": (np.uint16, [0, 65535]),
    "<u4": (np.uint32, [0, 2**31, 2**32 - 1]),
    "<u8": (np.uint64, [0, 2**63, 2**64 - 1]),
    "<i8": (np.int64, [0, -1, 2**62, 2**63 - 1, -(2**63)]),
}
Array = tuple[str, bytes]


def mutations(kind: str, raw: bytes) -> Iterator[Array | None]:
    yield None
    array = np.frombuffer(raw, TYPES[kind][0])
    for other in SIZES:  # the same values in another type, and the same bytes as another type
        with np.errstate(all="ignore"):
            yield other, array.astype(TYPES[other][0]).tobytes()
        if len(raw) % SIZES[other] == 0:
            yield other, raw
    for changed in (array[:0], array[:-1], array[1:], array[::-1], np.append(array, array)):
        yield kind, changed.astype(array.dtype).tobytes()
    for value in TYPES[kind][1]:
        yield kind, np.append(array, array.dtype.type(value)).tobytes()
        yield kind, np.full(len(array), value, array.dtype).tobytes()
        for place in {0, len(array) // 2, len(array) - 1} if len(array) else ():
            changed = array.copy()
            changed[place] = value
            yield kind, changed.tobytes()
    yield kind, np.full(max(len(array), 1) * 4, TYPES[kind][1][-1], array.dtype).tobytes()


def without(name: str, sections: Sections) -> Sections:
    return {each: section for each, section in sections.items() if each != name}


def forge_sections(load: Callable[[bytes], Any], data: bytes, most: int) -> None:
    """About so many sections changed in every way: of a sum's many digits, a few are enough."""
    header, raws = taken_apart(data)
    listed = header.pop("sections")
    sections = {name: (kind, raw) for (name, kind, _), raw in zip(listed, raws, strict=True)}
    assert forge(header, sections) == data
    for name, (kind, raw) in list(sections.items())[:: 1 + len(sections) // most]:
        for other in mutations(kind, raw):
            changed = without(name, sections) if other is None else {**sections, name: other}
            refused_or_the_same(load, forge(header, changed))
        for also in ("x", f"{name}.0", f"{name}x", name[:-1] + "9"):
            if also not in sections:
                refused_or_the_same(load, forge(header, {**sections, also: (kind, raw)}))
    # All arrays at once cut short, and emptied: lengths that fit one another.
    for start, end in ((0, 0), (0, 1), (1, None)):
        cut = {
            name: (kind, np.frombuffer(raw, TYPES[kind][0])[start:end].tobytes())
            for name, (kind, raw) in sections.items()
        }
        refused_or_the_same(load, forge(header, cut))


@pytest.mark.parametrize("name", INTACT)
def test_any_array_changed(name: str) -> None:
    """Shorter, longer, of another type, out of order, with values that none has: refused, or
    written as it was read."""
    forge_sections(lambda data: loads(name, data), INTACT[name], most=10)


# --- states -------------------------------------------------------------------------------------

SCORED: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "by": ["k", ("k", "y")]}
STATES: dict[str, dict[str, Any]] = {
    "scores": {**SCORED, "metrics": ["auc", "field_ece(k)", "logloss"]},
    "groups": {**SCORED, "metrics": "gauc", "group": ["k", "word"]},
    "numbers": {
        "label": "s",
        "prediction": "w",
        "by": "k",
        "metrics": ["spearman", "max_error", "mae"],
    },
    "classes": {
        "label": "word",
        "score": ["s", "t"],
        "classes": ["a", "b"],
        "by": "k",
        "metrics": ["auc", "accuracy", "top_k_accuracy(1)"],
    },
}
COLUMNS = {
    "y": [1, 0, 0, 1, 1, 0],
    "s": [0.5, 0.25, 0.5, 1.0, 0.0, 0.75],
    "t": [0.5, 0.75, 0.5, 0.0, 1.0, 0.25],
    "w": [0.5, 1, 3, 2, 1, 1],
    "k": [1, 2, 1, 2, 2, 1],
    "word": ["a", "b", "a", "b", "a", "a"],
}


@pytest.mark.parametrize("each", ["one", pytest.param("all", marks=pytest.mark.full)])
@pytest.mark.parametrize("roles", STATES.values(), ids=STATES)
def test_forged_states(roles: dict[str, Any], each: str) -> None:
    """Every value of the header by one invalid value or by all, and arrays; with slices too."""
    data = sy.state({name: np.array(column) for name, column in COLUMNS.items()}, **roles).dumps()
    header, sections = taken_apart(data)
    every = places({name: header[name] for name in header if name != "sections"})
    for number, place in enumerate(every):
        for invalid in FEW if each == "all" else [FEW[number % len(FEW)]]:
            text = json.dumps(replaced(header, place, invalid), sort_keys=True).encode()
            refused_or_the_same(State.loads, seal(text, *sections))
    forge_sections(State.loads, data, most=20 if each == "all" else 8)
