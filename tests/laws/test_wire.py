"""The byte format of states: a promise to read, and a refusal to read anything else.

Whatever the bytes, `loads` gives the state they describe or raises StateError: no other exception,
no great allocation, no silently different state.
"""

import pickle
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard
from steelyard.errors import StateError
from steelyard.model import Reading, RequiredColumns
from steelyard.reading.arrays import read_arrays
from steelyard.states import ScoreTable, Sums
from steelyard.states.exact_sums import integers
from steelyard.views.totals import totals
from tests.laws.intact_states import INTACT, loads
from tests.laws.state_bytes import (
    FIELDS_HEADER,
    FIELDS_SECTIONS,
    READING,
    SUMS_HEADER,
    SUMS_SECTIONS,
    TABLE_HEADER,
    TABLE_SECTIONS,
    Sections,
    forge,
    large,
    seal,
    taken_apart,
)
from tests.laws.state_makers import MAKE, STATE_KINDS, kind_of

# --- the promise: bytes written by hand ----------------------------------------------------------


def column(state: Sums, term: str, lines: int = 1) -> list[Fraction]:
    """The sums of a term, line by line."""
    low = -62  # below every power here
    found = integers(state.table(0).columns[term], low, np.arange(lines))
    return [Fraction(number, 1 << -low) for number in found]


def test_golden_sums() -> None:
    golden = forge(SUMS_HEADER, SUMS_SECTIONS)
    state = Sums.loads(golden)
    assert {term: column(state, term) for term in state.terms} == {
        "called 0.5": [Fraction(5, 2)],
        "hit 0.5": [Fraction(5, 2)],
        "rows": [3],
        "weight": [2**31 + 3],
        "weighted_prediction_sum": [2 - 2**33],
    }
    assert (state.reading, state.negative_label) == (Reading(), 0)
    made = Sums(state.terms)
    made.update(read_arrays([1, 1, 0], [0.75, 0.25, -4.0], [2.5, 0.5, 2.0**31]))
    assert made.dumps() == state.dumps() == golden


def test_golden_sums_by_field() -> None:
    golden = forge(FIELDS_HEADER, FIELDS_SECTIONS)
    state = Sums.loads(golden)
    assert column(state, "weight", 3) == [300 + Fraction(1, 4), 1, 2]
    assert state.key_names.keys == [("DE",), ("FR",), (None,)]
    made = Sums(("weight",), "field country")
    required_columns = RequiredColumns(probability=True, fields=("country",))
    columns = {"country": [None, "FR", "DE", "DE"]}
    weights = [2, 1, 0.25, 300]
    made.update(
        read_arrays(
            [1, 0, 1, 0], [0.5] * 4, weights, columns=columns, required_columns=required_columns
        )
    )
    assert made.dumps() == state.dumps() == golden


def test_golden_score_table() -> None:
    """Three positive rows, of weight 0.5 at 0.25 and 2 in all at 0.75; one negative of weight 3."""
    golden = forge(TABLE_HEADER, TABLE_SECTIONS)
    table = ScoreTable.loads(golden)
    found = totals(table.sorted()).at(0)
    assert (found.positives, found.negatives, found.power) == (5, 6, -1)
    assert (found.lowest, found.highest) == (0.25, 0.75)
    made = ScoreTable()
    made.update(read_arrays([1, 1, 1, 0], [0.75, 0.25, 0.75, 0.5], [1.5, 0.5, 0.5, 3]))
    assert made == table
    assert made.dumps() == table.dumps() == golden


def test_golden_unweighted_float32() -> None:
    """Weights that are all 1 are left out."""
    header = TABLE_HEADER | {
        "units": [0],
        "reading": READING | {"score_type": "float32", "positive": "yes"},
        "negative_label": "no",
    }
    sections: Sections = {
        "0.positive.sizes": large(1),
        "0.positive.scores": ("<f4", struct.pack("<f", 0.5)),
        "0.negative.sizes": large(2),
        "0.negative.scores": ("<f4", struct.pack("<2f", -1.0, 0.25)),
    }
    made = ScoreTable()
    scores = np.array([0.25, 0.5, -1.0], np.float32)
    made.update(read_arrays(["no", "yes", "no"], scores, positive="yes"))
    assert made.dumps() == forge(header, sections)
    assert ScoreTable.loads(forge(header, sections)) == made


# --- damage --------------------------------------------------------------------------------------


def test_every_kind_of_state_is_tested_for_damage() -> None:
    assert set(INTACT) == set(MAKE)
    assert {kind_of(name).kind for name in INTACT} == set(STATE_KINDS)


def assert_noticed(name: str, positions: Iterable[int], flips: Sequence[int]) -> None:
    data = INTACT[name]
    for position in positions:
        for flip in flips:
            damaged = bytearray(data)
            damaged[position] ^= flip
            with pytest.raises(StateError):
                loads(name, bytes(damaged))


@pytest.mark.parametrize("name", INTACT)
def test_damage_to_a_byte_is_noticed(name: str) -> None:
    """Every byte of one state, and every seventh of the others: the format is the same for all."""
    every = range(len(INTACT[name]))
    assert_noticed(name, every if name == "score_table" else every[::7], [0x01])


@pytest.mark.full
@pytest.mark.parametrize("name", INTACT)
def test_damage_to_any_byte_is_noticed(name: str) -> None:
    assert_noticed(name, range(len(INTACT[name])), [0x01, 0x80, 0xFF])


@pytest.mark.parametrize("name", INTACT)
def test_a_section_that_does_not_fit_its_checksum_is_named(name: str) -> None:
    header, sections = taken_apart(INTACT[name])
    data = bytearray(INTACT[name])
    data[-5] ^= 1  # the last byte of the last section, which its checksum follows
    assert sections[-1]
    with pytest.raises(StateError, match=f"{header['sections'][-1][0]}.*: its checksum does not"):
        loads(name, bytes(data))


@pytest.mark.parametrize("name", INTACT)
def test_every_truncation_is_noticed(name: str) -> None:
    data = INTACT[name]
    for length in range(len(data)):
        with pytest.raises(StateError):
            loads(name, data[:length])


@pytest.mark.parametrize("name", INTACT)
@given(st.binary(max_size=80), st.booleans())
def test_random_bytes_are_refused(name: str, raw: bytes, with_start: bool) -> None:
    with pytest.raises(StateError):
        loads(name, INTACT[name][:14] + raw if with_start else raw)


FOREIGN: list[tuple[bytes, str]] = [
    (b"", "they start with b'', not b'STEELYRD'"),
    (b"STEEL", "they start with b'STEEL', not"),
    (b"label,score\n1,0.5\n", "they start with b'label,sc', not"),
    (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "not a steelyard state"),
    (pickle.dumps({"threshold": 0.5}), "not a steelyard state"),
    (b"PAR1" + bytes(100), "not a steelyard state"),
    (seal(b"{}", version=2), "format version 2, but this steelyard reads version 1"),
    (seal(b"{}", version=0), "format version 0"),
    (INTACT["cells"] + b"\0", "damaged in its end: other data follows it"),
    (INTACT["cells"] * 2, "other data follows it"),
    (
        b"STEELYRD\x01\x00\xff\xff\xff\xff{}",
        "cut short in the header: 4294967295 bytes are expected",
    ),
]


@pytest.mark.parametrize(("data", "message"), FOREIGN)
@pytest.mark.parametrize("kind", STATE_KINDS)
def test_bytes_of_other_formats_are_refused(kind: str, data: bytes, message: str) -> None:
    with pytest.raises(StateError) as caught:
        STATE_KINDS[kind].loads(data)
    assert message in str(caught.value)


def test_only_bytes_are_loaded() -> None:
    any_loads: Callable[[Any], Any] = Sums.loads
    for value in ("text", None, 10**12, [1, 2]):
        with pytest.raises(TypeError):
            any_loads(value)


def test_no_pickle_anywhere() -> None:
    """A state from a stranger must never run code."""
    source = Path(steelyard.__file__).parent
    for path in source.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(import|from) (pickle|marshal)|\beval\(", text), path
