"""Results as JSON, and back, type for type."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.model import Conventions, Row
from steelyard.report import display, schema
from steelyard.result.result import Result
from tests.shell.result_rows import INF, results, row, sliced


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
    how = Conventions(
        nan="drop",
        positive="1",
        scores={"pctr": "p / 2"},
        by=(("id", "flag"),),
        group=("user", "day"),
    )
    assert Result([one], how).to_dict() == {
        "schema": "steelyard.result/1",
        "conventions": {
            "reads": "score",
            "nan": "drop",
            "rows": "common",
            "unscored": "error",
            "positive": "1",
            "preset": None,
            "classes": [],
            "downsampled": None,
            "clip": None,
            "confidence": None,
            "bootstrap": None,
            "roles": {},
            "scores": {"pctr": "p / 2"},
            "score_types": {},
            "not_probabilities": [],
            "by": [["id", "flag"]],
            "group": ["user", "day"],
            "cluster": None,
            "metrics": {},
            "pictures": [],
            "selection": {},
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
                "weight": 10,
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
        "shapes": [],
    }


def test_the_schema_has_every_field() -> None:
    for record, kinds in ((Row, schema.ROW_FIELDS), (Conventions, schema.CONVENTION_FIELDS)):
        assert {field.name for field in dataclasses.fields(record)} == set(kinds)


def without(part: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["rows"][0].pop(part)


def with_(part: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["rows"][0].update({part: value})


def mixed_key(key: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.update(
        slices={"id": "mixed"}, rows=[{**data["rows"][0], "slice": {"id": key}}]
    )


def selection(found: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["conventions"].update(selection=found)


SELECTED: list[Any] = [  # none of them says how many slices there are and how many are shown
    [],
    {"top": 1},
    {"top": 1, "slices": 4},
    {"slices": "x", "slices_shown": 1},
    {"slices": 4, "slices_shown": 1.5},
    {"slices": 4, "slices_shown": 1, "top": "x"},
    {"slices": 4, "slices_shown": 1, "sort": 3},
]
DAMAGE: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda data: data.pop("schema"), 'no "schema"'),
    (lambda data: data.update(schema="steelyard.result/2"), "'steelyard.result/2'"),
    (lambda data: data.update(schema=None), "schema None"),
    (lambda data: data.pop("rows"), "rows is missing or not a list"),
    (lambda data: data.pop("conventions"), "conventions is missing or not an object"),
    (lambda data: data.pop("slices"), "slices is missing or not"),
    (lambda data: data["slices"].update(id="date"), "slices.id"),
    (lambda data: data["slices"].pop("id"), "slices.id"),
    (lambda data: data["rows"].append(None), "rows[1]"),
    (lambda data: data["conventions"].update(by=["id"]), "conventions.by"),
    (lambda data: data["conventions"].update(roles={"where": 3}), "conventions.roles"),
    (without("n"), "rows[0].n is missing or not a whole number"),
    (without("why"), "rows[0].why is missing or not a string or null"),
    (with_("n", 1.5), "rows[0].n"),
    (with_("n", True), "rows[0].n"),
    (with_("n", "12"), "rows[0].n"),
    (with_("n", "inf"), "rows[0].n"),
    (with_("value", "high"), "rows[0].value"),
    (with_("prediction_sum", "none"), "rows[0].prediction_sum"),
    (with_("prediction_sum", "9" * 400), "rows[0].prediction_sum"),
    (with_("metric", 3), "rows[0].metric"),
    (with_("slice", {"id": "x"}), "rows[0].slice.id"),
    (with_("slice", []), "rows[0].slice"),
    (with_("details", []), "rows[0].details"),
    *((with_("details", {name: []}), "rows[0].details.") for name in schema.DETAILS),
    (with_("details", {"cost": "9" * 400}), "rows[0].details.cost is missing or not a number"),
    (with_("details", {"threshold": None}), "rows[0].details.threshold"),
    (with_("details", {"freedom": "x"}), "rows[0].details.freedom is missing or not a number"),
    (with_("value", "nan"), "rows[0].value is missing or not a number or null"),
    (with_("low", 0.25), "rows[0].low is missing or not a number that is at most high"),
    (lambda data: data["rows"][0].update(low=0.5, high=0.25), "rows[0].low"),
    (lambda data: data["rows"][0].update(low=0.25, high=0.5, value=None), "in a row with a value"),
    (lambda data: data["rows"].append(data["rows"][0]), "rows[1] is missing or not the only one"),
    (lambda data: data["conventions"].update(metrics={"auc": []}), "conventions.metrics"),
    (lambda data: data["conventions"].update(metrics={"f1": {"x": {}}}), "conventions.metrics"),
    (lambda data: data["conventions"].update(reads="x"), "conventions.reads"),
    (lambda data: data["conventions"].update(reads=[]), "conventions.reads"),
    (lambda data: data["conventions"].update(positive=[1]), "conventions.positive"),
    (lambda data: data["conventions"].update(classes=[[1]]), "conventions.classes"),
    (mixed_key([1]), "rows[0].slice.id is missing or not a string, a number"),
    *((selection(found), "conventions.selection is missing or not") for found in SELECTED),
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


def test_details_that_tables_show_are_checked() -> None:
    shown = {*display.DETAIL_LABELS, *display.COUNT_LABELS, *display.CLASS_LABELS, "threshold"}
    assert shown < set(schema.DETAILS)


def test_a_result_is_written_to_files(tmp_path: Path) -> None:
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


def test_classes_that_look_like_numbers_are_text_again() -> None:
    """Among the labels of a shape, and among the classes that are never true or never predicted."""
    log = {"true": ["9" * 20, "a", "b", "\\inf"], "called": ["a", "a", "b", "nan"]}
    found = sy.evaluate(log, label="true", prediction="called", metrics=["f1(macro)", "confusion"])
    assert found.row("f1(macro)").details["never_true"]["first"] == ["nan"]
    assert Result.from_json(found.to_json()) == found
    assert Result.from_json(found.to_json()).to_json() == found.to_json()


LEFT = {"y": [0, 1], "s": [0.1, 0.2], "user": [1, 2], "day": ["fri", "sat"], "w": [1.0, 2.0]}


def test_damaged_details_of_groups_are_refused() -> None:
    """When they are read, and not when they are printed."""
    result = sy.evaluate(LEFT, label="y", score="s", group="user", metrics="gauc", by="day")
    damages: list[Any] = [
        {"groups": 2},
        {"groups": None},
        {"groups": 2, "groups_used": 3, "rows_used": 1},
        {"classes_used": 1},
        {"classes_used": 3, "classes": 2},
        {"p_value": []},
    ]
    for details in damages:
        data = result.to_dict()
        data["rows"][0]["details"] = details
        with pytest.raises(sy.SourceError, match="is damaged"):
            sy.Result.from_dict(data)


@pytest.mark.parametrize("used", ["groups_used", "rows_used"])
def test_a_shape_with_more_groups_than_there_are_is_refused(used: str) -> None:
    """A share of 10^300 and more of something cannot be printed."""
    roles: dict[str, Any] = {"label": "y", "score": "s", "group": "user"}
    log = {**LEFT, "user": [1, 1]}
    result = sy.evaluate(log, metrics="gauc", shapes=True, **roles)
    data = result.to_dict()
    shape = next(row["shape"] for row in data["shapes"] if row["kind"] == "group_values")
    shape[used] = 10**300
    with pytest.raises(sy.SourceError, match="the fields of a group_values"):
        sy.Result.from_dict(data)


Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def test_a_result_is_read_from_its_path(tmp_path: Path) -> None:
    result = sy.evaluate(label=Y, score=S, metrics="auc")
    path = tmp_path / "now.json"
    path.write_text(result.to_json())
    for written in (path, str(path), result.to_json(), result.to_json().encode()):
        assert sy.Result.from_json(written) == result
    with pytest.raises(sy.SourceError, match=r"there is no file '.*none\.json'"):
        sy.Result.from_json(str(tmp_path / "none.json"))
    path.write_text("{}")
    with pytest.raises(sy.SourceError, match=r"now\.json' cannot be read"):
        sy.Result.from_json(path)
