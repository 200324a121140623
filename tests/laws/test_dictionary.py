"""The dictionary of texts: each has one number, without gaps, in all batches."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.evaluation.saved_state import State
from steelyard.kernels.interface import Texts
from steelyard.reading.clusters import TextNumbers
from steelyard.reading.grouping import Dictionary
from steelyard.sources.keys import code_text
from steelyard.sources.text_keys import TextKeys

some_batches = pytest.mark.parametrize(
    "batches", [[["a", "b", "a"]], [["b", "b"], ["a", "b"]], [[], ["a"]], [["", "\0"], ["\0\0"]]]
)


@some_batches
def test_every_text_of_a_dictionary_has_one_number(batches: list[list[str]]) -> None:
    words = Dictionary()
    places = [words.add(batch) for batch in batches]
    numbers = [words.numbers[each].tolist() for each in places]
    assert [[words.strings[number] for number in batch] for batch in numbers] == batches
    assert sorted({number for batch in numbers for number in batch}) == list(
        range(len(words.strings))
    )


@pytest.mark.parametrize("strings", [[], ["é", "", "\udc80", "\0"], ["x" * 20, "😀"]])
def test_texts_as_bytes(strings: list[str]) -> None:
    texts = TextKeys.of(strings)
    encoded = [text.encode("utf-8", "surrogateescape") for text in strings]
    assert list(texts) == [texts[place] for place in range(len(strings))] == strings
    assert texts.bytes() == encoded
    twice = TextKeys.joined([texts, texts])
    assert list(twice) == strings * 2
    last = np.arange(len(strings))[::-1]
    assert list(twice.take(last)) == strings[::-1]
    assert twice.take(last).texts.data.tobytes() == b"".join(encoded[::-1])
    assert texts[1:] == strings[1:]
    assert twice.take(np.arange(2 * len(strings))).texts.data.tobytes() == b"".join(encoded * 2)


def test_texts_that_are_taken_have_no_other_bytes() -> None:
    """Of texts that have all bytes nothing is copied, but for bytes that are another's."""
    data = np.frombuffer(b"xaabbb", np.uint8)
    starts, lengths = np.array([1, 3]), np.array([2, 3])
    both = np.arange(2)
    own = TextKeys.of(["aa", "bbb"])
    assert own.take(both) is own
    for texts in (
        TextKeys(Texts(starts, lengths, data)),  # a byte before
        TextKeys(Texts(starts, lengths, data.copy())),
        TextKeys(Texts(starts - 1, lengths, data[1:])),  # another's
        TextKeys(Texts(np.array([0, 1]), np.array([2, 3]), data[2:].copy())),  # shared ones
    ):
        taken = texts.take(both)
        assert taken is not texts
        assert list(taken) == list(texts)
        assert taken.texts.data.tobytes() == b"".join(texts.bytes())


def test_texts_that_are_known_to_be_distinct_keep_their_numbers() -> None:
    column = code_text(np.array([0, 1, 2, 3]), np.frombuffer(b"bab", np.uint8))
    assert isinstance(column.keys, TextKeys)
    assert (list(column.keys), column.values.tolist()) == (["b", "a"], [0, 1, 0])
    words = Dictionary()
    words.add(column.keys)
    assert (list(words.strings), words.numbers.tolist()) == (["b", "a"], [0, 1])
    words.add(column.keys)
    assert (list(words.strings), words.numbers.tolist()) == (["b", "a"], [0, 1, 0, 1])


@some_batches
def test_every_text_has_one_number(batches: list[list[str]]) -> None:
    words = TextNumbers()
    numbers = [words.number(batch).tolist() for batch in batches]
    assert [[words.strings[number] for number in batch] for batch in numbers] == batches
    assert sorted({number for batch in numbers for number in batch}) == list(
        range(len(words.strings))
    )


def state(**columns: Any) -> State:
    roles: dict[str, Any] = {"group": ["country", "day"], "document": "doc"}
    return sy.state(columns, label="y", score="s", metrics=["map(ties=trec)"], **roles)


def test_text_that_several_groups_share_comes_back_from_bytes() -> None:
    """A country has many days, a document many queries."""
    first = state(country=["de", "de"], day=[1, 2], doc=["x", "x"], y=[1, 1], s=[1, 2])
    second = state(country=["fr", "de"], day=[1, 1], doc=["x", "y"], y=[1, 0], s=[1, 1])
    kept = [State.loads(each.dumps()) for each in (first, second)]
    merged = sy.merge(*kept)
    assert merged.dumps() == sy.merge(first, second).dumps()
    # Of de on day 1, y comes before x; the other two lists have one row.
    assert merged.result()["map(ties=trec)"] == (0.5 + 1 + 1) / 3
