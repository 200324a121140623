"""Functions that give shapes, by hand and beside scikit-learn: curves, tables, thresholds."""

from math import isnan
from typing import Any

import numpy
import pandas
import pytest
import sklearn.metrics

import steelyard

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
FOUR, FOUR_SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def test_roc_and_pr_unpack_as_scikit_learn_does() -> None:
    fpr, tpr, thresholds = sy.roc(FOUR, FOUR_SCORES)
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1])
    assert thresholds.tolist() == [float("inf"), 0.8, 0.4, 0.35, 0.1]
    assert sy.roc(FOUR, FOUR_SCORES).area_error == 0
    assert (
        sy.roc(FOUR, FOUR_SCORES, points=2).area_error >= 1
    )  # that of the box around the whole curve
    precision, recall, thresholds = sy.pr(FOUR, FOUR_SCORES)
    theirs = sklearn.metrics.precision_recall_curve(FOUR, FOUR_SCORES, drop_intermediate=True)
    assert [precision.tolist(), recall.tolist(), thresholds.tolist()] == [
        column.tolist() for column in theirs
    ]


def test_a_matrix_gives_one_curve_a_class() -> None:
    matrix = [[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7]]
    curves = sy.roc(["a", "b", "a", "c"], matrix)
    assert list(curves) == ["a", "b", "c"]
    fpr, tpr, thresholds = curves["b"]  # 0.7 is b; 0.6, 0.2 and 0.1 are not
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert thresholds.tolist() == [float("inf"), 0.7, 0.1]
    assert sy.pr(["a", "b", "a", "c"], matrix)["b"].precision.tolist() == [0.25, 1, 1]
    for curves_of in (sy.roc, sy.pr):
        with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
            assert curves_of([], numpy.zeros((0, 3)), labels=[0, 1, 2]) == {}
    given = {"label": [], "score": numpy.zeros((0, 3)), "classes": [0, 1, 2], "metrics": ["roc"]}
    nothing = sy.evaluate(**given)
    assert [(row.shape, row.why) for row in nothing.shapes] == [(None, "there are no rows")]
    assert nothing.curve("roc") == {}


ANIMALS, NAMED = ["cat", "cat", "dog", "dog", "fox"], ["cat", "dog", "dog", "dog", "cat"]


def test_shares_of_a_confusion_table() -> None:
    table = sy.confusion(ANIMALS, y_pred=NAMED, normalize="true")
    assert table.labels == ("cat", "dog", "fox")
    assert table.matrix.tolist() == [[0.5, 0.5, 0], [0, 1, 0], [1, 0, 0]]
    called = sy.confusion(ANIMALS, y_pred=NAMED, normalize="pred").matrix
    assert called[:, 0].tolist() == [0.5, 0, 0.5]
    assert pandas.isna(called[:, 2]).all()  # nothing is called a fox: 0/0 is not 0
    assert sy.confusion(FOUR, FOUR_SCORES, threshold=0.3, normalize="all") == (0.5, 0.25, 0, 0.25)


def test_cells_of_one_class_against_the_rest() -> None:
    cells = sy.one_vs_rest(ANIMALS, y_pred=NAMED)
    assert [column.tolist() for column in cells[1:]] == [[1, 2, 0], [1, 1, 0], [1, 0, 1], [2, 2, 4]]
    theirs = sklearn.metrics.multilabel_confusion_matrix(ANIMALS, NAMED)
    assert cells.matrices.tolist() == theirs.tolist()


def test_the_report_of_classes_is_scikit_learns() -> None:
    ours = sy.class_report(ANIMALS, y_pred=NAMED, zero_division=0)
    theirs = sklearn.metrics.classification_report(
        ANIMALS, NAMED, output_dict=True, zero_division=0
    )
    lines = zip(ours.labels, ours.precision, ours.recall, ours.f1, ours.support, strict=True)
    for label, *numbers in lines:
        assert numbers == pytest.approx(list(theirs[label].values()), rel=1e-15)
    assert ours.accuracy == theirs["accuracy"]
    for mean, name in ((ours.macro, "macro avg"), (ours.weighted, "weighted avg")):
        assert list(mean) == pytest.approx(list(theirs[name].values())[:3], rel=1e-15)


def test_a_report_of_chosen_classes() -> None:
    report = sy.class_report(ANIMALS, y_pred=NAMED, labels=["dog", "cat"])
    theirs = sklearn.metrics.classification_report(
        ANIMALS, NAMED, labels=["dog", "cat"], output_dict=True
    )
    assert report.labels == ("dog", "cat")
    assert list(report.macro) == pytest.approx(list(theirs["macro avg"].values())[:3], rel=1e-15)
    assert report.accuracy == 0.6  # of all five rows
    cells = sy.one_vs_rest(ANIMALS, y_pred=NAMED, labels=["dog", "cat"])
    theirs = sklearn.metrics.multilabel_confusion_matrix(ANIMALS, NAMED, labels=["dog", "cat"])
    assert cells.matrices.tolist() == theirs.tolist()


def test_the_table_of_thresholds() -> None:
    table = sy.thresholds(FOUR, FOUR_SCORES)
    assert table.thresholds.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert list(zip(*(column.tolist() for column in table[1:5]), strict=True)) == [
        (1, 0, 1, 2), (1, 1, 1, 1), (2, 1, 0, 1), (2, 2, 0, 0),
    ]  # fmt: skip
    assert table.precision.tolist() == [1, 0.5, 2 / 3, 0.5]
    assert table.specificity.tolist() == [1, 0.5, 0.5, 0]


def test_the_threshold_beside_a_value() -> None:
    points = {
        "best_f1": 0.35,
        "ks": 0.8,
        "precision_at_recall(0.9)": 0.35,
        "recall_at_precision(0.9)": 0.8,
        "tpr_at_fpr(0)": 0.8,
        "fpr_at_tpr(0.9)": 0.35,
    }
    result = sy.evaluate(label=FOUR, score=FOUR_SCORES, metrics=list(points))
    assert {row.metric: row.details["threshold"] for row in result} == points
    assert str(result).count("at threshold 0.8") == 3
    for nothing in sy.evaluate(label=[0, 1], score=[0.9, 0.1], metrics=["tpr_at_fpr(0)", "ks"]):
        assert (nothing.value, nothing.details) == (0, {"threshold": float("inf")})
    assert sy.best_threshold([0, 1], [0.9, 0.1]) == float("inf")


def test_the_threshold_of_least_cost() -> None:
    """At 0.8 one positive is missed, at 0.35 one call is wrong, above all scores two are missed."""
    costs = "best_threshold(cost, fp=2, fn=3)", "best_threshold(cost, fp=9)"
    result = sy.evaluate(label=FOUR, score=FOUR_SCORES, metrics=list(costs))
    assert [(row.value, row.details) for row in result] == [
        (0.35, {"cost": 2.0}), (0.8, {"cost": 1.0})
    ]  # fmt: skip
    assert sy.best_threshold([1, 0], [0.1, 0.9], criterion="cost", fp=5, fn=1) == float("inf")
    assert sy.best_threshold([0, 0], [0.1, 0.9], criterion="cost") == float("inf")
    assert sy.best_threshold([1, 1], [0.1, 0.9], criterion="cost") == 0.1
    with pytest.raises(sy.SpecError, match="has no costs"):
        sy.best_threshold(FOUR, FOUR_SCORES, criterion="f1", fp=2)


def test_shares_of_no_rows_are_nan() -> None:
    for normalize in ("true", "pred", "all"):
        found = sy.confusion(["a"], y_pred=["b"], labels=["c"], normalize=normalize)
        assert isnan(found.matrix.item()), normalize
