"""The rows of a result as columns: a row is made when it is read, and equals the one given."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.model import Conventions, Row, Undefined
from steelyard.report.columns import typed_columns
from steelyard.report.formats import FORMATS
from steelyard.report.groups import GroupTable
from steelyard.report.tables import TablesOnRequest
from steelyard.result import sections as columnar
from steelyard.result.metric_column import ABSENT
from steelyard.result.result import LIMIT, Result
from steelyard.result.result_rows import ResultRows
from steelyard.result.sections import ColumnSection, MetricValues
from tests.shell.result_rows import row, sliced

NONE = "there are no positives"
SLICED = Conventions(by=(("id",),))


def values(*numbers: float | None, **details: Any) -> MetricValues:
    whys = {place: NONE for place, number in enumerate(numbers) if number is None}
    return MetricValues(np.array([np.nan if n is None else n for n in numbers]), whys, details)


TOTAL = ColumnSection(
    "new",
    (),
    [()],
    {"n": [30], "weight": [30], "positives": [7], "negatives": [23]},
    {"auc": values(0.75), "gauc": values(0.5, groups=[3], groups_used=[2], rows_used=[9])},
)
BY = ColumnSection(
    "new",
    ("country",),
    [("DE",), (None,), ("BR",)],
    {
        "n": np.array([10, 20, 0]),
        "weight": [10, 20.5, 0],
        "positives": [4, 3, 0],
        "negatives": [6, 17, 0],
        "dropped": [0, 1, 0],
    },
    {
        "auc": values(0.25, float("inf"), None),
        "gauc": values(
            None,
            -0.0,
            None,
            groups=[3, 2, ABSENT],
            groups_used=[1, 2, ABSENT],
            rows_used=np.array([4, 8, 0]),
        ),
    },
)
COUNTED: dict[str, Any] = {"score": "new", "negatives": 6, "n": 10, "weight": 10, "positives": 4}
GERMANY = [
    Row("auc", value=0.25, why=None, slice={"country": "DE"}, **COUNTED),
    Row(
        "gauc",
        value=None,
        why=NONE,
        slice={"country": "DE"},
        details={"groups": 3, "groups_used": 1, "rows_used": 4},
        **COUNTED,
    ),
]
ALL = ResultRows([TOTAL, BY])
PLAIN = tuple(ALL)


def many(count: int, score: str = "new") -> ResultRows:
    """A total and so many slices of three metrics."""
    each = np.arange(count)
    total = {"n": [count], "positives": [1], "negatives": [1]}
    of_each = {"n": each, "positives": each // 2, "negatives": each - each // 2}
    metrics = ("auc", "copc", "logloss")
    return ResultRows(
        [
            ColumnSection(score, (), [()], total, {name: values(0.5) for name in metrics}),
            ColumnSection(
                score,
                ("id",),
                [(key,) for key in range(count)],
                of_each,
                {name: MetricValues(each / count) for name in metrics},
            ),
        ]
    )


# --- rows of columns -----------------------------------------------------------------------------


def test_rows_are_those_of_the_columns() -> None:
    assert list(ALL[2:4]) == GERMANY
    assert ALL[2:4] == tuple(GERMANY)
    assert [(r.metric, r.slice.get("country", "total")) for r in ALL] == [
        (metric, place) for place in ("total", "DE", None, "BR") for metric in ("auc", "gauc")
    ]


def test_values_are_pythons_own() -> None:
    missing = ALL[-2]
    assert (missing.value, missing.why, missing.n, missing.dropped) == (None, NONE, 0, 0)
    assert ALL[-1].details == {"rows_used": 0}
    for one in ALL:
        assert type(one.n) is int
        assert type(one.value) in (float, type(None))
        assert all(type(detail) is int for detail in one.details.values())
    assert [type(r.weight) for r in ALL[2::2]] == [int, float, int]
    assert ALL[0].prediction_sum is ALL[0].low is None


@pytest.mark.parametrize("place", range(-8, 8))
def test_a_row_by_its_place(place: int) -> None:
    assert ALL[place] == PLAIN[place]


@pytest.mark.parametrize("place", [8, -9])
def test_a_position_beyond_the_rows_is_an_index_error(place: int) -> None:
    with pytest.raises(IndexError):
        ALL[place]


places = st.none() | st.integers(-10, 10)


@given(places, places, places.filter(lambda step: step != 0))
def test_slices_are_those_of_a_tuple(start: int | None, stop: int | None, step: int | None) -> None:
    assert ALL[start:stop:step] == PLAIN[start:stop:step]


def test_equality_and_repr_are_those_of_a_tuple() -> None:
    assert repr(ALL) == repr(PLAIN)
    assert ALL == PLAIN
    assert PLAIN == ALL
    assert list(PLAIN) == ALL
    assert PLAIN[1:] != ALL
    assert (*PLAIN[:-1], row()) != ALL
    assert ALL != 8
    assert len(ALL) == 8
    assert PLAIN[3] in ALL
    assert row() not in ALL


def test_without_slices_there_are_no_rows() -> None:
    empty = ResultRows([ColumnSection("new", ("id",), [], {"n": []}, {"auc": values()})])
    assert (len(empty), list(empty), empty.sections) == (0, [], ())
    assert empty == ResultRows.of([]) == ()


@pytest.mark.parametrize("count", [1, 1023, 1024, 1025, 2500])
def test_rows_are_made_some_at_a_time(count: int) -> None:
    rows = many(count)
    assert [r.slice.get("id") for r in rows[3::3]] == list(range(count))
    assert rows[3 * count + 2] == rows[-1] == list(rows)[-1]


def test_pickled_rows_are_the_same() -> None:
    result = Result(ALL, Conventions())
    result.value("auc", country="DE")
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert again.rows.sections[1].values["gauc"].details["groups"][2] is ABSENT
    assert "_places" not in vars(again.rows.sections[1])


def test_details_that_some_slices_have_keep_their_order() -> None:
    details = [{"a": 1, "c": 2}, {"a": 3, "b": 4, "c": 5}]
    found = MetricValues.of([0.5, Undefined(NONE)], details)
    assert list(found.details) == ["a", "b", "c"]
    assert found.details["b"] == [ABSENT, 4]
    assert found.whys == {1: NONE}
    assert list(found.details_of(0, 2)) == details


# --- rows that are given -------------------------------------------------------------------------


def test_given_rows_are_kept() -> None:
    given_ = [*sliced({"id": 1}, {"id": True}, {"b": 1}), row("ks"), *sliced({"id": 1}, score="x")]
    rows = ResultRows.of(given_)
    assert all(one is other for one, other in zip(rows, given_, strict=True))
    assert ResultRows.of(rows) is rows
    assert [(s.score, s.names, list(s.keys)) for s in rows.sections] == [
        ("pctr", (), [()]),
        ("pctr", ("id",), [(1,), (True,)]),
        ("pctr", ("b",), [(1,)]),
        ("pctr", (), [()]),
        ("x", (), [()]),
        ("x", ("id",), [(1,)]),
    ]
    assert rows.totals() == [r for r in given_ if not r.slice]


# --- reports -------------------------------------------------------------------------------------


def sections(score: str, by: tuple[str, ...], keys: list[Any]) -> st.SearchStrategy[ColumnSection]:
    """Sections of two metrics, with reasons and groups here and there."""
    count = len(keys)
    numbers = st.lists(
        st.none() | st.sampled_from([0.5, 1e-9, 2.0]), min_size=count, max_size=count
    )
    groups = st.lists(st.sampled_from([ABSENT, 1, 2]), min_size=count, max_size=count)
    grouped = st.builds(lambda n, g: values(*n, groups=g, groups_used=g), numbers, groups)
    metrics = st.fixed_dictionaries({"auc": numbers.map(lambda n: values(*n)), "gauc": grouped})
    sample = {"n": [10] * count, "positives": [4] * count, "negatives": [6] * count}
    return st.builds(
        ColumnSection, st.just(score), st.just(by), st.just(keys), st.just(sample), metrics
    )


@st.composite
def results(draw: st.DrawFn) -> ResultRows:
    chosen = []
    for score in draw(st.sampled_from([["new"], ["new", "old"]])):
        chosen.append(draw(sections(score, (), [()])))
        for by in (("c",), ("c", "h")):
            known = (st.sampled_from(["DE", "", None]), st.sampled_from([3, "3"]))[: len(by)]
            keys = draw(st.lists(st.tuples(*known), unique=True, max_size=4))
            chosen.append(draw(sections(score, by, keys)))
    return ResultRows(chosen)


@given(results(), st.sampled_from([Conventions(), Conventions(by=(("h",), ("c",)))]))
def test_reports_of_columns_are_those_of_their_rows(rows: ResultRows, how: Conventions) -> None:
    plain = tuple(rows)
    for name, render in FORMATS.items():
        assert render(rows, how) == render(plain, how), name
    assert typed_columns(rows, how) == typed_columns(plain, how)
    assert repr(Result(rows, how)) == repr(Result(plain, how))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Row]:
    """The rows that are made while a test runs."""
    found: list[Row] = []

    def make(*fields: Any) -> Row:
        found.append(Row(*fields))
        return found[-1]

    monkeypatch.setattr(columnar, "Row", make)
    return found


SHOWN = {"prompt": repr, "notebook": Result._repr_html_}


@pytest.mark.parametrize("show", SHOWN.values(), ids=SHOWN)
def test_a_prompt_makes_the_rows_it_shows(made: list[Row], show: Callable[[Result], str]) -> None:
    said = show(Result(many(20_000), SLICED))
    assert "19,940 more lines" in said
    assert len(made) == 3 * (1 + 1 + LIMIT)  # the total in the table and below it


def test_columns_make_no_rows(made: list[Row]) -> None:
    result = Result(many(5_000), SLICED)
    assert len(result.to_polars()) == len(result.to_csv().splitlines()) - 1 == 15_003
    assert not made


# --- look-ups ------------------------------------------------------------------------------------


def test_one_of_many_slices_makes_one_row(made: list[Row]) -> None:
    result = Result(many(20_000), SLICED)
    assert result.value("copc", id=123) == 123 / 20_000
    assert result.row("logloss", id="19999").n == 19_999
    assert len(made) == 2
    assert result["auc"] == 0.5
    assert "_places" not in vars(Result(many(9), SLICED).rows.sections[1])


def test_an_unknown_slice_among_many_gets_a_suggestion() -> None:
    result = Result(many(20_000), SLICED)
    with pytest.raises(sy.SpecError, match=r"no slice id=123456: did you mean id=13456 or "):
        result.value("auc", id=123456)
    with pytest.raises(sy.SpecError, match=r"there are id=0 .* id=7 and 19,992 more"):
        result.value("auc", id="x")


# --- tables of groups and classes ----------------------------------------------------------------


def test_tables_are_made_when_they_are_asked_for() -> None:
    rows = {"y": [0, 1, 0, 1], "s": [0.1, 0.2, 0.4, 0.3], "u": [1, 1, 2, 2], "id": [0, 0, 1, 1]}
    whole = sy.evaluate(rows, label="y", score="s", group="u", by="id", metrics="gauc")
    asked: list[Any] = []

    def make(score: str, slice_: Any) -> GroupTable:
        asked.append(slice_)
        return whole.groups(score=score, slice=slice_)

    result = Result(whole.rows, whole.conventions, TablesOnRequest(("gauc",), make))
    assert not asked
    assert result.groups(id=1)["gauc"] == [0.0]
    assert asked == [{"id": 1}]
    assert result.groups_csv() == whole.groups_csv()
    assert asked == [{"id": 1}, {}]
    again = pickle.loads(pickle.dumps(result))
    assert asked[2:] == [{}, {"id": 0}, {"id": 1}]
    assert again.groups(id=0)["gauc"] == [1.0]
    with pytest.raises(sy.SpecError):
        result.classes()


def test_details_have_one_order_whatever_other_slices_have() -> None:
    columns = {"y": list("aaaba"), "p": list("abaab"), "k": [1, 1, 2, 2, 3]}
    result = sy.evaluate(columns, label="y", prediction="p", metrics="kappa", by="k")
    alone = sy.evaluate(label=["a"], prediction=["b"], metrics="kappa").rows[0]
    assert list(result.row("kappa", k=3).details) == list(alone.details)
