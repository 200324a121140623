"""What accompanies the values of many classes, and limits that no table has."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import InputError, SpecError
from steelyard.metrics.multiclass import (
    confusion,
)


def test_classes_that_are_on_one_side_only() -> None:
    """ "x" is predicted and never true, "c" true and never predicted."""
    columns = {"y": list("aabc"), "p": list("axbb")}
    specs = ["precision(average=macro)", "precision(average=micro)", "accuracy()"]
    result = sy.evaluate(columns, label="y", prediction="p", metrics=specs)
    macro, micro, accuracy = result
    assert macro.value == 0.5  # of three classes
    assert macro.details == {
        "classes": 4,
        "classes_used": 3,
        "left_out": ["c"],
        "never_true": {"classes": 1, "first": ["x"]},
        "never_predicted": {"classes": 1, "first": ["c"]},
    }
    assert (micro.value, micro.details["classes_used"]) == (0.5, 4)
    assert "left_out" not in micro.details
    assert accuracy.details["never_true"]["first"] == ["x"]


def test_a_class_without_rows_has_no_area() -> None:
    columns = {"y": list("abb"), "s0": [0.9, 0.2, 0.3], "s1": [0.1, 0.8, 0.3], "s2": [0, 0, 0.4]}
    roles: dict[str, Any] = {"label": "y", "score": ["s0", "s1", "s2"], "classes": list("abz")}
    rest, pairs = sy.evaluate(columns, **roles, metrics=["auc", "auc(ovo)"])
    assert (rest.value, pairs.value) == (1.0, 1.0)
    assert rest.details == {"classes": 3, "classes_used": 2, "left_out": ["z"]}
    assert pairs.details == {"pairs": 3, "pairs_used": 1, "left_out": [["a", "z"], ["b", "z"]]}


def test_digits_in_text_are_classes_in_the_order_of_numbers() -> None:
    found = sy.confusion(["10", "9", "b"], y_pred=["9", "9", "a"])
    assert found.labels == ("9", "10", "a", "b")


def test_pairs_have_no_micro_average() -> None:
    with pytest.raises(SpecError, match="no micro average"):
        sy.auc([0, 1], np.eye(2), labels=[0, 1], multi_class="ovo", average="micro")


def test_a_matrix_has_at_most_4096_classes() -> None:
    many = list(range(confusion.MOST + 1))
    with pytest.raises(InputError, match="4097 classes"):
        sy.confusion(many, y_pred=many)
    assert sy.f1(many, y_pred=many, average="macro") == 1.0


def test_the_loss_of_classes_is_clipped() -> None:
    """The probabilities of ½, ¼ and 0 for the true classes; and of 1."""
    matrix = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]
    given: dict[str, Any] = {"labels": list("abc"), "clip": 2.0**-10}
    assert sy.logloss(list("abc"), matrix, **given) == pytest.approx(np.log(2) * 13 / 3, rel=1e-15)
    sure = sy.logloss(["a"], [[1.0, 0.0, 0.0]], **given)
    assert sure == pytest.approx(-np.log1p(-(2.0**-10)), rel=1e-12)


def test_a_slice_whose_rows_were_all_left_out_has_no_classes() -> None:
    columns = {"y": list("aba"), "k": list("xyy"), "c0": [np.nan, 0.5, 0.6], "c1": [0.5, 0.5, 0.4]}
    result = sy.evaluate(
        columns,
        label="y",
        score=["c0", "c1"],
        classes=["a", "b"],
        by="k",
        nan="drop",
        metrics=["auc", "auc(ovo)", "auc(average=micro)"],
    )
    for name, what in (
        ("auc", "classes"),
        ("auc(ovo)", "pairs"),
        ("auc(average=micro)", "classes"),
    ):
        row = result.row(name, k="x")
        assert row.why == "there are no rows"
        assert row.details == {what: 0, f"{what}_used": 0}
    assert len(result.classes(k="x")) == 0
    assert len(result.classes("auc", k="y")) == 2


def test_no_row_is_left() -> None:
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        found = sy.auc([0, 1], np.full((2, 2), np.nan), labels=[0, 1], nan="drop")
    assert np.isnan(found)


def test_the_value_of_a_class_has_no_average() -> None:
    given: dict[str, Any] = {"label": list("aab"), "prediction": list("abb")}
    result = sy.evaluate(**given, metrics=["f1(micro)", "f1(weighted)"])
    assert result.classes().columns == ("class", "true", "predicted", "hits", "f1")
    assert result.classes("f1(micro)")["f1"] == [2 / 3, 2 / 3]


def test_the_brier_score_of_many_classes() -> None:
    """¼ + ¹⁄₁₆ + ¹⁄₁₆ and ¼ + ⁹⁄₁₆ + ¹⁄₁₆, then 0 twice: 5/16 on average."""
    rows = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]
    assert sy.brier(list("aba"), rows, labels=list("abc"), sample_weight=[1, 1, 2]) == 5 / 16
    scores: dict[str, list[Any]] = {c: [row[i] for row in rows] for i, c in enumerate("abc")}
    table: dict[str, list[Any]] = {"y": list("aba"), "k": [1, 1, 2], **scores}
    asked: dict[str, Any] = {
        "label": "y",
        "score": list("abc"),
        "classes": list("abc"),
        "metrics": "brier",
    }
    parts = [{name: column[a:b] for name, column in table.items()} for a, b in ((0, 1), (1, 3))]
    merged = sy.merge(*(sy.state(part, by="k", **asked) for part in parts)).result()
    assert merged["brier"] == sy.evaluate(table, **asked)["brier"] == (3 / 8 + 7 / 8) / 3
    assert (merged.value("brier", k=1), merged.value("brier", k=2)) == (5 / 8, 0.0)
