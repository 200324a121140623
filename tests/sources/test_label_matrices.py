"""Matrices of labels and of grades, by hand; tests/parity/test_labels.py has random ones."""

import re
from typing import Any

import numpy
import pytest
import sklearn.metrics

import steelyard
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should


def test_matrices_of_labels() -> None:
    """Labels 1, 2, 3 of four rows: TP 2, 1, 0; FP 0, 1, 1; FN 0, 1, 1."""
    y = [[1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 0]]
    p = [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 0]]
    assert sy.f1(y, p, average=None).tolist() == [1.0, 1 / 2, 0.0]
    assert sy.f1(y, p, average="macro") == 1 / 2
    assert sy.f1(y, p, average="micro") == 6 / 10
    assert sy.f1(y, p, average="weighted") == (2 * 1 + 2 / 2 + 0) / 5  # by 2, 2 and 1 labels
    # Of the rows: 2/3, 1, 0, and 0 for the last, which has a false alarm and nothing to find.
    assert sy.f1(y, p, average="samples") == pytest.approx((2 / 3 + 1 + 0 + 0) / 4)
    assert sy.accuracy(y, p) == 1 / 4  # one row has all labels right
    assert sy.accuracy(y, p, average="micro") == 8 / 12
    with pytest.raises(sy.InputError, match="one of macro, micro, samples, weighted"):
        sy.f1(y, p)


def test_matrices_of_labels_with_scores() -> None:
    """The labels of the first row have ranks 1 and 3, that of the second row rank 2."""
    y, s = [[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.4], [0.8, 0.6, 0.1]]
    assert sy.lrap(y, s) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)
    assert sy.ap(y, s, average="samples") == sy.lrap(y, s)
    assert sy.auc(y, s) == sy.auc(y, s, average="macro") == 1.0  # each label's own two rows
    assert sy.auc(y, s, average="micro") == 6 / 9  # 3 + 1 + 2 pairs are in order
    # A row without a label has 1 in lrap, as in scikit-learn, and is left out of a mean of ap.
    assert sy.lrap([*y, [0, 0, 0]], [*s, [0.1, 0.2, 0.3]]) == pytest.approx(
        (2 * sy.lrap(y, s) + 1) / 3
    )
    assert sy.ap([*y, [0, 0, 0]], [*s, [0.1, 0.2, 0.3]], average="samples") == sy.lrap(y, s)


@pytest.mark.parametrize(
    "y", [[[1, 0], [0]], [["a", "b"], ["c"]], [[1], [0, 1]]], ids=["matrix", "sets", "first short"]
)
def test_rows_of_different_lengths_are_named(y: Any) -> None:
    for call in (sy.f1, sy.auc, sy.lrap, sy.ndcg):
        with pytest.raises(sy.InputError, match=r"y_true has . values? at row 1 and . at row 0"):
            call(y, [[0.1, 0.9], [0.3, 0.2]])
    with pytest.raises(sy.InputError, match="y_score has 1 value at row 1 and 2 at row 0"):
        sy.auc([0, 1], [[0.1, 0.9], [0.3]])


def test_text_is_no_matrix_of_labels() -> None:
    with pytest.raises(sy.InputError, match="but numbers, one for each label, are expected"):
        sy.f1([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]], average="macro")


def test_each_row_of_a_matrix_of_grades_is_a_list() -> None:
    """scikit-learn's only form of ndcg_score."""
    grades, scores = [[3, 2, 1], [0, 1, 2]], [[0.1, 0.2, 0.3], [0.3, 0.5, 0.5]]
    for k in (None, 2):
        ours = sy.ndcg_score(grades, scores, k=k)
        assert ours == pytest.approx(sklearn.metrics.ndcg_score(grades, scores, k=k), rel=1e-12)
    assert sy.mrr([[0, 1], [1, 0]], numpy.array([[0.9, 0.1], [0.8, 0.2]])) == (1 / 2 + 1) / 2
    with pytest.raises(TypeError, match="takes 'group' only for one value per row"):
        sy.ndcg_score(grades, scores, group=[1, 2])


def test_pages_say_that_matrices_of_labels_are_taken() -> None:
    for function in (sy.f1, sy.auc, sy.ap, sy.recall):
        said = " ".join(function.__doc__.split())
        assert re.search("y_true may be a matrix of 0 and 1, .* samples", said)
    with pytest.raises(sy.SpecError, match=r"'lrap': sy\.lrap is a function .* explain ap"):
        sy.explain("lrap")
    assert "help(steelyard.lrap)" in run("explain", "lrap").stderr


def test_float16_scores_of_labels_are_compared_as_float32() -> None:
    """0.1 as a float16 is 0.09998, which 0.1 does not call positive: one cell of two is right."""
    scores = numpy.array([[0.1, 0.05]], numpy.float16)
    assert sy.accuracy([[1, 0]], scores, threshold=0.1) == 0
    assert sy.accuracy([[1, 0]], scores, threshold=0.1, average="micro") == 0.5
    assert sy.accuracy([1, 0], scores[0], threshold=0.1) == 0.5


def test_weights_of_label_matrices_are_the_reason() -> None:
    weightless: dict[str, Any] = {"sample_weight": [0]}
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.lrap([[1, 0]], [[0.5, 0.1]], **weightless)
    for average in ("macro", "samples", "weighted"):
        with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
            sy.f1([[1, 0]], [[0.5, 0.1]], average=average, **weightless)
