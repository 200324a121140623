"""Result: look-up."""

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import steelyard as sy
from steelyard.model import Conventions, Key
from steelyard.result.result import Result
from tests.shell.result_rows import row, sliced


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


class Compared(str):
    """A name that counts how often it is compared with another."""

    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Compared.times += 1
        return str.__eq__(self, other)


@pytest.mark.parametrize("stored", [False, True])
def test_the_work_to_look_up_a_metric_does_not_grow_with_their_number(stored: bool) -> None:
    """So that reading all of 20,000 is not the work of 20,000 times 20,000."""
    many = [f"precision({place / 512})" for place in range(1, 401)]
    result = sy.evaluate(label=[0, 1], score=[0.25, 1.0], metrics=many)
    result = Result.from_json(result.to_json()) if stored else result
    Compared.times = 0
    assert result[Compared(many[-1])] == 1.0  # one row is called positive, and is
    assert Compared.times < 20


SHOPS = {
    "shop": ["a"] * 2 + ["b"] * 8 + ["c"] * 4 + ["d"],
    "sold": [1, 1] + [1, 0] * 4 + [1, 1, 1, 0] + [0],
    "p": [0.5] * 2 + [0.25] * 8 + [0.75] * 4 + [0.25],  # copc: a 2, b 2, c 1, d 0
}
RATE: dict[str, Any] = {"label": "sold", "score": "p", "by": "shop"}


def _shops(result: Result) -> str:
    return "".join(str(row.slice["shop"]) for row in result.rows if row.slice)


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("copc worst", "dabc"),  # farthest from 1: 0, then 2 and 2, then 1
        ("copc WORST", "dabc"),
        ("prevalence asc", "dbca"),
        ("accuracy worst", "bcad"),  # ½, ¾, 1, 1: the lowest first
        ("brier worst", "bacd"),  # 5/16, 4/16, 3/16, 1/16: the highest first
    ],
)
def test_slices_in_the_order_of_a_metrics_own_direction(sort: str, order: str) -> None:
    metric = sort.split()[0]
    assert _shops(sy.evaluate(SHOPS, **RATE, metrics=metric).select(sort=sort)) == order


def test_what_has_no_direction_has_no_worst_slice() -> None:
    result = sy.evaluate(SHOPS, **RATE, metrics="best_threshold")
    for name in ("best_threshold", "rows"):
        with pytest.raises(sy.InputError, match=f"slices have no worst {name}"):
            result.select(sort=f"{name} worst")


def test_the_first_slices_are_the_largest_unless_they_are_sorted() -> None:
    result = sy.evaluate(SHOPS, **RATE, metrics="prevalence")
    assert _shops(result.select(top=2)) == "bc"
    assert _shops(result.select(sort="prevalence").select(top=2)) == "ac"
    assert "2 of 4 slices are shown (sorted by rows, the first 2)" in str(result.select(top=2))


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

# Keys to look up, and the position of the slice that they find.
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

# Lookups that find nothing, and a part of the error; test_errors has the whole messages.
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
    (lambda: Result([row()], Conventions()).value("auc", a=1), "it has only the total"),
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
