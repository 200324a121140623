"""Which slices of a result are shown, and in which order."""

import json
from pathlib import Path
from typing import Any

import pandas
import pytest

import steelyard
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
SOLD: dict[str, Any] = {  # rates by shop: a 1/4 of 4 rows, b 2/2, c 1/2, d 0/1
    "y": [1, 0, 0, 0, 1, 1, 1, 0, 0],
    "p": [0.5] * 9,
    "shop": list("aaaabbccd"),
}
RATES: dict[str, Any] = {"label": "y", "score": "p", "by": "shop", "metrics": "prevalence"}


def shops(result: Any) -> str:
    return "".join(row.slice.get("shop", "*") for row in result)


def test_slices_are_sorted_cut_and_filtered_and_the_total_stays() -> None:
    result = sy.evaluate(SOLD, **RATES)
    assert shops(result.select(sort="prevalence")) == "*bcad"
    assert shops(result.select(sort="prevalence asc", top=2)) == "*da"
    assert shops(result.select(sort="rows", min_rows=2)) == "*abc"
    assert result.select(top=1)["prevalence"] == result["prevalence"] == 4 / 9
    assert "2 of 4 slices are shown (sorted by rows, the first 2)" in str(
        result.select(sort="rows", top=2)
    )
    assert result.select(min_rows=2).select(top=1).conventions.selection == {
        "sort": "rows",
        "top": 1,
        "min_rows": 2,
        "slices": 4,
        "slices_shown": 1,
    }
    with pytest.raises(sy.InputError, match="there are no slices to select from"):
        sy.evaluate(SOLD, **RATES | {"by": None}).select(top=1)


def test_slices_without_a_value_are_last_and_scores_stay_together() -> None:
    both = RATES | {"score": ["p", "1 - p"], "metrics": ["prevalence", "recall"]}
    result = sy.evaluate(SOLD, **both).select(sort="recall asc", top=3)
    assert shops(result) == "**aabbcc" * 2  # equal values keep their order; d has none


def test_a_result_that_was_read_selects_the_same_slices() -> None:
    result = sy.evaluate(SOLD, **RATES)
    read = sy.Result.from_json(result.to_json())
    assert read.select(sort="prevalence", top=3) == result.select(sort="prevalence", top=3)
    chosen = result.select(min_rows=2)
    assert sy.Result.from_json(chosen.to_json()) == chosen


def test_the_command_line_selects_in_every_format(tmp_path: Path) -> None:
    path = str(tmp_path / "sold.csv")
    pandas.DataFrame(SOLD).to_csv(path, index=False)
    words = ["eval", path, "--label", "y", "--score", "p", "--by", "shop", "-m", "auc"]
    words += ["--sort", "prevalence asc", "--top", "1", "--min-rows", "2"]
    for form in ("table", "markdown", "json", "csv", "jsonl"):
        done = run(*words, "--format", form)
        data = json.loads(done.stdout)["conventions"]["selection"] if form == "json" else {}
        counted = (data.get("slices_shown"), data.get("slices")) == (1, 4)
        assert counted or "1 of 4 slices are shown" in done.stdout + done.stderr
        assert "prevalence" in done.stdout  # what slices are sorted by is in the table


@pytest.mark.parametrize("sort", [["prevalence"], 5])
def test_slices_are_sorted_by_a_name(sort: Any) -> None:
    with pytest.raises(sy.InputError, match=r"^sort is of type (list|int): give it as the name"):
        sy.evaluate(SOLD, **RATES).select(sort=sort)


def test_the_command_line_names_its_own_options(folder: Path) -> None:
    pandas.DataFrame(SOLD).to_csv("sold.csv", index=False)
    words = ["eval", "sold.csv", "--label", "y", "--score", "p", "-m", "prevalence"]
    said = run(*words, "--top", "2").stderr
    assert "leave out --sort" in said
    assert "--min-rows" in said
    assert "--confidence SHARE needs --cluster COLUMN" in run(*words, "--confidence", "0.9").stderr
    for option, value in (("--fail-under", "confusion=3"), ("--sort", "confusion")):
        said = run(*words, "--by", "shop", option, value).stderr
        assert "name a metric that is one, such as auc" in said


def test_what_is_shown_of_slices_is_said_in_words() -> None:
    result = sy.evaluate(SOLD, **RATES)
    all_ = str(result.select(sort="rows descending"))
    assert all_.endswith("\nslices are sorted by rows")
    assert str(result.select(top=4)).endswith("\nslices are sorted by rows")
    assert "slices are" not in str(result.select(min_rows=1))
    some = str(result.select(sort="rows ASCENDING", top=1, min_rows=2))
    assert (
        "1 of 4 slices are shown (sorted by rows asc, each of 2 rows or more, the first 1)" in some
    )
