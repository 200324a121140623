"""Frames of every library, and objects that are no frame."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow.dataset import dataset

import steelyard as sy
from steelyard.sources.duck.connection import open_table
from tests.sources.blocks import rows

MAPPING = {"y": np.array([1, 0, 1]), "s": np.array([0.5, 0.25, 2.0], np.float32)}


def refused(source: Any, text: str, kind: str = "number", **options: Any) -> str:
    with pytest.raises(sy.SteelyardError) as caught:
        rows(source, (text, kind), **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


KEYS = {
    "words": (pa.array(["a", None, "b"]), ["a", None, "b"]),
    "categories": (pa.array(["a", None, "b"]).dictionary_encode(), ["a", None, "b"]),
    "large words": (pa.array(["a", None, "b"], pa.large_string()), ["a", None, "b"]),
    "views": (pa.array(["a" * 20, None, "b"], pa.string_view()), ["a" * 20, None, "b"]),
    "whole numbers": (pa.array([7, None, -7], pa.int16()), [7, None, -7]),
    "booleans": (pa.array([True, None, False]), [True, None, False]),
    "floats": (pa.array([0.5, None, float("nan")]), [0.5, None, None]),
    "dates": (pa.array([0, None, 59], pa.date32()), ["1970-01-01", None, "1970-03-01"]),
    "nothing": (pa.nulls(3), [None, None, None]),
}


MAKES = ("table", "reader", "chunks", "polars", "relation")
# Text of Polars is views in every test.
CASES = [(make, name) for make in MAKES for name in KEYS if (make, name) != ("polars", "views")]


@pytest.mark.parametrize(("make", "name"), CASES)
def test_frames_of_every_library(name: str, make: str) -> None:
    array, wanted = KEYS[name]
    table = pa.table({"k": array, "s": pa.array([1.5, None, 2.5], pa.float32())})
    frame: Any = table
    if make == "reader":
        frame = table.to_reader()
    elif make == "chunks":
        frame = pa.concat_tables([table.slice(0, 1), table.slice(1, 2)])
    elif make == "polars":
        frame = pl.DataFrame(table)
    elif make == "relation":
        frame = duckdb.connect().from_arrow(table)
    found = rows(frame, ("k", "key"), ("s", "number"), ("s + 1", "number"))
    assert found == [wanted, [1.5, None, 2.5], [2.5, None, 3.5]]


def test_pandas_and_arrays() -> None:
    frame = pd.DataFrame({"k": pd.Categorical(["u", "v", None]), "w": ["x", None, "y"]})
    frame["n"] = pd.array([1, None, 3], dtype="Int64")
    assert rows(frame, ("k", "key"), ("w", "key"), ("n", "number")) == [
        ["u", "v", None],
        ["x", None, "y"],
        [1, None, 3],
    ]
    masked = np.ma.masked_array([1, 2, 3], [False, True, False])
    big = np.array([1, 2, 3], ">f4")
    source = {**MAPPING, "u": np.array(["p", "q", "p"]), "m": masked, "big": big, "list": [4, 5, 6]}
    found = rows(source, ("u", "key"), ("m", "number"), ("big + list", "number"), where="s > 0.3")
    assert found == [["p", "p"], [1, 3], [5, 9]]


def test_a_frame_without_pyarrow() -> None:
    """DuckDB needs PyArrow for frames of types that it knows: they must reach it as others."""
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import polars as pl\n"
        "from steelyard.sources.blocks import ColumnRequest\n"
        "from steelyard.sources.duck.connection import open_table\n"
        "with open_table(pl.DataFrame({'s': [1, 2]})) as table:\n"
        "    block, = table.blocks([ColumnRequest('s * 2', 'number')], None)\n"
        "assert block.columns[ColumnRequest('s * 2', 'number')].values.tolist() == [2, 4]\n"
        "assert 'pandas' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("kind", "array"),
    [
        ("number", pa.array([1, 2], pa.date32())),
        ("number", pa.array([[1], [2]])),
        ("label", pa.array([1, 2], pa.date32())),
        ("label", pa.array([b"a", b"b"])),
        ("key", pa.array([[1], [2]])),
        ("key", pa.array([{"a": 1}, {"a": 2}])),
    ],
    ids=str,
)
def test_types_that_cannot_be_read_are_refused(kind: str, array: Any) -> None:
    assert "c holds values of type" in refused(pa.table({"c": array}), "c", kind)


def test_nan_is_missing(tmp_path: Path) -> None:
    scores = pa.array([0.5, None, float("nan"), float("inf"), float("-inf")], pa.float32())
    wanted = [[0.5, None, None, float("inf"), float("-inf")]]
    assert rows(pa.table({"s": scores}), ("s", "number")) == wanted
    assert rows(pa.table({"s": scores}), ("s", "label")) == wanted
    (tmp_path / "t.csv").write_text("s,t\n0.5,0\n,0\nnan,0\ninf,0\n-inf,0\n")
    assert rows(tmp_path / "t.csv", ("s", "number")) == wanted


def test_objects_that_are_no_source_are_refused() -> None:
    for nothing in (None, 3, object()):
        with pytest.raises(sy.InputError, match="the source is of type"):
            open_table(nothing)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            [{"y": 1, "s": 0.5}],
            "the source is of type list of dict and cannot be read: pass a path",
        ),
        (("a.csv", 3), "the source is of type tuple of int and cannot be read"),
        (
            dataset([pa.table(MAPPING)]),
            "InMemoryDataset, which has no rows yet: pass the result of its to",
        ),
        (np.zeros(1, [("y", int), ("s", float)]), "as in label=table['click']"),
    ],
)
def test_objects_that_are_almost_a_source_get_advice(source: Any, said: str) -> None:
    with pytest.raises(sy.InputError) as caught:
        sy.evaluate(source, label="y", score="s")
    assert said in str(caught.value)


Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.mark.parametrize("more", [{}, {"where": "s > 0"}, {"sql": "SELECT y, s FROM source"}])
def test_a_lazy_frame_collects_what_is_needed(more: dict[str, Any]) -> None:
    frame = pl.LazyFrame({"y": Y, "s": S, "other": [1, 2, 3, 4]})
    assert sy.evaluate(frame, label="y", score="s", metrics="auc", **more)["auc"] == 0.75
    assert sy.evaluate(frame, label="y", score="s * 2", metrics="auc")["auc"] == 0.75


def test_a_lazy_frame_that_fails_says_why(tmp_path: Path) -> None:
    lost = pl.scan_parquet(tmp_path / "nope.parquet")
    text = pl.LazyFrame({"y": ["1", "x"], "s": [0.1, 0.2]})
    for frame, why in [
        (lost, "No such file or directory.*nope.parquet"),
        (text.select("y", "t"), '(unable to find column "t"|ColumnNotFoundError: t)'),
        (text.with_columns(pl.col("y").cast(pl.Int64)), "conversion from `str` to `i64`"),
    ]:
        with pytest.raises(sy.SourceError, match=f"^Polars cannot compute .*{why}.*made\\.$"):
            sy.evaluate(frame, label="y", score="s", metrics="auc")


def test_columns_of_a_lazy_frame_that_no_role_needs_are_not_computed() -> None:
    def fail(column: pl.Series) -> pl.Series:
        raise AssertionError

    costly = pl.col("y").map_batches(fail, return_dtype=pl.Int64).alias("costly")
    frame = pl.LazyFrame({"y": Y, "s": S}).with_columns(costly)
    assert sy.evaluate(frame, label="y", score="s", metrics="auc")["auc"] == 0.75
