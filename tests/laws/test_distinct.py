"""Keys: text and numbers distinguished exactly, as a dictionary would."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.kernels.numpy import words as numbering
from steelyard.sources import keys
from steelyard.sources.blocks import SourceColumn
from steelyard.sources.keys import code_numbers, code_text, code_unicode, recoded
from tests.sources.blocks import values


def text(words: list[str | None]) -> SourceColumn:
    """Coded text, through PyArrow's buffers."""
    array = pa.array(words, pa.string())
    _, offsets, data = array.buffers()
    spans = np.frombuffer(offsets, np.int32)[: len(words) + 1]
    letters = np.frombuffer(data, np.uint8) if data else np.zeros(0, np.uint8)
    missing = np.array([word is None for word in words], bool)
    return code_text(spans, letters, missing if missing.any() else None)


def check(column: SourceColumn, wanted: list[Any]) -> None:
    assert values(column) == wanted
    assert column.keys is not None
    there = {value for value in wanted if value is not None}
    assert len(column.keys) == len(there)  # each once, none besides
    assert set(column.keys) == there
    assert column.values.dtype == np.min_scalar_type(max(len(there) - 1, 0))


LETTERS = st.text(st.sampled_from("ab\0é€😀"), max_size=20)
LONG = st.tuples(st.sampled_from(["", "x" * 8, "https://example.com/"]), LETTERS).map("".join)
WORDS = st.lists(st.one_of(st.none(), LETTERS, LONG, st.text(max_size=9)), max_size=60)


@given(WORDS)
def test_text_is_coded_exactly(words: list[str | None]) -> None:
    check(text(words), words)


@given(st.lists(st.text(max_size=12).filter(lambda word: not word.endswith("\0"))))
def test_text_of_numpy_is_coded_exactly(words: list[str]) -> None:
    check(code_unicode(np.array(words, np.str_)), words)


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("a NUL is a letter", ["a", "a\0", "a\0\0", "\0", ""]),
        ("what ends at eight bytes, and what goes on", ["x" * n for n in range(30)]),
        ("a length is no letter", ["\7", "\1\2", "\0\0\0\0\0\0\0", "\0" * 8]),
        ("a long common start", ["p" * 100 + end for end in ("", "a", "b", "ab")]),
        ("no word at all", []),
        ("nothing but missing ones", [None, None]),
        ("an empty string and a missing one", ["", None, "a"]),
    ],
)
def test_texts_that_are_easily_confused(why: str, words: list[str | None]) -> None:
    check(text(words * 3), words * 3)


def test_many_distinct_texts() -> None:
    """More than the small table holds, then more than any table does."""
    for count in (300, 30_000, 300_000):
        words = [f"user-{i * 7919 % count}" for i in range(count)] * 2
        column = text(list(words))
        assert values(column) == words
        assert len(set(column.keys or ())) == count


@pytest.mark.parametrize("crowd", [0.0, 1.0])
def test_texts_that_share_a_slot(monkeypatch: pytest.MonkeyPatch, crowd: float) -> None:
    """With four slots most texts lose theirs: they are coded in rounds, or by sorting."""
    monkeypatch.setattr(numbering, "TABLES", (2, 3))
    monkeypatch.setattr(numbering, "FEW", 0)
    monkeypatch.setattr(numbering, "CROWDED", crowd)
    words = [f"w{i % 50}" for i in range(500)]
    check(text(list(words)), words)


NUMBERS = [
    np.array([3, -1, 3, 2**40, -(2**63)]),
    np.array([0, 2**64 - 1, 5], np.uint64),
    np.array([-128, 127, 0, 0], np.int8),
    np.array([2**63 + 5, 2**63 + 4], np.uint64),
    np.array([True, False, True]),
    np.array([0.5, -1.5, 0.5, np.inf], np.float32),
    np.array([], np.int64),
    np.array([7, 7, 7]),
    np.array([5, 250, 700, 5]),  # gaps, and distances of more than a byte
    np.array([-(2**63), -(2**63) + 2, -(2**63) + 1]),
]


@pytest.mark.parametrize("array", NUMBERS, ids=str)
def test_numbers_are_coded_exactly(array: Any) -> None:
    check(code_numbers(array), array.tolist())
    kinds = {type(word) for word in code_numbers(array).keys or ()}
    assert kinds == {type(value) for value in array.tolist()}


@pytest.mark.parametrize("values_", [[3, 4, 5], [-7, 4, 300], [0, 65_535], [2**63 + 1, 2**63]])
def test_numbers_of_several_blocks(values_: list[int]) -> None:
    """The last of them comes late, when the first blocks are done."""
    some = np.array(values_[:-1] * (keys.BLOCK + 3) + values_[-1:])
    check(code_numbers(some), some.tolist())


def test_zeros_are_one_number_and_nan_is_none() -> None:
    check(code_numbers(np.array([0.0, -0.0, np.nan, 1.0])), [0.0, 0.0, None, 1.0])
    missing = np.array([False, True, False])
    check(code_numbers(np.array([4, 5, 6]), missing), [4, None, 6])
    check(code_numbers(np.array([4, 5]), np.array([True, True])), [None, None])


def test_texts_that_turn_out_equal_become_one_key() -> None:
    meant: dict[str, Any] = {"1": 1, "1.0": 1.0, "x": "x", "nan": None}
    column = text(["1", "1.0", "x", None, "nan"])
    column = recoded(column, [meant[str(word)] for word in column.keys or ()])
    check(column, [1, 1, "x", None, None])


@pytest.mark.parametrize("count", [3, 20_000, 600_000])
def test_more_than_a_million_keys(count: int) -> None:
    """The first ones say how large a table to take."""
    dice = np.random.default_rng(1)
    some = dice.integers(0, 2**63, count).astype(np.uint64)
    words = some[dice.integers(0, count, numbering.LONG + 1)]
    numbers, places = numbering.code_words(words)
    assert (words[places][numbers] == words).all()
    assert len(places) == len(np.unique(words)) == numbers.max() + 1
