"""Which column is taken for what: a table of columns, what is given, and what is taken."""

from collections import Counter
from typing import Any

import pytest

import steelyard
from steelyard.errors import InputError
from steelyard.reading.recognise import ROLES, recognise, text
from tests.shell.run import CLICK, PCTR

Given = dict[str, str | None]

CASES: list[tuple[str, list[str], Given, dict[str, str]]] = [
    (
        "an ads log",
        ["click", "pctr", "user_id", "country", "weight"],
        {},
        {"label": "click", "score": "pctr", "weight": "weight", "group": "user_id"},
    ),
    ("case does not matter", ["Click", "pCTR"], {}, {"label": "Click", "score": "pCTR"}),
    ("no weight, no group", ["y", "p"], {}, {"label": "y", "score": "p"}),
    (
        "the better name wins, wherever it stands",
        ["target", "p", "score", "label"],
        {},
        {"label": "label", "score": "score"},
    ),
    ("what is given is not looked for", ["click", "pctr"], {"label": "w"}, {"score": "pctr"}),
    (
        "nothing given is needed: the weight is not guessed either",
        ["click", "pctr", "weight", "user_id"],
        {"label": "click", "score": "pctr"},
        {},
    ),
    (
        "no weight is a choice",
        ["click", "pctr", "weight"],
        {"weight": ""},
        {"label": "click", "score": "pctr"},
    ),
    (
        "beside a prediction there is no score, and no group is read",
        ["click", "p", "user_id", "weight"],
        {"prediction": "p"},
        {"label": "click", "weight": "weight"},
    ),
    (
        "a tie in a role that is not needed",
        ["click", "clicked", "pctr"],
        {"label": "clicked"},
        {"score": "pctr"},
    ),
]


@pytest.mark.parametrize(
    ("columns", "given", "taken"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_taken(columns: list[str], given: Given, taken: dict[str, str]) -> None:
    assert recognise(columns, given) == taken


REFUSED = {
    "no label": (["when", "pctr"], "as the label.*--label.*when, pctr"),
    "no score": (["click", "x"], "as the score.*--score.*click, x"),
    "no columns": ([], "as the label"),
    "two of one rank": (["click", "is_click", "p"], "click and is_click.*--label"),
    "two that differ by case": (["label", "Label", "p"], "label and Label.*--label"),
    "two weights": (["y", "p", "weight", "WEIGHT"], "weight and WEIGHT.*--weight"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_guessed(case: str) -> None:
    columns, message = REFUSED[case]
    with pytest.raises(InputError, match=message):
        recognise(columns, {}, "--{role}")


def test_a_long_list_of_columns_is_cut() -> None:
    with pytest.raises(InputError, match=r"c29 and 970 more\.$"):
        recognise([f"c{i}" for i in range(1000)], {})


def test_a_name_is_one_role_s() -> None:
    names = Counter(name for role in ROLES.values() for rank in role.ranks for name in rank)
    assert set(names.values()) == {1}
    assert all(name == name.lower() for name in names)


def test_the_text_names_the_columns_taken() -> None:
    assert text({"label": "click", "score": "pctr"}) == "click as label, pctr as score"


sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_columns_of_usual_names_in_python(log: str) -> None:
    """The log has a column w: of the weights 1, 2 | 3, 4 of pairs, 3 · 2 of 21 is out of order."""
    for source, auc in ((log, 15 / 21), ({"click": CLICK, "pctr": PCTR}, 0.75)):
        result = sy.evaluate(source, metrics="auc")
        assert result["auc"] == auc
        assert "using click as label, pctr as score" in str(result)
        assert result.conventions.roles["recognised"].startswith("click as label, pctr as score")
    with pytest.raises(sy.InputError, match=r"as the label: name one with label=\.\.\.; the col"):
        sy.evaluate({"when": [1], "pctr": [0.5]})
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'label'"):
        sy.evaluate(score=PCTR)


def test_columns_that_are_named_are_not_recognised() -> None:
    """AUC 3/4 without weights; the column called weight is not read."""
    source = {"click": CLICK, "pctr": PCTR, "weight": [9, 1, 1, 1]}
    result = sy.evaluate(source, label="click", score="pctr", metrics="auc")
    assert result["auc"] == 0.75
    assert "using" not in str(result)
