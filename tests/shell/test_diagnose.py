"""What a user of diagnose sees: the page, its formats, the command, and logs that are odd."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from bench.drops import drop
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import run

OVER = ["country", "device", "ad_type", "hour"]
NAMED: dict[str, Any] = {"label": "click", "score": "pctr", "cluster": "user_id"}
QUESTIONS = [
    "comparable?",
    "real?",
    "one model or all?",
    "scores or labels?",
    "ranking or level?",
    "mix or within?",
    "which slice?",
    "since when?",
    "what it cost",
    "next",
]


@pytest.fixture(scope="module")
def pair() -> Any:
    return drop("slice", 7)


@pytest.fixture(scope="module")
def found(pair: Any) -> sy.Diagnosis:
    return sy.diagnose(pair.before, pair.after, over=OVER, **NAMED)


def test_the_page_has_every_question_and_names_the_cause(pair: Any, found: sy.Diagnosis) -> None:
    assert [line.question for line in found.lines] == QUESTIONS
    assert found.kind == "slice"
    assert [cause.slice for cause in found.causes] == [pair.planted]
    assert "without country = IN" in found.verdict
    assert found.verdict in str(found).replace("\n", " ")
    assert "<pre>" in found._repr_html_()
    assert found.to_markdown().startswith("**AUC")


def test_json_is_strict_and_has_a_schema(found: sy.Diagnosis) -> None:
    data = json.loads(found.to_json())
    assert data["schema"] == "steelyard.diagnosis/1"
    assert data["causes"][0]["slice"] == {"country": "IN"}
    assert data == found.to_dict()


def test_without_a_cluster_nobody_is_accused(pair: Any) -> None:
    found = sy.diagnose(pair.before, pair.after, label="click", score="pctr", over=OVER)
    assert found.causes == ()
    assert "not tested" in found.verdict
    assert "[" not in found.verdict


def test_one_log_and_two_conditions(pair: Any) -> None:
    both = {
        name: np.concatenate([column, pair.after[name]]) for name, column in pair.before.items()
    }
    both["day"] = np.repeat([1, 2], [len(log["click"]) for log in pair[:2]])
    found = sy.diagnose(both, where=("day = 1", "day = 2"), over=OVER, **NAMED)
    whole = sy.diagnose(pair.before, pair.after, over=OVER, **NAMED)
    assert found.verdict == whole.verdict


def test_a_control_that_moves_too_points_to_the_data(pair: Any) -> None:
    logs = [dict(log) | {"old": log["pctr"] ** 2} for log in (pair.before, pair.after)]
    found = sy.diagnose(*logs, over=OVER, control_score="old", **NAMED)
    line = found.lines[2]
    assert line.answers[-1] == "both moved: look at the data first"
    assert line.evidence["control"]["change"] == line.evidence["score"]["change"]


def test_scores_that_are_no_probabilities_have_no_level(pair: Any) -> None:
    logs = [dict(log) | {"pctr": log["pctr"] * 7} for log in (pair.before, pair.after)]
    found = sy.diagnose(*logs, over=OVER, **NAMED)
    assert "scores are not probabilities, so they have no level" in found.lines[4].answers
    with pytest.raises(sy.InputError):
        sy.diagnose(*logs, over=OVER, metric="copc", **NAMED)


def test_names_that_a_terminal_would_obey_are_shown_as_text() -> None:
    """In the verdict, the lines, the tables and the pages; the cause is one of them."""
    dice, red = np.random.default_rng(0), "\x1b[31m"

    def log(lost: float) -> dict[str, Any]:
        label, key = dice.integers(0, 2, 1500), dice.integers(0, 3, 1500)
        score = (dice.random(1500) + 0.6 * label * (1 - lost * (key == 1))) / 1.6
        columns = {"y": label, "s": score, "k": key, "u": dice.integers(0, 300, 1500)}
        return {name + red: column for name, column in columns.items()}

    roles: dict[str, Any] = {
        "label": f"y{red}",
        "score": f"s{red}",
        "cluster": f"u{red}",
        "over": [f"k{red}"],
    }
    found = sy.diagnose(log(0), log(1), **roles)
    assert found.causes[0].slice == {f"k{red}": 1}
    for text in (str(found), repr(found), found.to_markdown(), found.to_html()):
        assert "\x1b" not in text
    assert r"k\x1b[31m = 1" in str(found)


def test_since_when() -> None:
    pair = drop("none", 3)
    after = dict(pair.after)
    late = (after["country"] == "US") & (after["hour"] >= 14)
    after["pctr"] = np.where(late, np.random.default_rng(1).random(len(late)) / 2, after["pctr"])
    found = sy.diagnose(pair.before, after, over=["country", "device", "hour"], **NAMED)
    assert {"country": "US"}.items() <= found.causes[0].slice.items()
    assert "since hour 14" in found.verdict


def test_a_slice_that_only_one_log_has() -> None:
    pair = drop("none", 3)
    kept = pair.before["ad_type"] != "video"
    before = {name: column[kept] for name, column in pair.before.items()}
    found = sy.diagnose(before, pair.after, over=OVER, **NAMED)
    assert any("ad_type = video only after" in text for text in found.lines[0].answers)
    assert found.kind == "mix"


def test_items_that_were_shown_elsewhere(pair: Any) -> None:
    logs = []
    for log, shift in ((pair.before, 0), (pair.after, 1)):
        rows = np.arange(len(log["click"]))
        logs.append(dict(log) | {"position": np.where(rows % 10 < 2 * shift, 9, rows % 4)})
    found = sy.diagnose(*logs, over=["position"], **NAMED)
    assert found.lines[0].evidence["moved_positions"]["position"] == pytest.approx(0.2, abs=0.01)
    assert any("moved to another position" in text for text in found.lines[0].answers)
    found = sy.diagnose(logs[0], logs[0], over=["position"], **NAMED)
    assert found.lines[0].evidence["moved_positions"] == {}


def test_equal_logs_are_within_noise(pair: Any) -> None:
    found = sy.diagnose(pair.before, pair.before, over=OVER, **NAMED)
    assert (found.kind, found.causes) == ("within noise", ())


def test_the_command(pair: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_parquet("mon.parquet", pair.before)
    write_parquet("tue.parquet", pair.after)
    done = run("diagnose", "mon.parquet", "tue.parquet", "--cluster", "user_id")
    assert done.exit_code == 0
    assert "without country = IN" in done.stdout
    assert "looked for a cause in country, device, ad_type, hour" in done.stdout
    done = run("diagnose", "mon.parquet", "tue.parquet", "--over", "country,device", "-o", "a.json")
    assert (done.exit_code, done.stdout) == (0, "")
    assert json.loads(Path("a.json").read_text())["kind"] == "not tested"
    assert run("diagnose").exit_code == 2
    assert run("diagnose", "mon.parquet").exit_code == 2
