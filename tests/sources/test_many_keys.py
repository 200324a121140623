"""Keys of many rows in every form in which a column of text may come."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import steelyard as sy
from steelyard.sources import arrays

ROWS = 5000  # enough for a kernel
VALID = ["a", "b", "é", "a\0b", "twelve bytes", "thirteen byte", "x" * 40, ""]
WORDS = [*VALID, "\0", "\udc80"]  # of a list, NumPy would make "" of a zero alone

FORMS: dict[str, Callable[[list[Any]], Any]] = {
    "PyArrow": pa.array,
    "PyArrow, sliced": lambda v: pa.array(["?", "?" * 20, *v, None])[2:-1],
    "PyArrow, large": lambda v: pa.array(v, pa.large_string()),
    "PyArrow, views": lambda v: pa.array(v, pa.string_view()),
    "PyArrow, chunks": lambda v: pa.chunked_array([v[:999], [], v[999:]], pa.string()),
    "Polars": pl.Series,
    "Polars, chunks": lambda v: pl.concat([pl.Series(v[:7]), pl.Series(v[7:])], rechunk=False),
    "Polars, sliced": lambda v: pl.Series([None, *v])[1:],
    "objects": lambda v: np.array(v, object),
    "list": list,
}


def other(value: Any) -> Any:
    """An equal string at another address."""
    return value if value is None else "".join([*value])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("missing", [False, True])
def test_texts_of_many_rows(form: str, missing: bool) -> None:
    rng = np.random.default_rng(0)
    words: list[Any] = WORDS if form == "objects" else VALID
    words = [*words, None] if missing else words
    given = [other(words[place]) for place in rng.integers(0, len(words), ROWS)]
    column = arrays.key("group", FORMS[form](given))
    keys: list[Any] = list(column.keys or ())
    assert sorted(keys) == sorted(set(given) - {None})
    absent = np.zeros(ROWS, bool) if column.missing is None else column.missing
    codes = column.values.tolist()
    assert [None if no else keys[code] for no, code in zip(absent, codes, strict=True)] == given


@pytest.mark.parametrize("form", ["PyArrow", "Polars"])
def test_texts_of_no_rows(form: str) -> None:
    for empty in (pa.array([], pa.string()), pl.Series([], dtype=pl.String)):
        assert list(arrays.key("group", empty).keys or ()) == []


def test_equal_objects_have_one_key() -> None:
    """Whichever comes first, and whatever their addresses are."""
    rng = np.random.default_rng(1)
    pool = [7, 7.0, np.float32(7), True, 1, 1.0, "7", b"7", float("nan"), None, 2.5, float("2.5")]
    rows = [pool[place] for place in rng.integers(0, len(pool), ROWS)]
    some = arrays.key("by", np.array([*pool], object))
    many = arrays.key("by", np.array([*pool, *rows], object))
    keys, few = list(many.keys or ()), list(some.keys or ())
    assert few == [7, 1, "7", 2.5]
    assert sorted(map(repr, keys)) == sorted(map(repr, few))
    assert many.missing is not None
    assert some.missing is not None
    for place, value in enumerate(rows, len(pool)):
        same = next(i for i, each in enumerate(pool) if each is value)
        assert many.missing[place] == some.missing[same]
        assert many.missing[place] or keys[many.values[place]] == few[some.values[same]]


def test_masked_objects_are_missing() -> None:
    values, mask = np.array(["a", "b"] * ROWS, object), np.arange(2 * ROWS) == 2 * ROWS - 1
    column = arrays.key("by", np.ma.masked_array(values, mask))
    assert list(column.keys or ()) == ["a", "b"]
    assert column.missing is not None
    assert np.flatnonzero(column.missing).tolist() == [2 * ROWS - 1]


def test_a_value_that_is_no_key_is_named_among_many() -> None:
    keys = np.array(["a", "b"] * ROWS, object)
    keys[77] = [1]
    with pytest.raises(sy.InputError, match=r"list.*77"):
        sy.gauc([1, 0] * ROWS, [0.5] * (2 * ROWS), group=keys)


def test_groups_are_the_same_in_every_form() -> None:
    rng = np.random.default_rng(2)
    label, score = rng.random(ROWS) < 0.3, rng.random(ROWS)
    place = rng.integers(0, len(VALID), ROWS)
    plain = sy.gauc(label, score, group=place)
    for name, form in FORMS.items():
        assert sy.gauc(label, score, group=form([VALID[each] for each in place])) == plain, name
    letters = np.array(["a", "é", "x" * 30])[place % 3]
    strings = letters.astype(np.dtypes.StringDType())
    assert sy.gauc(label, score, group=letters) == sy.gauc(label, score, group=strings)
