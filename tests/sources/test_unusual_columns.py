"""Dates, zeros, nulls and Python objects: the same slices and sums from every reader."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import steelyard as sy

BIG = 2**53  # from here on float64 tells whole numbers apart no more
TIMES = ["2024-02-29T12:00:00.5", "NaT", "2024-03-01", "2024-02-29T12:00:00.5"]
AS_TEXT = ["2024-02-29 12:00:00.5", "2024-03-01 00:00:00", None]
KEYS: dict[str, tuple[Any, list[Any]]] = {
    "NumPy's days": (
        np.array(["2024-03-01", "NaT", "2024-02-29", "2024-03-01"], "M8[D]"),
        ["2024-02-29", "2024-03-01", None],
    ),
    "NumPy's times": (np.array(TIMES, "M8[us]"), AS_TEXT),
    "masked times": (
        np.ma.masked_array(np.array(TIMES, "M8[us]"), [False, False, True, False]),
        ["2024-02-29 12:00:00.5", None],
    ),
    "masked times of seconds": (
        np.ma.masked_array(
            np.array(["2024-02-29T12", "2024-03-01"] * 2, "M8[s]"), [False, True] * 2
        ),
        ["2024-02-29 12:00:00", None],
    ),
    "pandas' times": (pd.Series(np.array(TIMES, "M8[us]")), AS_TEXT),
    "Python's dates": (
        [date(2024, 3, 1), None, date(2024, 2, 29), None],
        ["2024-02-29", "2024-03-01", None],
    ),
    "Python's times": ([datetime(2024, 3, 1, 0, 0, 0, 500000)] * 4, ["2024-03-01 00:00:00.5"]),
    "NaN among words": (["a", float("nan"), "b", "a"], ["a", "b", None]),
    "None among booleans": ([True, None, False, True], [False, True, None]),
    "zeros of pandas": (pd.Series([-0.0, 0.0, 1.0, -0.0]), [0.0, 1.0]),
    "zeros among objects": ([-0.0, None, 0.0, 1.0], [0.0, 1.0, None]),
    "whole numbers of Polars": (pl.Series([BIG, BIG + 1, None, BIG]), [BIG, BIG + 1, None]),
    "whole numbers of PyArrow": (pa.array([BIG, BIG + 1, None, BIG]), [BIG, BIG + 1, None]),
    "chunks of PyArrow": (pa.chunked_array([[BIG, BIG + 1], [None, BIG]]), [BIG, BIG + 1, None]),
}


@pytest.mark.parametrize("where", [None, "y >= 0"], ids=["arrays", "DuckDB"])
@pytest.mark.parametrize("kind", KEYS)
def test_slices_are_called_the_same(kind: str, where: str | None) -> None:
    column, wanted = KEYS[kind]
    columns = {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.3, 0.4], "k": column}
    source = pd.DataFrame(columns) if isinstance(column, pd.Series) else columns
    result = sy.evaluate(source, label="y", score="s", by="k", where=where, metrics="recall")
    found = [row.slice["k"] for row in result if row.slice]
    assert list(map(repr, found)) == list(map(repr, wanted))


@pytest.mark.parametrize("column", [[[1]] * 4, np.zeros(4, complex), np.zeros(4, "m8[s]")])
def test_what_is_no_key(column: Any) -> None:
    object_ = np.fromiter(column, object, 4) if isinstance(column, list) else column
    columns = {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.3, 0.4], "k": object_}
    with pytest.raises(sy.InputError, match=r"k holds values of type .*, the first at row 0, but"):
        sy.evaluate(columns, label="y", score="s", by="k", metrics="recall")


@pytest.mark.parametrize("make", [dict, pd.DataFrame], ids=["mapping", "pandas"])
def test_every_object_is_checked(make: Any) -> None:
    """DuckDB reads a thousand objects, and would round the 2.5 that comes after them to 2."""
    rows = 3000
    score = np.array([1] * (rows - 1) + [2.5], object)
    source = make({"y": np.arange(rows) % 2, "s": score})
    row = sy.evaluate(source, label="y", score="s", where="y >= 0", metrics="auc").rows[0]
    assert row.prediction_sum == rows - 1 + 2.5


def test_float32_beside_none_is_float32() -> None:
    """float32 has no 0.7: a threshold is rounded to the score's type, and finds it."""
    score = [np.float32(0.7), None, np.float32(0.1)]
    assert sy.recall([1, 1, 1], score, threshold=0.7, nan="drop") == 0.5


LONG = 10**5000  # Python refuses to write it


@pytest.mark.parametrize(
    "call",
    [
        lambda: sy.auc([0, LONG], [0.1, 0.2]),
        lambda: sy.auc([0, 1], [0.1, 0.2], positive=LONG),
        lambda: sy.accuracy(["a", LONG], y_pred=["a", LONG]),
        lambda: sy.gauc([0, 1], [0.1, 0.2], group=[LONG, 1]),
        lambda: sy.gauc([0, 1], [0.1, 0.2], group=[Decimal("sNaN"), 1]),
        lambda: sy.accuracy([Decimal("sNaN"), 1], y_pred=[1, 1]),
        lambda: sy.evaluate(label=[0, 1], score=[0, 1], by={"k": [LONG, 1]}, metrics="auc"),
        lambda: sy.evaluate(label=[0, 1], score=[0, 1], clip=LONG, metrics="auc"),
    ],
)
def test_values_that_cannot_be_keys(call: Any) -> None:
    with pytest.raises(sy.InputError):
        call()


def test_a_label_of_5000_digits_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text(f"y,s\n{'9' * 5000},0.1\n1,0.2\n")
    with pytest.raises(sy.InputError, match="1 value outside"):
        sy.evaluate(tmp_path / "long.csv", label="y", score="s", metrics="auc")
