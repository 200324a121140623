"""A value has one key, whatever its source: states of two sources merge, or are refused."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from itertools import combinations
from json import dumps
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

import steelyard as sy

VALUES: dict[str, tuple[Any, Any]] = {
    "whole numbers": (7, 8),
    "large whole numbers": (2**53, 2**53 + 1),
    "fractions": (0.5, 2.0),
    "booleans": (False, True),
    "text": ("a", "b"),
    "text of digits": ("007", "7"),
    "decimals": (Decimal("1.50"), Decimal("2.00")),
    "long decimals": (Decimal("0.1234567890123456789"), Decimal("0.1234567890123456788")),
    "days": (date(2024, 2, 29), date(2024, 3, 1)),
    "times": (datetime(2024, 2, 29, 1, 2, 3), datetime(2024, 3, 1)),
    "fractions of a second": (datetime(2024, 2, 29, 1, 2, 3, 120_000), datetime(2024, 3, 1)),
    "times with a zone": (datetime(2024, 2, 29, 1, tzinfo=UTC), datetime(2024, 3, 1, tzinfo=UTC)),
    "times of day": (time(1, 2, 3), time(4)),
}


def table(values: tuple[Any, Any]) -> Any:
    return pyarrow.table({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.8, 0.3], "k": [*values, *values]})


def parquet(values: tuple[Any, Any]) -> str:
    pyarrow.parquet.write_table(table(values), "t.parquet")
    return "t.parquet"


def csv(values: tuple[Any, Any]) -> str:
    pyarrow.csv.write_csv(table(values), "t.csv")
    return "t.csv"


def json(values: tuple[Any, Any]) -> str:
    lines = (dumps(row, default=str) for row in table(values).to_pylist())
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "t.jsonl"


def days_of(values: tuple[Any, Any]) -> Any:
    """NumPy's own dates, where the values are dates."""
    array = np.array([*values, *values])
    if (
        array.dtype.kind == "O"
        and isinstance(values[0], date)
        and not isinstance(values[0], datetime)
    ):
        array = array.astype("M8[D]")
    return {"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.8, 0.3], "k": array}


SOURCES: dict[str, Callable[[tuple[Any, Any]], Any]] = {
    "Parquet": parquet,
    "CSV": csv,
    "JSON": json,
    "Arrow": table,
    "Polars": lambda values: polars.from_arrow(table(values)),
    "pandas": lambda values: table(values).to_pandas(),
    "lists": lambda values: table(values).to_pydict(),
    "NumPy": days_of,
}


def state(source: Any, **roles: Any) -> Any:
    return sy.state(source, **{"label": "y", "score": "s", "metrics": "auc"} | roles)


def slices(made: Any) -> list[Any]:
    return [row.slice["k"] for row in made.result().rows if row.slice]


@pytest.mark.parametrize("kind", VALUES)
def test_equal_values_are_one_slice_or_refused(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = {name: state(make(VALUES[kind]), by="k") for name, make in SOURCES.items()}
    refused = []
    for left, right in combinations(SOURCES, 2):
        if (left, right) == ("CSV", "JSON"):  # text as somebody wrote it
            continue
        try:
            merged = slices(sy.merge(made[left], made[right]))
        except sy.StateError:
            refused.append((left, right))
            continue
        assert len(merged) == 2, (left, right, merged)
        assert merged == slices(made[left]) or merged == slices(made[right])
    typed = set(SOURCES) - {"CSV", "JSON"}
    if kind == "times of day":  # in Parquet they have a zone, if PyArrow 18 writes them
        typed -= {"Parquet"}
    assert not [pair for pair in refused if typed.issuperset(pair)], refused


@pytest.mark.parametrize("roles", [{"by": "k"}, {"metrics": "field_ece(k)"}])
def test_the_refusal_does_not_depend_on_the_order(
    roles: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    numbers, text = (state(make((7, 8)), **roles) for make in (parquet, csv))
    nothing = state({"y": [1], "s": [0.5], "k": [None]}, **roles)
    for states in ((numbers, text), (text, numbers), (nothing, text, numbers)):
        with pytest.raises(sy.StateError, match=r"k has keys that are (numbers|text) in one state"):
            sy.merge(*states)
    sy.merge(numbers, nothing, numbers)
    named = {key: value.replace("k", "k::VARCHAR") for key, value in roles.items() if key == "by"}
    if named:
        merged = sy.merge(*(state(make((7, 8)), **named) for make in (parquet, csv)))
        assert [row.slice["k::VARCHAR"] for row in merged.result().rows if row.slice] == ["7", "8"]


def test_the_spelling_does_not_depend_on_the_order_of_rows() -> None:
    for keys in ([7.0, 7, True, 1], [7, 7.0, 1, True]):
        made = state({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.8, 0.3], "k": keys}, by="k")
        assert [repr(key) for key in slices(made)] == ["1", "7"]


def test_states_of_csv_and_parquet_do_not_split_a_key(folder: Path) -> None:
    """As two keys, 7 would be two slices, and field_ece 0.525 instead of 0.4."""
    asked: list[dict[str, Any]] = [{"by": "h", "metrics": "auc"}, {"metrics": "field_ece(h)"}]
    Path("t.csv").write_text("y,s,h\n1,0.9,7\n0,0.3,8\n", encoding="utf-8")
    pyarrow.parquet.write_table(
        pyarrow.table({"y": [0, 1], "s": [0.5, 0.4], "h": [7, 8]}), "t.parquet"
    )
    for roles in asked:
        text, numbers = (
            sy.state(f"t.{end}", label="y", score="s", **roles) for end in ("csv", "parquet")
        )
        with pytest.raises(sy.StateError, match=r"h has keys that are (text|numbers) in one state"):
            sy.merge(text, numbers)
    both = [
        sy.state(f"t.{end}", label="y", score="s", by="h::BIGINT") for end in ("csv", "parquet")
    ]
    rows = sy.merge(*both).result().rows
    assert {row.slice["h::BIGINT"]: row.n for row in rows if row.slice} == {7: 2, 8: 2}


def test_classes_of_csv_and_parquet_do_not_split(folder: Path) -> None:
    Path("t.csv").write_text("y,p\n1,1\n2,1\n", encoding="utf-8")
    pyarrow.parquet.write_table(pyarrow.table({"y": [1, 2], "p": [2, 2]}), "t.parquet")
    states = [
        sy.state(f"t.{end}", label="y", prediction="p", metrics=["accuracy", "balanced_accuracy"])
        for end in ("csv", "parquet")
    ]
    assert sy.merge(*states).result()["accuracy"] == 0.5  # of recall 1/2 and 1/2
    assert sy.merge(*states).result()["balanced_accuracy"] == 0.5


def test_days_and_times_are_not_one_key() -> None:
    day = {"y": [1], "s": [0.5], "k": ["2024-02-29"]}
    states = [
        sy.state(day | {"k": keys}, label="y", score="s", by="k", metrics="prevalence")
        for keys in (["2024-02-29"], ["2024-02-29 00:00:00"], ["2024-02-29T00:00:00"], ["unknown"])
    ]
    *times, text = states
    for left, right in combinations(times, 2):
        with pytest.raises(sy.StateError, match=r"k has keys that are .* name the type in both"):
            sy.merge(left, right)
    assert [len(sy.merge(each, text).result().rows) for each in times] == [3, 3, 3]


Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def test_the_advice_of_a_refused_merge_can_be_typed(tmp_path: Path) -> None:
    rows = pandas.DataFrame({"y": Y, "pctr": np.array(S, "f4"), "user": [7, 7, 8, 8]})
    files = [str(tmp_path / "a.csv"), str(tmp_path / "a.parquet")]
    rows.to_csv(files[0], index=False)
    rows.to_parquet(files[1])

    def merged(**options: Any) -> Any:
        return sy.merge(*(sy.state(file, label="y", **options) for file in files)).result()

    for wrong, advised in [
        ({"score": "pctr", "metrics": "auc"}, ("score", "pctr::FLOAT")),
        (
            {"score": "pctr::FLOAT", "metrics": "field_ece(user)"},
            ("metrics", 'field_ece("user::VARCHAR")'),
        ),
        (
            {"score": "pctr::FLOAT", "metrics": "gauc", "group": "user"},
            ("group", "user::VARCHAR"),
        ),
        ({"score": "pctr::FLOAT", "metrics": "auc", "by": "user"}, ("by", "user::VARCHAR")),
    ]:
        option, value = advised
        with pytest.raises(sy.StateError, match=re.escape(f"in both, as in {value}.")):
            merged(**wrong)
        assert merged(**{**wrong, option: value}).rows[0].n == 8
