"""Forged states: valid checksums around what no rows could have made. Always StateError."""

import json
import struct
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import StateError
from steelyard.states import STATE_KINDS, ScoreTable, Sums
from steelyard.tally import Tally
from tests.laws.class_rows import some_cells
from tests.laws.state_bytes import (
    FIELDS_HEADER,
    FIELDS_SECTIONS,
    READING,
    SIZES,
    SUMS_HEADER,
    SUMS_SECTIONS,
    TABLE_HEADER,
    TABLE_SECTIONS,
    Sections,
    doubles,
    forge,
    large,
    middling,
    seal,
    small,
    taken_apart,
)
from tests.laws.test_wire import INTACT, loads

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


# --- tallies -------------------------------------------------------------------------------------

SCORED: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "by": ["k", ("k", "y")]}
TALLIES: dict[str, dict[str, Any]] = {
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
@pytest.mark.parametrize("roles", TALLIES.values(), ids=TALLIES)
def test_forged_tallies(roles: dict[str, Any], each: str) -> None:
    """Every value of the header by one invalid value or by all, and arrays; with slices too."""
    data = sy.state({name: np.array(column) for name, column in COLUMNS.items()}, **roles).dumps()
    header, sections = taken_apart(data)
    every = places({name: header[name] for name in header if name != "sections"})
    for number, place in enumerate(every):
        for invalid in FEW if each == "all" else [FEW[number % len(FEW)]]:
            text = json.dumps(replaced(header, place, invalid), sort_keys=True).encode()
            refused_or_the_same(Tally.loads, seal(text, *sections))
    forge_sections(Tally.loads, data, most=20 if each == "all" else 8)


# --- by hand -------------------------------------------------------------------------------------


def changed(sections: Sections, changes: Mapping[str, Array | None]) -> Sections:
    """Sections with some replaced, and without those that are None."""
    merged = {**sections, **changes}
    return {name: section for name, section in merged.items() if section is not None}


def sums(header: dict[str, Any] | None = None, **changes: Array | None) -> bytes:
    """The golden sums with other sections: `weight_0` is the section "0.weight.0"."""
    named = {f"0.{name[:-2]}.{name[-1]}": section for name, section in changes.items()}
    return forge(SUMS_HEADER | (header or {}), changed(SUMS_SECTIONS, named))


def sums_with(name: str, section: Array) -> bytes:
    """The golden sums with one more section, or another one of that name."""
    return forge(SUMS_HEADER, {**SUMS_SECTIONS, name: section})


def config(**changes: Any) -> bytes:
    stored: Any = SUMS_HEADER["config"]
    return sums({"config": stored | changes})


def powers(**changes: Any) -> bytes:
    stored: Any = SUMS_HEADER["powers"]
    return sums({"powers": [stored[0] | changes]})


def one_term(term: Any, key: Any = None) -> bytes:
    """Empty sums of one term."""
    header = {"config": {"key": key, "terms": [term]}, "powers": [{str(term): 0}]}
    more: Sections = {} if key is None else {"0.slice": middling(), "0.key": middling()}
    return forge(SUMS_HEADER | header, more)


def fields(header: dict[str, Any] | None = None, **changes: Array | None) -> bytes:
    """The golden sums by field with other sections: `weight_0` is the section "0.weight.0"."""
    named = {f"0.{name.replace('_', '.')}": section for name, section in changes.items()}
    return forge(FIELDS_HEADER | (header or {}), changed(FIELDS_SECTIONS, named))


def table(header: dict[str, Any] | None = None, **changes: Array | None) -> bytes:
    """The golden score table with other sections."""
    named = {f"0.{name.replace('_', '.')}": section for name, section in changes.items()}
    return forge(TABLE_HEADER | (header or {}), changed(TABLE_SECTIONS, named))


def listed(*section: Any) -> bytes:
    return forge(TABLE_HEADER | {"sections": [list(section)]})


def test_unchanged_forgeries_are_loaded() -> None:
    """What is refused below is refused for the one thing changed."""
    assert Sums.loads(sums()).terms == tuple(SUMS_HEADER["config"]["terms"])  # type: ignore[index]
    assert Sums.loads(one_term("weight")).terms == ("weight",)
    assert Sums.loads(one_term("weight", "bin 7")).key == "bin 7"
    assert Sums.loads(one_term("weight", "field x y")).key == "field x y"
    assert Sums.loads(fields()).key == "field country"
    assert ScoreTable.loads(table()).dumps() == table()


FORGED: dict[str, tuple[type[Any], bytes]] = {
    # sums
    "a power beyond any product": (Sums, powers(weight=31 * 10**6)),
    "a power below any product": (Sums, powers(weight=-31 * 10**6)),
    "a power of 5,000 digits": (Sums, powers(weight=31 * 10**4000)),
    "a power beside the grid": (Sums, powers(weight=5)),
    "a float as power": (Sums, powers(weight=0.0)),
    "a true power": (Sums, powers(weight=True)),
    "a power in words": (Sums, powers(weight="0")),
    "no power": (Sums, powers(weight=None)),
    "a power too many": (Sums, powers(xx=0)),
    "powers of two slices": (Sums, sums({"powers": SUMS_HEADER["powers"] * 2})),  # type: ignore[operator]
    "no powers": (Sums, sums({"powers": []})),
    "a part of a row": (Sums, powers(rows=-31)),
    "less than no rows": (Sums, sums(rows_negative=small(1))),
    "a weight below zero": (
        Sums,
        sums_with("0.weight.negative", small(1)),
    ),
    "twice below zero": (
        Sums,
        sums_with("0.weighted_prediction_sum.negative", small(2)),
    ),
    "not below zero": (
        Sums,
        sums_with("0.weighted_prediction_sum.negative", small(0)),
    ),
    "a digit of zero on top": (Sums, sums(rows_1=small(0))),
    "a digit of zero below": (Sums, sums(weight_0=small(0))),
    "a digit in too many bytes": (Sums, sums(weight_0=middling(3))),
    "a sum's digit of 32 bits": (Sums, sums(weight_0=middling(1 << 31))),
    "a fraction as digit": (Sums, sums(weight_0=doubles(3))),
    "the lowest digit missing": (Sums, sums(weight_0=None)),
    "two lines of one slice": (Sums, sums(weight_0=small(3, 3))),
    "no line": (Sums, sums(weight_0=small())),
    "a section among sums": (Sums, sums_with("x", doubles(1))),
    "rows without a reading": (Sums, sums({"reading": None})),
    "more positives than rows": (
        Sums,
        sums_with("0.hit 0.5.1", small(3)),
    ),
    # keys of sums
    "keys where there is no rule": (Sums, sums({"keys": [["DE"]]})),
    "fewer keys than lines": (Sums, fields({"keys": [["DE"], ["FR"]]})),
    "a key that no line has": (Sums, fields({"keys": [["DE"], ["FR"], [None], ["x"]]})),
    "keys out of order": (Sums, fields({"keys": [["FR"], ["DE"], [None]]})),
    "a key twice": (Sums, fields({"keys": [["DE"], ["DE"], [None]]})),
    "equal keys": (Sums, fields({"keys": [[1], [1.0], [None]]})),
    "a NaN key": (Sums, fields({"keys": [[NAN], ["DE"], [None]]})),
    "a key of two columns": (Sums, fields({"keys": [["DE", 1], ["FR", 1], [None, 1]]})),
    "a key that is a list": (Sums, fields({"keys": [["DE"], [[1]], [None]]})),
    "keys that are words": (Sums, fields({"keys": ["D", "F", [None]]})),
    "lines out of order": (Sums, fields(key=middling(1, 0, 2))),
    "a line twice": (Sums, fields(key=middling(0, 0, 2))),
    "a line of no key": (Sums, fields(key=middling(0, 1, 3))),
    "a line of no slice": (Sums, fields(slice=middling(0, 0, 1))),
    "keys of lines in bytes": (Sums, fields(key=small(0, 1, 2))),
    "more lines than slices": (Sums, fields(key=middling(0, 1))),
    "no lines": (Sums, fields(slice=None)),
    # config and reading
    "an extra config key": (Sums, config(x=1)),
    "self in the config": (Sums, config(self=1)),
    "tables in the config": (Sums, config(tables=1)),
    "no terms": (Sums, sums({"config": {"key": None}})),
    "a config that is a list": (Sums, sums({"config": ["terms"]})),
    "terms out of order": (Sums, config(terms=SUMS_HEADER["config"]["terms"][::-1])),  # type: ignore[index]
    "a term twice": (Sums, config(terms=["rows", *SUMS_HEADER["config"]["terms"]])),  # type: ignore[index]
    "a term less": (Sums, config(terms=["rows"])),
    "terms in one word": (Sums, config(terms="rows")),
    "a term unheard of": (Sums, one_term("colour")),
    "a term of an argument unheard of": (Sums, one_term("colour 0.5")),
    "a term that is a number": (Sums, one_term(7)),
    "a term that is a list": (Sums, one_term([])),
    "a threshold in words": (Sums, one_term("called half")),
    "no threshold": (Sums, one_term("called")),
    "a threshold that is not in canonical form": (Sums, one_term("hit 0.50")),
    "a NaN threshold": (Sums, one_term("called nan")),
    "an infinite threshold": (Sums, one_term("called inf")),
    "a huge threshold": (Sums, one_term("called " + "9" * 5000)),
    "a rule unheard of": (Sums, one_term("weight", "colour")),
    "a rule that is a list": (Sums, one_term("weight", [])),
    "a rule that is a number": (Sums, one_term("weight", 3)),
    "no bins": (Sums, one_term("weight", "bin 0")),
    "fewer bins than none": (Sums, one_term("weight", "bin -1")),
    "too many bins": (Sums, one_term("weight", "bin 1048577")),
    "bins in words": (Sums, one_term("weight", "bin ten")),
    "bins of 5,000 digits": (Sums, one_term("weight", "bin " + "9" * 5000)),
    "a config where none is": (ScoreTable, table({"config": {"threshold": 0.5}})),
    "an unknown nan rule": (Sums, sums({"reading": READING | {"nan": "ignore"}})),
    "an unknown score type": (Sums, sums({"reading": READING | {"score_type": "int8"}})),
    "an unhashable score type": (Sums, sums({"reading": READING | {"score_type": []}})),
    "a list as the positive": (Sums, sums({"reading": READING | {"positive": [1]}})),
    "a reading too long": (Sums, sums({"reading": READING | {"x": 1}})),
    "a list as the negative": (Sums, sums({"negative_label": [0]})),
    "another kind": (Sums, sums({"kind": "pairs"})),
    "a kind that is a list": (Sums, sums({"kind": ["sums"]})),
    # sections
    "a section twice": (
        ScoreTable,
        forge(TABLE_HEADER | {"sections": [["0.positive.scores", "<f8", 0]] * 2}),
    ),
    "an unknown dtype": (ScoreTable, listed("x", "<i4", 1)),
    "objects": (ScoreTable, listed("x", "|O", 1)),
    "big-endian": (ScoreTable, table(positive_scores=(">f8", struct.pack(">2d", 0.25, 0.75)))),
    "a negative count": (ScoreTable, listed("x", "<f8", -1)),
    "a huge count": (ScoreTable, listed("x", "<f8", 10**18)),
    "a count of 400 digits": (ScoreTable, listed("x", "<f8", 10**400)),
    "an infinite count": (ScoreTable, listed("x", "<f8", INF)),
    "a count in words": (ScoreTable, listed("x", "<f8", "1")),
    "a true count": (ScoreTable, listed("x", "|u1", True)),
    "a list as dtype": (ScoreTable, listed("x", [], 1)),
    "two fields": (ScoreTable, listed("x", "<f8")),
    "a section unheard of": (ScoreTable, table(positive_colour=doubles(1.0))),
    "no scores": (ScoreTable, table(positive_scores=None)),
    # the table
    "unsorted scores": (ScoreTable, table(positive_scores=doubles(0.75, 0.25))),
    "a score twice": (ScoreTable, table(positive_scores=doubles(0.25, 0.25))),
    "a NaN score": (ScoreTable, table(positive_scores=doubles(0.25, NAN))),
    "an infinite score": (ScoreTable, table(positive_scores=doubles(0.25, INF))),
    "a zero below zero": (ScoreTable, table(positive_scores=doubles(-0.0, 0.75))),
    "float32 scores": (ScoreTable, table(positive_scores=("<f4", struct.pack("<2f", 0.25, 0.75)))),
    "whole scores": (ScoreTable, table(positive_scores=small(1, 2))),
    "a weight of zero": (ScoreTable, table(positive_weights_0=small(1, 0))),
    "too few weights": (ScoreTable, table(positive_weights_0=small(1))),
    "too many weights": (ScoreTable, table(positive_weights_0=small(1, 2, 3))),
    "float weights": (ScoreTable, table(positive_weights_0=doubles(1, 4))),
    "a digit too large": (ScoreTable, table(positive_weights_0=middling(1, 1 << 31))),
    "weights in too many bytes": (ScoreTable, table(positive_weights_0=middling(1, 4))),
    "the second digit without the first": (
        ScoreTable,
        table(positive_weights_0=None, positive_weights_1=small(1, 4)),
    ),
    "weights that carry no number": (ScoreTable, table(positive_weights_x=small(1, 4))),
    "halves without weights": (ScoreTable, table(positive_weights_0=None)),
    "halves that are all whole": (
        ScoreTable,
        table(positive_weights_0=small(2, 4)),
    ),
    "fewer rows than scores": (ScoreTable, table(positive_sizes=large(1))),
    "rows without scores": (
        ScoreTable,
        table(negative_scores=doubles(), negative_weights_0=small()),
    ),
    "rows of two slices": (ScoreTable, table(positive_sizes=large(1, 1))),
    "rows of no slice": (ScoreTable, table(positive_sizes=large())),
    "no sizes": (ScoreTable, table(positive_sizes=None)),
    "a fraction of rows": (ScoreTable, table(positive_sizes=doubles(2))),
    "a negative number of rows": (ScoreTable, table(positive_sizes=large(-2))),
    "a huge number of rows": (ScoreTable, table(positive_sizes=large(2**62))),
    "units of two tables": (ScoreTable, table({"units": [-1, -1]})),
    "no units": (ScoreTable, table({"units": []})),
    "a unit below every float": (ScoreTable, table({"units": [-1075]})),
    "a unit above every float": (ScoreTable, table({"units": [1024]})),
    "a huge unit": (ScoreTable, table({"units": [-(10**30)]})),
    "a fraction as unit": (ScoreTable, table({"units": [-1.0]})),
    "a unit in words": (ScoreTable, table({"units": ["-1"]})),
    "a table without a reading": (ScoreTable, table({"reading": None})),
}


@pytest.mark.parametrize(("kind", "data"), FORGED.values(), ids=FORGED)
def test_forged_states(kind: type[Any], data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(StateError):
            kind.loads(data)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def without_first_weight(data: bytes, prefix: str) -> bytes:
    """The bytes with zero for the first weight below that prefix, the others unchanged."""
    header, sections = taken_apart(data)
    for place, (name, kind, _) in enumerate(header["sections"]):
        if name.startswith(prefix):
            raw, size = sections[place], int(kind[-1])
            sections[place] = bytes(size) + raw[size:]
    return seal(json.dumps(header, sort_keys=True).encode(), *sections)


def test_a_cell_of_rows_without_weight() -> None:
    with pytest.raises(StateError, match="a key without weight"):
        Sums.loads(without_first_weight(some_cells().dumps(), "0.weight."))


def test_sums_of_a_slice_without_weight() -> None:
    """Of two slices one loses its weight and keeps its other sums."""
    columns = {"y": [1.0, 2.0], "p": [1.5, 4.0], "by": ["a", "b"]}
    tally = sy.state(columns, label="y", prediction="p", by="by", metrics="mae")
    with pytest.raises(StateError, match="sums of no rows"):
        Tally.loads(without_first_weight(tally.dumps(), "0.1.weight."))
