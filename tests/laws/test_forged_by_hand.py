"""States forged by hand: golden ones with the one change that the name says. All are refused."""

import json
import struct
import tracemalloc
from collections.abc import Mapping
from typing import Any

import pytest

import steelyard as sy
from steelyard.errors import StateError
from steelyard.evaluation.saved_state import State
from steelyard.states import ScoreTable, Sums
from tests.laws.class_rows import some_cells
from tests.laws.state_bytes import (
    FIELDS_HEADER,
    FIELDS_SECTIONS,
    READING,
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

NAN, INF = float("nan"), float("inf")
Array = tuple[str, bytes]


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
    if key is None:
        return forge(SUMS_HEADER | header, {})
    bare = {name: value for name, value in SUMS_HEADER.items() if name != "outside"}
    return forge(bare | header, {"0.slice": middling(), "0.key": middling()})


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
    assert Sums.loads(sums()).terms == tuple(SUMS_HEADER["config"]["terms"])
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
    "a power that is no multiple of 31": (Sums, powers(weight=5)),
    "a float as power": (Sums, powers(weight=0.0)),
    "a true power": (Sums, powers(weight=True)),
    "a power in words": (Sums, powers(weight="0")),
    "no power": (Sums, powers(weight=None)),
    "a power too many": (Sums, powers(xx=0)),
    "powers of two slices": (Sums, sums({"powers": SUMS_HEADER["powers"] * 2})),
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
    "terms out of order": (Sums, config(terms=SUMS_HEADER["config"]["terms"][::-1])),
    "a term twice": (Sums, config(terms=["rows", *SUMS_HEADER["config"]["terms"]])),
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
    state = sy.state(columns, label="y", prediction="p", by="by", metrics="mae")
    with pytest.raises(StateError, match="sums of no rows"):
        State.loads(without_first_weight(state.dumps(), "0.1.weight."))


@pytest.mark.parametrize("by", [[["day"], ["day"]], [["day", "day"]]])
def test_slices_by_one_column_twice(by: list[list[str]]) -> None:
    """No call makes them, and every slice would be in the result twice."""
    header, sections = taken_apart(
        sy.state(LEFT, label="y", score="s", by=["day", "user"], metrics="auc").dumps()
    )
    other = {**header, "conventions": {**header["conventions"], "by": by}}
    with pytest.raises(StateError, match="slices by one column twice"):
        State.loads(seal(json.dumps(other, sort_keys=True).encode(), *sections))


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("key", ["c", "", None, 1, 1.5, True])
def test_classes_of_clusters_are_those_of_all_rows(number: int, key: Any) -> None:
    """Cells of classes are stored for all rows and by cluster: a class of one only is forged."""
    columns = {"y": ["a", "a", "b", "b"], "p": ["a", "b", "a", "b"], "u": [1, 2, 3, 4]}
    state = sy.state(columns, label="y", prediction="p", cluster="u", metrics="f1(macro)")
    header, sections = taken_apart(state.dumps())
    header["states"][number]["keys"][-1][-1] = key
    with pytest.raises(StateError):
        State.loads(seal(json.dumps(header, sort_keys=True).encode(), *sections))


LEFT = {"y": [0, 1], "s": [0.1, 0.2], "user": [1, 2], "day": ["fri", "sat"], "w": [1.0, 2.0]}


def test_forged_keys_and_conventions_are_refused() -> None:
    """When they are loaded, and not when `result()` reads them."""
    data = sy.state(LEFT, label="y", score="s", by="day", metrics="auc").dumps()
    header, sections = taken_apart(data)
    for name, value in {"by": [[5]], "roles": ["label"], "group": [{}], "clip": "x"}.items():
        other = {**header, "conventions": {**header["conventions"], name: value}}
        with pytest.raises(sy.StateError):
            State.loads(seal(json.dumps(other, sort_keys=True).encode(), *sections))
