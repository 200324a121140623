"""Shapes that pictures draw: computed when they are needed, or held with `shapes=True`."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import SpecError, StateError
from steelyard.evaluation import evaluation
from steelyard.model import Undefined, same_shape
from steelyard.result.result import Result
from tests.shell.run import run

RNG = np.random.default_rng(8)
ROWS: dict[str, Any] = {
    "y": RNG.integers(0, 2, 300),
    "s": RNG.random(300).round(2),
    "margin": RNG.normal(size=300),
    "country": np.array(["DE", "US", "FR"])[RNG.integers(0, 3, 300)],
    "user": RNG.integers(0, 30, 300),
}
ONE: dict[str, Any] = {"label": "y", "score": "s", "metrics": ["auc"]}


def same(left: Any, right: Any) -> bool:
    return same_shape(left, right)


def test_a_result_without_shapes_computes_them_when_asked() -> None:
    result = sy.evaluate(ROWS, **ONE, by="country")
    assert same(result.picture_shape("roc"), sy.roc(ROWS["y"], ROWS["s"], points=200))
    german = ROWS["country"] == "DE"
    found = result.picture_shape("roc", slice={"country": "DE"})
    assert same(found, sy.roc(ROWS["y"][german], ROWS["s"][german], points=200))
    assert not result.shapes
    assert result.metrics == ("auc",)


@pytest.mark.parametrize("metrics", [["auc"], ["accuracy"], ["copc", "f1(0.3)"]])
def test_every_shape_that_is_named_can_be_computed(metrics: list[str]) -> None:
    result = sy.evaluate(ROWS, label="y", score="s", metrics=metrics)
    for name in result.picture_names:  # the sums of auc have no cells at a threshold
        assert not isinstance(result.picture_shape(name), Undefined), name


def test_shapes_of_each_score() -> None:
    result = sy.evaluate(ROWS, label="y", score=["s", "margin"], metrics=["auc"])
    found = result.picture_shape("pr", "margin")
    assert same(found, sy.pr(ROWS["y"], ROWS["margin"], points=200))
    with pytest.raises(SpecError, match="several scores"):
        result.picture_shape("pr")


@pytest.mark.parametrize("form", ["json", "pickle"])
def test_held_shapes_survive_and_are_not_printed(form: str) -> None:
    plain, result = sy.evaluate(ROWS, **ONE), sy.evaluate(ROWS, **ONE, shapes=True)
    again = (
        Result.from_json(result.to_json()) if form == "json" else pickle.loads(pickle.dumps(result))
    )
    assert again == result
    for name in ("roc", "pr", "thresholds(200)", "calibration_curve"):
        assert name in result.conventions.pictures
        assert same(again.picture_shape(name), plain.picture_shape(name))
    assert str(result) == str(plain)
    assert result.to_markdown() == plain.to_markdown()
    assert result._repr_html_() == plain._repr_html_()
    assert result.to_csv() == plain.to_csv()
    assert result.to_polars().equals(plain.to_polars())
    assert result.metrics == plain.metrics


def test_a_result_that_was_read_says_what_to_add() -> None:
    again = Result.from_json(sy.evaluate(ROWS, **ONE, by="country").to_json())
    with pytest.raises(SpecError, match="no roc of the total to draw: evaluate with shapes=True"):
        again.picture_shape("roc")
    held = Result.from_json(sy.evaluate(ROWS, **ONE, by="country", shapes=True).to_json())
    assert held.picture_shape("roc")
    with pytest.raises(SpecError, match=r'no roc of the slice .* metrics=\[..., "roc"\]'):
        held.picture_shape("roc", slice={"country": "DE"})


def test_states_of_many_rows_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "HELD_FOR_PICTURES", 599)
    assert sy.evaluate(ROWS, **ONE).picture_shape("roc")
    twice = sy.evaluate(ROWS, **ONE, by="country")  # 300 rows of the total and 300 of slices
    with pytest.raises(SpecError, match="shapes=True"):
        twice.picture_shape("roc")


def test_only_what_the_states_have() -> None:
    """Logloss is a sum: nothing keeps the order of scores unless it is asked for."""
    loss = ONE | {"metrics": ["logloss"]}
    assert "roc" not in sy.evaluate(ROWS, **loss).picture_names
    assert "roc" in sy.evaluate(ROWS, **loss, shapes=True).picture_names


def test_a_reliability_diagram_is_of_probabilities() -> None:
    margins = ONE | {"score": "margin"}
    for shapes in (True, False):
        assert "calibration_curve" in sy.evaluate(ROWS, **ONE, shapes=shapes).picture_names
        result = sy.evaluate(ROWS, **margins, shapes=shapes)
        assert "calibration_curve" not in result.picture_names
        with pytest.raises(SpecError, match=r"to draw \(it needs scores from 0 to 1\): "):
            result.picture_shape("calibration_curve")
        assert "roc" in result.picture_names


def test_grades_have_no_roc() -> None:
    grades = {"y": np.array([0, 1, 2, 3]), "s": np.arange(4.0), "q": np.zeros(4, int)}
    result = sy.evaluate(grades, label="y", score="s", group="q", metrics=["ndcg@2"], shapes=True)
    assert "roc" not in result.picture_names


def test_each_mean_over_groups_has_its_distribution() -> None:
    grouped = ONE | {"group": "user", "metrics": ["gauc", "ndcg@3"]}
    for shapes in (True, False):
        names = sy.evaluate(ROWS, **grouped, shapes=shapes).picture_names
        assert [name for name in names if name.startswith("group_values")] == [
            "group_values",
            'group_values("ndcg@3")',
        ]


def test_one_class_says_why() -> None:
    result = sy.evaluate(label=[1, 1], score=[0.1, 0.2], metrics=["auc"])
    found = result.picture_shape("roc")
    assert isinstance(found, Undefined)
    assert "no negatives" in found.why


def test_merged_states_have_the_shapes_of_all_rows(tmp_path: Path) -> None:
    halves = [{n: column[part] for n, column in ROWS.items()} for part in (np.s_[:99], np.s_[99:])]
    states = [sy.state(half, **ONE, by="country", shapes=True) for half in halves]
    states[0].save(tmp_path / "a.sy")
    merged = sy.merge(sy.load(tmp_path / "a.sy"), states[1]).result()
    whole = sy.evaluate(ROWS, **ONE, by="country", shapes=True)
    assert merged.to_json() == whole.to_json()
    with pytest.raises(StateError, match="pictures"):
        sy.merge(states[0], sy.state(halves[1], **ONE, by="country"))


def test_the_command_line_keeps_shapes_in_json(log: str) -> None:
    arguments = ["eval", log, "--label", "click", "--score", "pctr", "-m", "auc"]
    plain, held = (
        json.loads(run(*arguments, "--format", "json", *more).stdout) for more in ([], ["--shapes"])
    )
    assert plain["shapes"] == []
    assert "roc" in [each["metric"] for each in held["shapes"]]
    assert plain["rows"] == held["rows"]
