"""Forged states: valid checksums around what no rows could have made. Always StateError."""

import json
import struct
import tracemalloc
from typing import Any

import pytest

from steelyard.errors import StateError
from steelyard.states import KINDS, Cells, Sample, ScoreTable
from tests.state_bytes import (
    CELLS_HEADER,
    READING,
    TABLE_HEADER,
    TABLE_SECTIONS,
    forge,
    seal,
    taken_apart,
)
from tests.test_wire import INTACT

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
@pytest.mark.parametrize("kind", KINDS)
def test_headers_that_are_none(kind: str, text: bytes) -> None:
    with pytest.raises(StateError):
        KINDS[kind].loads(seal(text))


ODD: list[Any] = [None, True, -1, 1.5, 10**30, "x", "", [], [1], {}, {"x": 1}, float("nan"), 1e308]


@pytest.mark.parametrize("kind", INTACT)
def test_any_field_missing_or_of_another_type(kind: str) -> None:
    """Each field in turn replaced by each odd value: the same state, or StateError."""
    header, sections = taken_apart(INTACT[kind])
    intact = KINDS[kind].loads(INTACT[kind])
    for field in header:
        less = {name: value for name, value in header.items() if name != field}
        with pytest.raises(StateError):
            KINDS[kind].loads(seal(json.dumps(less).encode(), *sections))
        for odd in ODD:
            if field == "negative_label" and odd in (None, -1, 1.5, 10**30, "x", ""):
                continue  # any label may be the negative one; but 1 is never spelled true or 1.0
            if json.dumps(odd) == json.dumps(header[field]) or (field, odd) == ("unit", -1):
                continue  # the same weights may be counted in halves
            changed = json.dumps(header | {field: odd}).encode()
            with pytest.raises(StateError):
                KINDS[kind].loads(seal(changed, *sections))
    assert KINDS[kind].loads(seal(json.dumps(header).encode(), *sections)) == intact


def cells(**changes: Any) -> bytes:
    return forge(CELLS_HEADER | changes)


def sums(**changes: Any) -> bytes:
    stored: Any = CELLS_HEADER["sums"]
    return cells(sums=stored | changes)


def table(header: dict[str, Any] | None = None, **changes: tuple[str, bytes] | None) -> bytes:
    renamed = {name.replace("_", "."): section for name, section in changes.items()}
    merged = {**TABLE_SECTIONS, **renamed}
    kept = {name: section for name, section in merged.items() if section is not None}
    return forge(TABLE_HEADER | (header or {}), kept)


def doubles(*values: float) -> tuple[str, bytes]:
    return "<f8", struct.pack(f"<{len(values)}d", *values)


NAN, INF = float("nan"), float("inf")

FORGED: dict[str, tuple[type[Any], bytes]] = {
    # sums
    "an exponent beyond any product": (Cells, sums(tp="1p-99999999999")),
    "an exponent of 5,000 digits": (Cells, sums(tp="1p-" + "9" * 5000)),
    "a negative exponent": (Cells, sums(tp="1p--3")),
    "no exponent": (Cells, sums(tp="1")),
    "a decimal number": (Cells, sums(tp="1.5p-0")),
    "a float": (Cells, sums(tp=1.0)),
    "an integer": (Cells, sums(tp=1)),
    "null": (Cells, sums(tp=None)),
    "a list": (Cells, sums(tp=["1p-0"])),
    "not in lowest terms": (Cells, sums(tp="2p-1")),
    "underscores": (Cells, sums(tp="1_0p-0")),
    "spaces": (Cells, sums(tp=" 1p-0 ")),
    "capitals": (Cells, sums(tp="FFp-0")),
    "a weight below zero": (Cells, sums(tp="-1p-0")),
    "a sum too many": (Cells, sums(xx="1p-0")),
    "a list of the right names": (Cells, cells(sums=["tp", "fp", "fn", "tn"])),
    "a section among sums": (Cells, forge(CELLS_HEADER, {"x": doubles(1)})),
    "rows without a reading": (Cells, cells(reading=None)),
    # config and reading
    "an extra config key": (Cells, cells(config={"threshold": 0.5, "x": 1})),
    "self in the config": (Cells, cells(config={"threshold": 0.5, "self": 1})),
    "no threshold": (Cells, cells(config={})),
    "a config that is a list": (Cells, cells(config=["threshold"])),
    "a threshold in words": (Cells, cells(config={"threshold": "0.5"})),
    "a true threshold": (Cells, cells(config={"threshold": True})),
    "a NaN threshold": (Cells, cells(config={"threshold": NAN})),
    "an infinite threshold": (Cells, cells(config={"threshold": INF})),
    "a huge threshold": (Cells, cells(config={"threshold": 10**400})),
    "a config where none is": (ScoreTable, table({"config": {"threshold": 0.5}})),
    "an unknown nan rule": (Cells, cells(reading=READING | {"nan": "ignore"})),
    "an unknown score type": (Cells, cells(reading=READING | {"score_type": "int8"})),
    "an unhashable score type": (Cells, cells(reading=READING | {"score_type": []})),
    "a list as the positive": (Cells, cells(reading=READING | {"positive": [1]})),
    "a reading too long": (Cells, cells(reading=READING | {"x": 1})),
    "a list as the negative": (Cells, cells(negative_label=[0])),
    "another kind": (Cells, cells(kind="sample")),
    "a kind that is a list": (Cells, cells(kind=["cells"])),
    # sections
    "a section twice": (
        ScoreTable,
        forge(TABLE_HEADER | {"sections": [["positive.scores", "<f8", 0]] * 2}),
    ),
    "an unknown dtype": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<i8", 1]]})),
    "objects": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "|O", 1]]})),
    "big-endian": (ScoreTable, table(positive_scores=(">f8", struct.pack(">2d", 0.25, 0.75)))),
    "a negative count": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<f8", -1]]})),
    "a huge count": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<f8", 10**18]]})),
    "a count of 400 digits": (
        ScoreTable,
        forge(TABLE_HEADER | {"sections": [["x", "<f8", 10**400]]}),
    ),
    "an infinite count": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<f8", INF]]})),
    "a count in words": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<f8", "1"]]})),
    "a true count": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "|u1", True]]})),
    "a list as dtype": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", [], 1]]})),
    "two fields": (ScoreTable, forge(TABLE_HEADER | {"sections": [["x", "<f8"]]})),
    "a section unheard of": (ScoreTable, table(positive_colour=doubles(1.0))),
    "no scores": (ScoreTable, table(positive_scores=None)),
    # the table
    "unsorted scores": (ScoreTable, table(positive_scores=doubles(0.75, 0.25))),
    "a score twice": (ScoreTable, table(positive_scores=doubles(0.25, 0.25))),
    "a NaN score": (ScoreTable, table(positive_scores=doubles(0.25, NAN))),
    "an infinite score": (ScoreTable, table(positive_scores=doubles(0.25, INF))),
    "float32 scores": (ScoreTable, table(positive_scores=("<f4", struct.pack("<2f", 0.25, 0.75)))),
    "whole scores": (ScoreTable, table(positive_scores=("|u1", bytes([1, 2])))),
    "a weight of zero": (ScoreTable, table(positive_weights_0=("|u1", bytes([1, 0])))),
    "too few weights": (ScoreTable, table(positive_weights_0=("|u1", bytes([1])))),
    "too many weights": (ScoreTable, table(positive_weights_0=("|u1", bytes([1, 2, 3])))),
    "float weights": (ScoreTable, table(positive_weights_0=doubles(1, 4))),
    "a digit too large": (ScoreTable, table(positive_weights_0=("<u4", b"\1\0\0\0\0\0\0\x80"))),
    "the second digit without the first": (
        ScoreTable,
        table(positive_weights_0=None, positive_weights_1=("|u1", bytes([1, 4]))),
    ),
    "weights that carry no number": (ScoreTable, table(positive_weights_x=("|u1", bytes([1, 4])))),
    "halves without weights": (ScoreTable, table(positive_weights_0=None)),
    "fewer rows than scores": (ScoreTable, table({"rows": [1, 1]})),
    "rows without scores": (
        ScoreTable,
        table({"rows": [3, 1]}, negative_scores=doubles(), negative_weights_0=("|u1", b"")),
    ),
    "rows of one class": (ScoreTable, table({"rows": [3]})),
    "rows of three classes": (ScoreTable, table({"rows": [3, 1, 1]})),
    "a fraction of rows": (ScoreTable, table({"rows": [3.0, 1]})),
    "true rows": (ScoreTable, table({"rows": [3, True]})),
    "rows in words": (ScoreTable, table({"rows": ["3", "1"]})),
    "a negative number of rows": (ScoreTable, table({"rows": [3, -1]})),
    "a unit below every float": (ScoreTable, table({"unit": -1075})),
    "a unit above every float": (ScoreTable, table({"unit": 1024})),
    "a huge unit": (ScoreTable, table({"unit": -(10**30)})),
    "a fraction as unit": (ScoreTable, table({"unit": -1.0})),
    "a unit in words": (ScoreTable, table({"unit": "-1"})),
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


def test_forged_samples() -> None:
    header, _ = taken_apart(INTACT["sample"])
    for field, text in [
        ("positives", "1p-1"),
        ("dropped", "-1p-0"),
        ("weighted_positives", "-1p-0"),
    ]:
        forged = header | {"sums": header["sums"] | {field: text}}
        with pytest.raises(StateError):
            Sample.loads(seal(json.dumps(forged).encode()))
    negative = header | {"sums": header["sums"] | {"prediction_sum": "-1p-0"}}
    assert Sample.loads(seal(json.dumps(negative).encode()))["prediction_sum"] == -1
