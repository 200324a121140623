"""Slices: every slice's numbers are those of its rows alone, and slices add up to the total."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.reading.slices import KeyNumbers, slice_codes, slices
from steelyard.sources.blocks import SourceColumn
from tests.laws.sliced_rows import ALIKE, together
from tests.tables.binary import NUMBERS
from tests.tables.binary_data import DATA
from tests.tables.harness import evaluated


def test_a_slice_is_as_if_its_rows_were_alone() -> None:
    result = sy.evaluate(together(), label="y", score="s", weight="w", by="set", metrics=NUMBERS)
    found = {(row.slice["set"], row.metric): row for row in result if row.slice}
    assert {name for name, _ in found} == set(ALIKE)
    for name in ALIKE:
        for alone in evaluated(NUMBERS, DATA[name]):
            row = found[name, alone.metric]
            assert repr((row.value, row.why)) == repr((alone.value, alone.why)), (name, row)


TABLE = {
    "y": [1, 0, 1, 0, 1, 0, 0, 1],
    "s": [0.9, 0.2, 0.4, 0.4, 0.8, 0.6, 0.1, 0.3],
    "country": ["DE", "US", "DE", "DE", None, "US", None, "US"],
    "device": [1, 1, 2, 2, 1, 2, 2, 1],
}


def test_alone_and_crossed_total_first() -> None:
    by = ["country", ("country", "device")]
    result = sy.evaluate(TABLE, label="y", score="s", by=by, metrics=["auc", "recall"])
    slices = list(dict.fromkeys(tuple(row.slice.items()) for row in result))
    assert slices == [
        (),
        (("country", "DE"),),
        (("country", "US"),),
        (("country", None),),
        (("country", "DE"), ("device", 1)),
        (("country", "DE"), ("device", 2)),
        (("country", "US"), ("device", 1)),
        (("country", "US"), ("device", 2)),
        (("country", None), ("device", 1)),
        (("country", None), ("device", 2)),
    ]
    assert [row.metric for row in result] == ["auc", "recall"] * 10
    crossed = [row for row in result if len(row.slice) == 2 and row.metric == "auc"]
    assert [row.n for row in crossed] == [1, 2, 2, 1, 1, 1]
    assert [row.value for row in crossed] == [None, 0.5, 1.0, None, None, None]


def test_slices_add_up_to_the_total() -> None:
    columns = {**TABLE, "w": [1, 2, 0, 3, 1, 1, 5, 0.5]}
    result = sy.evaluate(
        columns, label="y", score="s", weight="w", by=["country", "device"], metrics="auc"
    )
    total, *rest = result.rows
    for name in ("country", "device"):
        parts = [row for row in rest if name in row.slice]
        for field in ("n", "positives", "negatives", "weighted_positives", "weighted_negatives"):
            assert sum(getattr(row, field) for row in parts) == getattr(total, field), field


def test_dropped_rows_are_counted_in_their_slice() -> None:
    score = [0.9, None, 0.4, 0.4, None, 0.6, 0.1, None]
    columns = {**TABLE, "s": score}
    result = sy.evaluate(columns, label="y", score="s", by="country", nan="drop", metrics="auc")
    assert [(row.slice.get("country"), row.n, row.dropped) for row in result] == [
        (None, 5, 3),
        ("DE", 3, 0),
        ("US", 1, 2),
        (None, 1, 1),
    ]


def test_a_slice_of_dropped_rows_alone_is_there_without_a_value() -> None:
    columns = {"y": [1, 0, 1], "s": [0.9, 0.1, None], "c": ["a", "a", "b"]}
    rows = sy.evaluate(columns, label="y", score="s", by="c", nan="drop", metrics="auc").rows
    assert (rows[2].slice, rows[2].n, rows[2].dropped) == ({"c": "b"}, 0, 1)
    assert rows[2].why == "there are no rows"


def test_several_scores_each_with_its_own_rows() -> None:
    columns = {**TABLE, "t": [0.1, 0.9, None, 0.2, 0.4, 0.5, 0.6, 0.7]}
    how: dict[str, Any] = {"label": "y", "nan": "drop", "rows": "own"}
    both = sy.evaluate(columns, **how, score=["s", "t"], by="device", metrics=["auc", "f1"])
    alone = [
        sy.evaluate(columns, label="y", score=name, by="device", nan="drop", metrics=["auc", "f1"])
        for name in ("s", "t")
    ]
    assert list(both.rows) == [*alone[0].rows, *alone[1].rows]
    named = sy.evaluate(columns, **how, score={"old": "s", "new": "t"}, metrics="auc")
    assert [(row.score, row.value) for row in named] == [
        ("old", alone[0].rows[0].value),
        ("new", alone[1].rows[0].value),
    ]


def test_arrays_without_a_source_have_slices_too() -> None:
    plain = sy.evaluate(
        label=TABLE["y"],
        score={"s": TABLE["s"]},
        by={"country": TABLE["country"], "device": TABLE["device"]},
        metrics="auc",
    )
    named = sy.evaluate(TABLE, label="y", score="s", by=["country", "device"], metrics="auc")
    assert plain.rows == named.rows


keys = st.lists(st.one_of(st.none(), st.sampled_from(["", "a", "b", "ß", "a" * 20])), max_size=30)


@given(keys, st.randoms(use_true_random=False))
def test_crossing_is_pairing(first: list[str | None], random: Any) -> None:
    """Codes against the pairs themselves, with some rows left out."""
    second = [random.randrange(3) for _ in first]
    kept = np.array([random.random() < 0.7 for _ in first], bool)
    words = sorted({word for word in first if word is not None}) or [""]
    column = SourceColumn(
        np.array([words.index(word) if word is not None else 0 for word in first], np.intp),
        np.array([word is None for word in first], bool),
        words,
    )
    keys = KeyNumbers()
    codes = slice_codes([column, SourceColumn(np.array(second, np.intp), None, [0, 1, 2])], keys)
    made = slices(keys, codes, kept, None)
    pairs = list(zip(first, second, strict=True))
    assert [keys.keys[code] for code in made.codes] == [
        pair for pair, keep in zip(pairs, kept, strict=True) if keep
    ]
    for key, dropped in zip(keys.keys, made.dropped, strict=True):
        assert dropped == sum(p == key and not keep for p, keep in zip(pairs, kept, strict=True))


def test_a_key_has_one_number_in_all_blocks_of_a_reader() -> None:
    keys = KeyNumbers()
    first = slice_codes([SourceColumn(np.array([1, 0, 1], np.uint8), None, [True, 2.0])], keys)
    more = SourceColumn(np.array([1, 0, 2, 0]), np.array([False, True, False, False]), [2, 1, "b"])
    second = slice_codes([more], keys)
    assert (first.tolist(), second.tolist()) == ([1, 0, 1], [0, 3, 2, 1])
    assert keys.keys == [(1,), (2,), ("b",), (None,)]
    assert [type(key) for (key,) in keys.keys] == [int, int, str, type(None)]
    assert {first.dtype, second.dtype} == {np.dtype(np.uint8)}


@pytest.mark.parametrize(("count", "type_"), [(256, np.uint8), (257, np.uint16)])
def test_numbers_of_slices_have_the_smallest_type(count: int, type_: type) -> None:
    column = SourceColumn(np.arange(count), None, list(range(count)))
    assert slice_codes([column], KeyNumbers()).dtype == type_


def test_text_that_is_a_whole_number_is_sorted_as_a_number() -> None:
    words = ["b", "10", "9", "007", "7", "-1", "", "1.5", "a", None]
    log = {"y": [1] * 10, "s": [0.5] * 10, "g": words}
    result = sy.evaluate(log, label="y", score="s", by="g", metrics="prevalence")
    found = [row.slice["g"] for row in result if row.slice]
    assert found == ["-1", "007", "7", "9", "10", "", "1.5", "a", "b", None]
    state = sy.state(log, label="y", score="s", by="g", metrics="prevalence")
    assert type(state).loads(state.dumps()).result().rows == result.rows
