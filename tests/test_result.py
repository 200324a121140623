"""Result: look-up, round trips, columns."""

import dataclasses
import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.model import Conventions, Key, Row
from steelyard.report import schema
from steelyard.report.columns import columns
from steelyard.result import Result

INF = float("inf")


def row(metric: str = "auc", score: str = "pctr", value: float | None = 0.5, **fields: Any) -> Row:
    """A row of ten, four of them positive."""
    known: dict[str, Any] = {
        "why": None if value is not None else "there are no positives",
        "n": 10,
        "positives": 4,
        "negatives": 6,
        "weighted_positives": 4,
        "weighted_negatives": 6,
        "prediction_sum": 3.5,
        "weighted_prediction_sum": 3.5,
    }
    return Row(metric=metric, score=score, value=value, **(known | fields))


def sliced(*slices: dict[str, Key], metric: str = "auc", score: str = "pctr") -> list[Row]:
    """The total, 0.5, and slices of 0, 1, 2, ..."""
    values = [row(metric, score, float(place), slice=s) for place, s in enumerate(slices)]
    return [row(metric, score), *values]


# --- look-up -------------------------------------------------------------------------------------


def test_the_total_of_the_only_score_by_any_name() -> None:
    result = Result([*sliced({"country": "DE"}), row("precision(0.3)", value=None)], Conventions())
    assert result["auc"] == result["roc_auc"] == result["auc()"] == 0.5
    assert math.isnan(result["precision(threshold=0.3)"])
    assert result.metrics == ("auc", "precision(0.3)")
    assert result.scores == ("pctr",)
    assert "roc_auc" in result
    assert "ks" not in result


def test_a_metric_of_another_version_is_found_as_it_is_written() -> None:
    assert Result([row("future(3)~")], Conventions())["future(3)~"] == 0.5


WORDS = sliced(
    {"country": "DE"},
    {"country": ""},
    {"country": None},
    {"country": "null"},
    {"hour": "3"},
    {"hour": "03"},
    {"id": 3},
    {"id": 2**60},
    {"share": 0.5},
    {"mobile": True},
    {"country": "DE", "hour": 3},
    {"hour": 3, "country": "US"},
)

# The keys that are asked for, and the place of the slice that they find.
FOUND: list[tuple[dict[str, Any], int, str]] = [
    ({"country": "DE"}, 0, "a word"),
    ({"country": ""}, 1, "the empty word is a word"),
    ({"country": None}, 2, "a missing key"),
    ({"country": "null"}, 3, "a word that looks like a missing key"),
    ({"hour": 3}, 4, "a number finds the word"),
    ({"hour": "03"}, 5, "zeros in front are part of a word"),
    ({"id": "3"}, 6, "a word finds the number"),
    ({"id": 3.0}, 6, "equal numbers"),
    ({"id": 2**60}, 7, "beyond 2**53"),
    ({"share": "0.5"}, 8, "a float by its text"),
    ({"mobile": "true"}, 9, "true by its text"),
    ({"mobile": True}, 9, "true itself"),
    ({"country": "DE", "hour": 3}, 10, "two columns crossed"),
    ({"hour": "3", "country": "DE"}, 10, "in any order, one by its text"),
    ({"country": "US", "hour": 3}, 11, "in any order"),
]


@pytest.mark.parametrize(("keys", "place", "why"), FOUND, ids=[why for _, _, why in FOUND])
def test_slices_are_found(keys: dict[str, Any], place: int, why: str) -> None:
    result = Result(WORDS, Conventions())
    assert result.value("auc", **keys) == place
    assert result.row("auc", slice=keys) is WORDS[place + 1]


def test_columns_whose_names_are_no_keywords() -> None:
    rows = sliced({"ad slot": 3}, {"score": "a"}, {"slice": "b"}, {"metric": "c"})
    result = Result(rows, Conventions())
    assert result.value("auc", slice={"ad slot": 3}) == 0
    assert result.value("auc", slice={"score": "a"}) == 1
    assert result.value("auc", slice={"slice": "b"}) == 2
    assert result.value("auc", metric="c") == 3


def test_scores_by_name() -> None:
    rows = [*sliced({"country": "DE"}, score="old"), row(score="new", value=0.9)]
    result = Result(rows, Conventions())
    assert result.scores == ("old", "new")
    assert result.value("auc", score="new") == result.value("auc", "new") == 0.9
    assert result.value("auc", score="old", country="DE") == 0


THREE = Result(
    [
        *sliced({"country": "DE"}, {"country": "BR"}, {"country": "DE", "device": "phone"}),
        *sliced({"country": "DE"}, score="old"),
    ],
    Conventions(),
)

# What is asked for that is not there, and a part of the answer; test_errors has the sentences.
ABSENT: list[tuple[Callable[[], Any], str]] = [
    (lambda: THREE["auc"], "result.value('auc', score='pctr')"),
    (lambda: THREE.value("ks"), "it holds auc"),
    (lambda: THREE.value("aucc"), "did you mean auc"),
    (lambda: THREE.value("auc", score="nev"), "it has 'pctr', 'old'"),
    (lambda: THREE.value("auc", "pctr", city="x"), "by country and by country, device;"),
    (lambda: THREE.value("auc", "pctr", device="phone"), "not sliced by device"),
    (lambda: THREE.value("auc", "pctr", country="de"), "did you mean country='DE'."),
    (lambda: THREE.value("auc", "pctr", country="Austria"), "country='DE' · country='BR'."),
    (lambda: THREE.value("auc", "pctr", country=None), "there are country='DE'"),
    (
        lambda: THREE.value("auc", "pctr", device="phones", country="DE"),
        "did you mean device='phone', country='DE'.",
    ),
    (lambda: Result([row()], Conventions()).value("auc", a=1), "it has the total alone"),
    (lambda: Result([], Conventions())["auc"], "this result has no auc"),
]


@pytest.mark.parametrize(("ask", "answer"), ABSENT)
def test_what_is_not_there(ask: Callable[[], Any], answer: str) -> None:
    with pytest.raises(sy.SpecError) as caught:
        ask()
    assert answer in str(caught.value)


def test_many_slices_are_not_all_listed() -> None:
    slices: list[dict[str, Key]] = [{"id": key} for key in range(100, 120)]
    result = Result(sliced(*slices), Conventions())
    with pytest.raises(sy.SpecError, match=r"there are id=100 .* id=107 and 12 more"):
        result.value("auc", id=7)


def test_equality_is_by_rows_and_conventions() -> None:
    result = Result([row()], Conventions())
    assert result == Result((row(),), Conventions())
    assert result != Result([row(value=0.6)], Conventions())
    assert result != Result([row()], Conventions(nan="drop"))
    assert result != [row()]
    assert pickle.loads(pickle.dumps(result)) == result
    assert list(result) == [row()]
    assert len(result) == 1
    assert row() in result


# --- JSON ----------------------------------------------------------------------------------------

floats = st.floats(allow_nan=False)
wide = st.integers(-(2**70), 2**70) | st.sampled_from([2**53, 2**53 + 1, -(2**53), -(2**53) - 1])
counts = wide.map(abs)
sums = counts | floats.map(abs)
LIKE_NUMBERS = ["inf", "-inf", "nan", "9" * 20, "-" + "8" * 16, "\\inf", "\\\\nan"]
words = st.text(max_size=3) | st.sampled_from(LIKE_NUMBERS)
keys = st.none() | st.booleans() | wide | floats | words
anything = st.recursive(
    keys,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(words, inner, max_size=2),
    max_leaves=4,
)
typed_keys = {
    "s": st.none() | words,
    "b": st.none() | st.booleans(),
    "i": st.none() | wide,
    "n": st.none() | wide | floats,
    "any": keys,
}
slices = st.fixed_dictionaries({}, optional=typed_keys)
rows = st.builds(
    Row,
    metric=words,
    score=words,
    value=st.none() | floats,
    why=st.none() | words,
    n=counts,
    positives=counts,
    negatives=counts,
    weighted_positives=sums,
    weighted_negatives=sums,
    prediction_sum=floats,
    weighted_prediction_sum=floats,
    dropped=counts,
    low=st.none() | floats,
    high=st.none() | floats,
    slice=slices,
    details=st.dictionaries(words, anything, max_size=2),
)
texts = st.dictionaries(words, words, max_size=2)
conventions = st.builds(
    Conventions,
    nan=words,
    positive=keys,
    preset=st.none() | words,
    roles=texts,
    scores=texts,
    score_types=texts,
    by=st.lists(st.lists(words, max_size=2).map(tuple), max_size=2).map(tuple),
    metrics=st.dictionaries(words, st.dictionaries(words, anything, max_size=2), max_size=2),
)
results = st.builds(Result, st.lists(rows, max_size=3), conventions)


def exact(value: Any) -> Any:
    """A form in which 1, 1.0 and True are three, and −0.0 is not 0.0."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [exact(inner) for inner in value]
    return type(value), repr(value)


def refused(name: str) -> None:
    raise AssertionError(name)


@given(results, st.none() | st.integers(0, 2))
def test_json_and_back_type_for_type(result: Result, indent: int | None) -> None:
    text = result.to_json(indent=indent)
    assert text.isascii()
    data = json.loads(text, parse_constant=refused)  # strict: no NaN, no Infinity
    assert data == result.to_dict()
    again = Result.from_json(text)
    assert again == result
    assert exact(again.rows) == exact(result.rows)
    assert exact(again.conventions) == exact(result.conventions)
    assert Result.from_dict(result.to_dict()) == Result.from_json(text.encode()) == result


def integers(data: Any) -> list[int]:
    if isinstance(data, dict | list):
        inner = data.values() if isinstance(data, dict) else data
        return [number for part in inner for number in integers(part)]
    return [data] if isinstance(data, int) else []


@given(results)
def test_no_integer_in_json_is_beyond_what_others_read_exactly(result: Result) -> None:
    assert all(abs(number) <= 2**53 for number in integers(json.loads(result.to_json())))


def test_the_schema_by_hand() -> None:
    one = row(
        value=None,
        n=2**53 + 1,
        weighted_positives=2**53,
        weighted_negatives=INF,
        prediction_sum=-INF,
        dropped=2,
        slice={"id": 2**53 + 1, "flag": None},
        details={"area": -(2**53) - 1, "rule": "inf", "used": [1, 2.0]},
    )
    how = Conventions(nan="drop", positive="1", scores={"pctr": "p / 2"}, by=(("id", "flag"),))
    assert Result([one], how).to_dict() == {
        "schema": "steelyard.result/1",
        "conventions": {
            "nan": "drop",
            "positive": "1",
            "preset": None,
            "roles": {},
            "scores": {"pctr": "p / 2"},
            "score_types": {},
            "by": [["id", "flag"]],
            "metrics": {},
        },
        "slices": {"id": "integer", "flag": "string"},
        "rows": [
            {
                "metric": "auc",
                "score": "pctr",
                "slice": {"id": "9007199254740993", "flag": None},
                "value": None,
                "why": "there are no positives",
                "low": None,
                "high": None,
                "n": "9007199254740993",
                "positives": 4,
                "negatives": 6,
                "weighted_positives": 9007199254740992,
                "weighted_negatives": "inf",
                "prediction_sum": "-inf",
                "weighted_prediction_sum": 3.5,
                "dropped": 2,
                "details": {"area": "-9007199254740993", "rule": "\\inf", "used": [1, 2.0]},
            }
        ],
    }


def test_the_schema_has_every_field() -> None:
    for record, kinds in ((Row, schema.ROW), (Conventions, schema.CONVENTIONS)):
        assert {field.name for field in dataclasses.fields(record)} == set(kinds)


def without(part: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["rows"][0].pop(part)


def with_(part: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["rows"][0].update({part: value})


DAMAGE: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda data: data.pop("schema"), 'no "schema"'),
    (lambda data: data.update(schema="steelyard.result/2"), "'steelyard.result/2'"),
    (lambda data: data.update(schema=None), "schema None"),
    (lambda data: data.pop("rows"), "rows is not there or not a list"),
    (lambda data: data.pop("conventions"), "conventions is not there or not an object"),
    (lambda data: data.pop("slices"), "slices is not"),
    (lambda data: data["slices"].update(id="date"), "slices.id"),
    (lambda data: data["slices"].pop("id"), "slices.id"),
    (lambda data: data["rows"].append(None), "rows[1]"),
    (lambda data: data["conventions"].update(by=["id"]), "conventions.by"),
    (lambda data: data["conventions"].update(roles={"where": 3}), "conventions.roles"),
    (without("n"), "rows[0].n is not there or not a whole number"),
    (without("why"), "rows[0].why is not there or not a string or null"),
    (with_("n", 1.5), "rows[0].n"),
    (with_("n", True), "rows[0].n"),
    (with_("n", "12"), "rows[0].n"),
    (with_("n", "inf"), "rows[0].n"),
    (with_("value", "high"), "rows[0].value"),
    (with_("prediction_sum", None), "rows[0].prediction_sum"),
    (with_("prediction_sum", "9" * 400), "rows[0].prediction_sum"),
    (with_("metric", 3), "rows[0].metric"),
    (with_("slice", {"id": "x"}), "rows[0].slice.id"),
    (with_("slice", []), "rows[0].slice"),
    (with_("details", []), "rows[0].details"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGE)
def test_a_damaged_result_is_refused(damage: Callable[[dict[str, Any]], object], said: str) -> None:
    data = Result([row(slice={"id": 3})], Conventions()).to_dict()
    damage(data)
    with pytest.raises(sy.SourceError) as caught:
        Result.from_dict(data)
    assert said in str(caught.value)
    with pytest.raises(sy.SourceError) as again:
        Result.from_json(json.dumps(data))
    assert str(again.value) == str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", "null", '{"schema": NaN}', b"\xff\xfe\xff", "[" * 100_000, "9" * 9999],
)
def test_what_is_no_result_is_refused(text: str | bytes) -> None:
    with pytest.raises(sy.SourceError, match="not a steelyard result"):
        Result.from_json(text)


@pytest.mark.parametrize("cut", [1, 40, 300])
def test_a_result_cut_short_is_refused(cut: int) -> None:
    with pytest.raises(sy.SourceError, match="it is not JSON"):
        Result.from_json(Result([row()], Conventions()).to_json()[:-cut])


def test_fields_from_later_versions_are_passed_over_and_later_fields_may_be_absent() -> None:
    data = Result([row()], Conventions()).to_dict()
    data["rows"][0]["later"] = data["later"] = 1
    for name in ("dropped", "low", "high", "slice", "details"):
        del data["rows"][0][name]
    data["conventions"] = {}
    assert Result.from_dict(data) == Result([row()], Conventions())


def test_files(tmp_path: Path) -> None:
    result = Result(sliced({"country": "München"}), Conventions())
    text = result.to_json(tmp_path / "r.json")
    assert (tmp_path / "r.json").read_text() == text + "\n"
    assert Result.from_json((tmp_path / "r.json").read_bytes()) == result
    assert (tmp_path / "r.csv", result.to_csv(tmp_path / "r.csv"))[0].read_bytes().endswith(b"\n")
    result.to_markdown(tmp_path / "r.md")
    assert "München" in (tmp_path / "r.md").read_text(encoding="utf-8")


def test_an_evaluation_goes_there_and_back() -> None:
    result = sy.evaluate(label=["y", "n", "y"], score=[0.1, 0.2, None], positive="y", nan="drop")
    again = Result.from_json(result.to_json())
    assert again == result
    assert again.conventions.positive == "y"
    assert again.conventions.metrics["precision"] == {"threshold": 0.5}
    assert again.row("auc").dropped == 1


# --- columns and frames --------------------------------------------------------------------------

NAMES = [
    *("metric", "score", "by", "value", "why", "low", "high", "n", "positives", "negatives"),
    *("weighted_positives", "weighted_negatives", "prediction_sum", "weighted_prediction_sum"),
    *("dropped", "details"),
]


def test_the_columns_are_all_fields_and_the_slices() -> None:
    result = Result(
        sliced({"country": "DE"}, {"country": None, "device": "tv"}),
        Conventions(by=(("country",), ("country", "device"), ("hour",))),
    )
    laid = columns(result.rows, result.conventions)
    assert list(laid) == [*NAMES[:3], "country", "device", "hour", *NAMES[3:]]
    assert laid["by"].values == ["", "country", "country,device"]
    assert laid["country"].values == [None, "DE", None]
    assert laid["device"].values == [None, None, "tv"]
    assert laid["hour"] == ("text", [None, None, None])
    assert {field.name for field in dataclasses.fields(Row)} - {"slice"} <= set(laid)


def test_a_slice_that_is_called_like_a_field() -> None:
    rows = sliced({"n": 1}, {"slice_n": 2}, {"details": 3})
    laid = columns(rows, Conventions())
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
    laid = columns([row(slice={"key": key}) for key in keys], Conventions())
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
    types = "text " * 4 + "real text real real " + "whole " * 3 + "real " * 4 + "whole text"
    words = types.split()
    polars = {"text": pl.String, "real": pl.Float64, "whole": pl.Int64}
    assert list(result.to_polars().schema.values()) == [polars[word] for word in words]
    arrow = {"text": "string", "real": "double", "whole": "int64"}
    assert [str(type_) for type_ in result.to_arrow().schema.types] == [arrow[w] for w in words]
    text = "str" if pd.__version__ >= "3" else "object"
    pandas = {"text": text, "real": "float64", "whole": "int64"}
    assert [str(type_) for type_ in result.to_pandas().dtypes] == [pandas[w] for w in words]
