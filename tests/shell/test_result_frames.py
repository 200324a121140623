"""Results as columns and data frames."""

import dataclasses
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import steelyard as sy
from steelyard.model import Conventions, Key, Row
from steelyard.report.columns import typed_columns
from steelyard.result.result import Result
from tests.shell.result_rows import INF, row, sliced

NAMES = [
    *("metric", "score", "by", "value", "why", "low", "high", "n", "weight"),
    *("positives", "negatives"),
    *("weighted_positives", "weighted_negatives", "prediction_sum", "weighted_prediction_sum"),
    *("dropped", "details"),
]


def test_the_columns_are_all_fields_and_the_slices() -> None:
    result = Result(
        sliced({"country": "DE"}, {"country": None, "device": "tv"}),
        Conventions(by=(("country",), ("country", "device"), ("hour",))),
    )
    laid = typed_columns(result.rows, result.conventions)
    assert list(laid) == [*NAMES[:3], "country", "device", "hour", *NAMES[3:]]
    assert laid["by"].values == ["", "country", "country,device"]
    assert laid["country"].values == [None, "DE", None]
    assert laid["device"].values == [None, None, "tv"]
    assert laid["hour"] == ("text", [None, None, None])
    assert {field.name for field in dataclasses.fields(Row)} - {"slice"} <= set(laid)


def test_a_slice_that_is_called_like_a_field() -> None:
    rows = sliced({"n": 1}, {"slice_n": 2}, {"details": 3})
    laid = typed_columns(rows, Conventions())
    own = [name for name in laid if name not in NAMES]
    assert own == ["slice_n_", "slice_n", "slice_details"]
    assert laid["n"].values == [10] * 4
    assert laid["slice_n_"].values == [None, 1, None, None]


# The keys of a column: the type it gets, its values, why.
TYPES: list[tuple[list[Key], str, list[Any], str]] = [
    (["a", None], "text", ["a", None], "words"),
    ([1, None], "integer", [1, None], "whole numbers"),
    ([2**63 - 1, -(2**63)], "integer", [2**63 - 1, -(2**63)], "as far as int64 goes"),
    ([2**63, 0], "unsigned", [2**63, 0], "as far as uint64 goes"),
    ([2**63, -1], "text", ["9223372036854775808", "-1"], "no type of 64 bits holds both"),
    ([2**64], "text", ["18446744073709551616"], "beyond 64 bits"),
    ([1, 0.5], "number", [1, 0.5], "whole numbers among others"),
    ([2**53 + 1, 0.5], "text", ["9007199254740993", "0.5"], "float64 would round"),
    ([True, None], "boolean", [True, None], "true and false"),
    ([True, 1, "a", None], "text", ["true", "1", "a", None], "of several types"),
    ([None], "text", [None], "nothing but missing ones"),
]


@pytest.mark.parametrize(("keys", "type_", "values", "why"), TYPES)
def test_types_of_slices(keys: list[Key], type_: str, values: list[Any], why: str) -> None:
    laid = typed_columns([row(slice={"key": key}) for key in keys], Conventions())
    assert laid["key"] == (type_, values), why


ODD = [
    row(value=None, details={"area": 2**60}, slice={"u": 2**63}),
    row(weighted_positives=10**400, weighted_negatives=2**60, slice={"i": -3, "b": True}),
    row(low=0.25, high=0.75, slice={"f": 0.5, "mixed": "a"}),
    row(slice={"f": None, "mixed": 1}),
]
EXPECTED: dict[str, list[Any]] = {
    "by": ["u", "i,b", "f,mixed", "f,mixed"],
    "u": [2**63, None, None, None],
    "i": [None, -3, None, None],
    "b": [None, True, None, None],
    "f": [None, None, 0.5, None],
    "mixed": [None, None, "a", "1"],
    "value": [None, 0.5, 0.5, 0.5],
    "why": ["there are no positives", None, None, None],
    "low": [None, None, 0.25, None],
    "n": [10] * 4,
    "weighted_positives": [4.0, INF, 4.0, 4.0],
    "weighted_negatives": [6.0, 2.0**60, 6.0, 6.0],
    "details": ['{"area": "1152921504606846976"}', None, None, None],
}


def test_polars() -> None:
    frame = Result(ODD, Conventions()).to_polars()
    assert isinstance(frame, pl.DataFrame)
    assert {name: frame[name].to_list() for name in EXPECTED} == EXPECTED
    types = {"u": pl.UInt64, "i": pl.Int64, "b": pl.Boolean, "f": pl.Float64, "mixed": pl.String}
    assert {name: frame.schema[name] for name in types} == types


def test_arrow() -> None:
    table = Result(ODD, Conventions()).to_arrow()
    assert isinstance(table, pa.Table)
    assert {name: table[name].to_pylist() for name in EXPECTED} == EXPECTED
    types = {"u": "uint64", "i": "int64", "b": "bool", "f": "double", "mixed": "string"}
    assert {name: str(table.schema.field(name).type) for name in types} == types


def test_pandas() -> None:
    frame = Result(ODD, Conventions()).to_pandas()
    assert isinstance(frame, pd.DataFrame)
    found = {
        name: [None if pd.isna(value) else value for value in frame[name]] for name in EXPECTED
    }
    assert found == EXPECTED
    types = {"u": "UInt64", "i": "Int64", "b": "boolean", "f": "float64", "n": "int64"}
    assert {name: str(frame[name].dtype) for name in types} == types


@pytest.mark.parametrize("rows", [[], [row()], [row(value=None)]], ids=["none", "one", "no value"])
def test_types_do_not_depend_on_the_rows(rows: list[Row]) -> None:
    result = Result(rows, Conventions(by=(("country",),)))
    types = (
        "text " * 4 + "real text real real whole real " + "whole " * 2 + "real " * 4 + "whole text"
    )
    words = types.split()
    polars = {"text": pl.String, "real": pl.Float64, "whole": pl.Int64}
    assert list(result.to_polars().schema.values()) == [polars[word] for word in words]
    arrow = {"text": "string", "real": "double", "whole": "int64"}
    assert [str(type_) for type_ in result.to_arrow().schema.types] == [arrow[w] for w in words]
    text = "str" if pd.__version__ >= "3" else "object"
    pandas = {"text": text, "real": "float64", "whole": "int64"}
    assert [str(type_) for type_ in result.to_pandas().dtypes] == [pandas[w] for w in words]


# --- wide frames and workbooks --------------------------------------------------------------------
LOG: dict[str, Any] = {
    "y": [0, 1, 0, 1, 0, 1, 1, 0],
    "old": [0.1, 0.2, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8],
    "new": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
    "auc": ["a", "a", "=1+1", "=1+1", *["b\x07\ufffe"] * 4],
    "list": [1, 1, 2, 2, 3, 3, 2**60, 2**60],
}
ROLES: dict[str, Any] = {"label": "y", "score": ["old", "new"], "by": "auc", "cluster": "row"}


def test_a_wide_frame_has_a_line_for_each_score_and_slice() -> None:
    """A column of slices gives way to the metric of its name; ks has no interval, so no columns."""
    result = sy.evaluate(LOG, **ROLES, metrics=["auc", "ks"])
    lines = result.to_arrow(wide=True).to_pylist()
    names = ["score", "by", "slice_auc", "n", "auc", "auc low", "auc high", "ks"]
    assert list(lines[0]) == names
    keys = [None, "=1+1", "a", "b\x07\ufffe"]
    wanted = [(score, key) for score in ("old", "new") for key in keys]
    assert [(line["score"], line["slice_auc"]) for line in lines] == wanted
    for line in lines:
        slice_ = {} if line["by"] == "" else {"auc": line["slice_auc"]}
        for metric in ("auc", "ks"):
            row = result.row(metric, line["score"], slice=slice_)
            assert (line[metric], line["n"]) == (row.value, row.n)
        auc = result.row("auc", line["score"], slice=slice_)
        assert (line["auc low"], line["auc high"]) == (auc.low, auc.high)
    assert result.to_polars(wide=True).to_dicts() == lines
    assert list(result.to_pandas(wide=True)["ks"]) == [line["ks"] for line in lines]
    alone = sy.evaluate(LOG, label="y", score="old", metrics="roc(4)")
    assert alone.to_polars(wide=True).equals(alone.to_polars())  # shapes have no metric columns


def test_a_wide_frame_of_a_comparison_has_a_line_for_each_pair_and_slice() -> None:
    found = sy.compare(LOG, **ROLES, metrics=["auc", "logloss"])
    lines = found.to_polars(wide=True).to_dicts()
    assert len(lines) == 4
    for line in lines:
        assert (line["score"], line["against"]) == ("new", "old")
        slice_ = {} if line["by"] == "" else {"auc": line["auc"]}
        for metric in ("auc", "logloss"):
            row = found.row(metric, slice=slice_)
            for name in ("baseline", "candidate", "difference", "low", "high", "p", "outcome"):
                assert line.get(f"{metric} {name}") == getattr(row, name)
            assert (line["n"], line["share"]) == (row.n, row.share)
    assert list(found.to_pandas(wide=True)["n"]) == [line["n"] for line in lines]


def workbook(path: Any) -> dict[str, list[tuple[Any, ...]]]:
    openpyxl = pytest.importorskip(
        "openpyxl", reason="NO OPENPYXL: workbooks were not checked; make setup installs it"
    )
    book = openpyxl.load_workbook(path)
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


def test_a_workbook_has_all_rows_and_no_formulas(tmp_path: Path) -> None:
    """Text that starts with = is no formula; control characters are escaped; 2**60 is text."""
    pytest.importorskip("openpyxl", reason="NO OPENPYXL: workbooks were not checked")
    path = tmp_path / "result.xlsx"
    result = sy.evaluate(LOG, **ROLES, metrics=["auc", "ks"])
    result.to_excel(path)
    sheets = workbook(path)
    assert list(sheets) == ["wide", "rows", "conventions"]
    header, *lines = sheets["rows"]
    assert header == tuple(result.to_arrow().column_names)
    assert [line[header.index("value")] for line in lines] == [row.value for row in result]
    assert [line[header.index("auc")] for line in sheets["rows"][1:5]] == [
        None,
        None,
        *["=1+1"] * 2,
    ]
    assert any("b\\x07\\ufffe" in line for line in lines)
    assert ("metrics", '{"auc": {}, "ks": {}}') in sheets["conventions"]
    assert ("unscored", '"error"') in sheets["conventions"]


def test_a_workbook_of_a_comparison_has_its_groups(tmp_path: Path) -> None:
    pytest.importorskip("openpyxl", reason="NO OPENPYXL: workbooks were not checked")
    path = tmp_path / "comparison.xlsx"
    roles = {"label": "y", "score": ["old", "new"], "group": "list"}
    found = sy.compare(LOG, **roles, metrics=["mrr"])  # type: ignore[arg-type]
    found.to_excel(path)
    sheets = workbook(path)
    assert list(sheets) == ["wide", "rows", "conventions", "groups"]
    header, *lines = sheets["groups"]
    # The third list is the only one whose order changed: 1/2 → 1.
    assert header[:4] == ("metric", "score", "against", "list")
    assert [(line[3], *line[-3:]) for line in lines] == [
        (1, 1, 1, 0),
        (2, 1, 1, 0),
        (3, 0.5, 1, 0.5),
        (str(2**60), 0.5, 0.5, 0),
    ]
    found.groups().to_excel(path)
    assert [line[0] for line in workbook(path)["rows"]] == ["list", 1, 2, 3, str(2**60)]


def test_without_openpyxl_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    result = sy.evaluate(LOG, label="y", score="old", metrics="auc")
    with pytest.raises(sy.SteelyardError, match="openpyxl is not installed: pip install openpyxl"):
        result.to_excel(tmp_path / "result.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("weight", [np.float32(1e-4), np.float64(1e-4), np.float64(1e-30)])
def test_groups_of_small_weights_have_a_table(weight: np.floating[Any]) -> None:
    """Their unit has more binary places than a column of integers has bits."""
    log = {"y": [0, 1, 0, 1], "s": [0.1, 0.9, 0.4, 0.3], "u": [1, 1, 2, 2]}
    columns = {name: np.array(column) for name, column in log.items()}
    weights = np.full(4, weight)
    found = sy.evaluate(
        {**columns, "w": weights}, label="y", score="s", group="u", weight="w", metrics="gauc"
    )
    table = found.groups()
    assert table is not None
    lines = table.to_csv().splitlines()
    place = lines[0].split(",").index("weight")
    assert [float(line.split(",")[place]) for line in lines[1:]] == [2 * float(weight)] * 2
