"""Predicted classes: integers, booleans and text are classes, floats are scores."""

from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pytest

import steelyard
from tests.shell.run import run
from tests.sources.every_source import SOURCES

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


@pytest.mark.parametrize("kind", [list, numpy.array, pandas.Series, polars.Series])
def test_integers_booleans_and_text_are_classes(kind: Any) -> None:
    """Of 1, 1 and 0, one positive is found: TP 1, FN 1, no false alarm."""
    assert sy.f1(kind([0, 1, 1, 0]), kind([0, 1, 0, 0])) == 2 / 3
    assert sy.f1(kind([0, 1, 1, 0]), y_pred=kind([0, 1, 0, 0])) == 2 / 3
    assert sy.f1(kind([0, 1, 1, 0]), kind([False, True, False, False])) == 2 / 3
    words = kind(["no", "yes", "yes", "no"]), kind(["no", "yes", "no", "no"])
    assert sy.f1(*words, positive="yes") == 2 / 3
    assert sy.recall(*words, positive="no") == 1.0
    assert sy.accuracy(kind([0, 1, 1, 0]), kind([0, 2, 1, 1])) == 1 / 2  # 2 is a class, no score
    assert sy.specificity(kind([1, 2, 2, 1]), kind([1, 2, 1, 1]), positive=2) == 1.0


def test_floats_are_scores() -> None:
    assert sy.f1([0, 1, 1, 0], [0.1, 0.7, 0.4, 0.2]) == 2 / 3
    assert sy.f1([0, 1, 1, 0], [0.0, 1.0, 0.0, 0.0]) == 2 / 3
    assert sy.precision([0, 1, 1], [10, 20, 30], threshold=15) == 1.0  # a threshold is of scores
    assert sy.auc([0, 1, 1], [10, 20, 30]) == 1.0  # so is a curve


def test_many_classes_are_averaged_by_choice() -> None:
    y, p = [0, 1, 2, 2], [0, 1, 1, 2]
    with pytest.raises(sy.InputError, match=r"third class at row 2 .*macro, micro or weighted"):
        sy.f1(y, p)
    assert sy.f1(y, p, average="macro") == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)
    assert sy.f1(y, p, average=None).tolist() == [1.0, 2 / 3, 2 / 3]
    with pytest.raises(sy.InputError, match="do not tell which one is positive"):
        sy.f1(["no", "yes"], ["no", "no"])


def test_tables_print_what_was_averaged(tmp_path: Path) -> None:
    rows = {"y": [0, 1, 1, 0], "p": [0, 1, 0, 0]}
    result = sy.evaluate(rows, label="y", prediction="p", metrics=["f1", "f1(macro)", "accuracy"])
    assert result.metrics == ("f1", "f1(macro)", "accuracy")
    assert result["f1"] == 2 / 3
    assert result["f1(macro)"] == pytest.approx((4 / 5 + 2 / 3) / 2)
    with pytest.raises(sy.InputError, match="third class"):
        sy.evaluate(rows | {"p": [0, 1, 2, 0]}, label="y", prediction="p", metrics="f1")
    default = sy.evaluate(label=[0, 1, 2], score=numpy.eye(3))
    assert {"precision(macro)", "recall(macro)", "f1(macro)"} <= {*default.metrics}
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\nyes,yes\nyes,no\nno,no\n")
    args = ("eval", str(csv), "--label", "y", "--prediction", "p", "-m", "f1", "--positive", "yes")
    assert "0.666667" in run(*args).stdout


def test_states_of_other_classes_do_not_merge() -> None:
    """0 and 1 in one file, 1 and -1 in the other: together they are three classes."""
    one, other = (sy.state(label=[1, low], prediction=[1, low], metrics="f1") for low in (0, -1))
    with pytest.raises(sy.StateError, match="the negative label is 0 in one and -1"):
        sy.merge(one, other)


@pytest.mark.parametrize("source", ["csv", "parquet", "polars", "mapping"])
def test_probabilities_are_no_predicted_classes(source: str, tmp_path: Path) -> None:
    made = SOURCES[source].make({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.4, 0.3]}, tmp_path)
    with pytest.raises(sy.InputError, match="s has 4 values with a fraction, the first at row 0"):
        sy.evaluate(made, label="y", prediction="s", metrics="accuracy")


def test_the_text_of_probabilities_is_no_predicted_class_either() -> None:
    with pytest.raises(sy.InputError, match="1 value with a fraction, the first at row 1"):
        sy.accuracy(["0", "1"], ["0", "0.9"])


def test_classes_in_a_csv_are_read_as_labels(tmp_path: Path) -> None:
    """1.0 is the class 1, as in Parquet; words stay words."""
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\n0,0.0\n1,1.0\n1,0\ncat,cat\n")
    result = sy.evaluate(str(csv), label="y", prediction="p", metrics=["accuracy", "kappa"])
    assert result["accuracy"] == 3 / 4


@pytest.mark.parametrize("classes", [[["a"]], [{}], [([],)], numpy.array([[1, 2]])])
def test_a_class_that_is_a_list_is_refused(classes: Any) -> None:
    rows = {"label": ["a", "b"], "prediction": ["a", "b"]}
    with pytest.raises(sy.InputError, match="a text or a number for each class"):
        sy.evaluate(**rows, classes=classes, metrics="kappa")


def test_labels_choose_the_classes_to_average_over() -> None:
    """a: 1 of 2 found, 2 called; b: 2 found, 3 called; c: 1 of 2 found, 1 called."""
    y, p = list("aabbcc"), list("abbbca")
    assert sy.recall(y, p, labels=["c", "a"], average="macro") == 1 / 2
    assert sy.precision(y, p, labels=["c", "a"], average=None).tolist() == [1.0, 1 / 2]
    assert sy.precision(y, p, labels=["c", "a"], average="micro") == 2 / 3  # 2 hits of 3 calls
    assert sy.confusion(y, p, labels=["c", "a"]).matrix.tolist() == [[1, 1], [0, 1]]
    with pytest.raises(sy.InputError, match="no meaning for accuracy"):
        sy.accuracy(y, p, labels=["c", "a"])
    asked = {"label": "y", "prediction": "p", "classes": ["c", "a"]}
    state = sy.state({"y": y, "p": p}, **asked, metrics=["precision(micro)", "recall(macro)"])
    result = sy.State.loads(sy.merge(state, state).dumps()).result()
    assert (result["precision(micro)"], result["recall(macro)"]) == (2 / 3, 1 / 2)
    assert result.classes()["class"] == ["c", "a"]


def test_labels_on_the_command_line(tmp_path: Path) -> None:
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\n1,1\n1,2\n2,2\n2,2\n3,3\n3,1\n")
    roles = ("--label", "y", "--prediction", "p", "--classes", "3,1")
    assert "0.666667" in run("eval", str(csv), *roles, "-m", "precision(micro)").stdout


Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def test_an_average_that_changes_nothing_is_taken() -> None:
    """scikit-learn's default of roc_auc_score is macro, that of f1_score is binary."""
    for average in ("macro", "micro", "weighted"):
        assert sy.auc(Y, S, average=average) == 3 / 4  # of four pairs, one is out of order
    called = [0, 0, 0, 1]  # from 0.5 on: one of two found, no false alarm
    for value in (S, called, numpy.array(called, float)):
        assert sy.f1(Y, value, average="binary") == 2 / 3
    assert sy.f1(Y, y_score=S, average="binary", threshold=0.35) == 4 / 5
    # Whole floats are classes still: 2 of 1 and 2 is found once, with one false alarm.
    assert sy.f1([1, 2, 1], [1.0, 2.0, 2.0], average="binary", positive=2) == 2 / 3
    with pytest.raises(sy.InputError, match="one score per class, but one value per row is given"):
        sy.auc(Y, S, average="macro", multi_class="ovo")
