"""Many classes against scikit-learn on random rows, and the differences that are meant.

Theirs are float sums: a value agrees within 1e-12 of itself, and of the scale where they subtract
near-equal numbers (MCC, kappa).
"""

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import metrics as sk

import steelyard as sy
from steelyard.model import Array
from tests.effort import random_cases
from tests.parity.random_rows import BOUND, agree, weights

CASES = random_cases(50, 120)


@dataclass(frozen=True)
class Sample:
    """Truth and prediction as classes."""

    y: Array
    p: Array
    w: Array | None


def names(dice: np.random.Generator, count: int) -> Array:
    """Words, whole numbers (negative ones too), or numbers far apart."""
    kind = dice.integers(3)
    if kind == 0:
        return np.array([f"class {i:03}" for i in range(count)])
    if kind == 1:
        return np.arange(count) - count // 2
    return np.sort(dice.choice(10**6, count, replace=False))


def samples(seed: int, cases: int = CASES) -> Iterator[Sample]:
    """Of two to forty classes, some only true and some only predicted."""
    dice = np.random.default_rng(seed)
    for _ in range(cases):
        classes = names(dice, int(dice.choice([2, 3, 5, 40])))
        count = int(dice.integers(3, 120))
        y, other = dice.choice(classes, count), dice.choice(classes, count)
        yield Sample(y, np.where(dice.random(count) < 0.6, y, other), weights(dice, count))


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sklearn.exceptions.UndefinedMetricWarning)
        warnings.filterwarnings("ignore", "A single label was found", UserWarning)
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true", UserWarning)
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        yield


# --- classes as predictions ----------------------------------------------------------------------

AVERAGED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "precision": (sk.precision_score, {}),
    "recall": (sk.recall_score, {}),
    "f1": (sk.f1_score, {}),
    "fbeta": (sk.fbeta_score, {"beta": 0.5}),
}


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", AVERAGED)
def test_averages(name: str, average: str) -> None:
    """A class that is 0/0 is left out, which is their zero_division=nan."""
    theirs, params = AVERAGED[name]
    for one in samples(1):
        given: dict[str, Any] = {"average": average, "sample_weight": one.w, **params}
        ours = getattr(sy, name)(one.y, y_pred=one.p, **given)
        value = theirs(one.y, one.p, zero_division=np.nan, **given)
        assert agree(ours, value), one


def two_classes(seed: int) -> Iterator[tuple[Sample, Any]]:
    """Rows of two classes, and which is positive; None: 1."""
    dice = np.random.default_rng(seed)
    words = np.array(["no", "yes"])
    for kinds in (np.array([0, 1]), np.array([-1, 1]), np.array([False, True]), words):
        for _ in range(CASES // 4):
            count = int(dice.integers(1, 60))
            y, p = dice.choice(kinds, count), dice.choice(kinds, count)
            positive = dice.choice(words).item() if kinds is words else None
            yield Sample(y, p, weights(dice, count)), positive


@pytest.mark.parametrize("name", AVERAGED)
def test_the_positive_class_of_two(name: str) -> None:
    theirs, params = AVERAGED[name]
    for kind in (np.asarray, list, pd.Series):
        for one, positive in two_classes(7):
            if positive is not None and positive not in {*one.y, *one.p}:
                continue  # theirs is an error where both classes are the other one
            label = 1 if positive is None else positive
            given: dict[str, Any] = {"sample_weight": one.w, **params}
            ours = getattr(sy, name)(
                kind(one.y), kind(one.p), positive=positive, zero_division=0, **given
            )
            value = theirs(one.y, one.p, pos_label=label, zero_division=0, **given)
            assert agree(ours, value), (one, positive)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("accuracy", sk.accuracy_score),
        ("balanced_accuracy", sk.balanced_accuracy_score),
        ("mcc", sk.matthews_corrcoef),
        ("kappa", sk.cohen_kappa_score),
    ],
)
def test_classes_by_position(name: str, theirs: Callable[..., Any]) -> None:
    for one, _ in two_classes(8):
        if len({*one.y}) == len({*one.p}) == 2:  # without 0/0, which is 0 or NaN in theirs
            for kind in (np.asarray, list, pd.Series):
                ours = getattr(sy, name)(kind(one.y), kind(one.p), sample_weight=one.w)
                assert agree(ours, theirs(one.y, one.p, sample_weight=one.w), scale=1.0), one


def some_labels(dice: np.random.Generator, one: Sample) -> list[Any]:
    """Some of the classes in any order, and at times one that does not occur."""
    known = [*{*one.y.tolist(), *one.p.tolist()}]
    absent = "absent" if isinstance(known[0], str) else 10**9
    chosen = dice.permutation(len(known))[: dice.integers(1, len(known) + 1)]
    return [known[i] for i in chosen] + ([absent] if dice.random() < 0.3 else [])


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", AVERAGED)
def test_averages_over_some_classes(name: str, average: str | None) -> None:
    theirs, params = AVERAGED[name]
    dice = np.random.default_rng(9)
    for one in samples(9, CASES // 2):
        given: dict[str, Any] = {"average": average, "sample_weight": one.w, "zero_division": 0}
        given |= {"labels": some_labels(dice, one), **params}
        if average == "weighted" and not {*given["labels"]} & {*one.y.tolist()}:
            continue  # classes without rows have no weight, and ours no value; theirs is 0
        ours, value = getattr(sy, name)(one.y, one.p, **given), theirs(one.y, one.p, **given)
        assert np.allclose(ours, value, rtol=BOUND, atol=0), one


def test_matrices_of_some_classes() -> None:
    dice = np.random.default_rng(10)
    for one in samples(10, CASES // 2):
        labels = some_labels(dice, one)
        if {*labels} & {*one.y.tolist()}:  # theirs is an error otherwise
            ours = sy.confusion(one.y, y_pred=one.p, labels=labels, sample_weight=one.w)
            assert ours.labels == tuple(labels)
            theirs = sk.confusion_matrix(one.y, one.p, labels=labels, sample_weight=one.w)
            assert np.allclose(ours.matrix, theirs, rtol=BOUND, atol=0)


@pytest.mark.parametrize("costs", [None, "linear", "quadratic"])
def test_kappa_of_some_classes(costs: str | None) -> None:
    dice = np.random.default_rng(11)
    for one in samples(11, CASES // 2):
        labels = some_labels(dice, one)
        both = [t != p and {t, p} <= {*labels} for t, p in zip(one.y, one.p, strict=True)]
        if not any(both):
            continue  # no row, or one class and no chance; theirs is NaN or 1
        given: dict[str, Any] = {"labels": labels, "sample_weight": one.w}
        theirs = sk.cohen_kappa_score(one.y, one.p, weights=costs, **given)
        ours = sy.kappa(one.y, one.p, weights=costs or "none", **given)
        assert agree(ours, theirs, scale=1.0), (one, labels)


@pytest.mark.parametrize("zero", [0, 1])
@pytest.mark.parametrize("name", ["precision", "recall"])
def test_what_is_0_over_0_by_choice(name: str, zero: int) -> None:
    theirs, _ = AVERAGED[name]
    for one in samples(2, CASES // 2):
        given: dict[str, Any] = {"average": "macro", "sample_weight": one.w}
        ours = getattr(sy, name)(one.y, y_pred=one.p, zero_division=zero, **given)
        assert agree(ours, theirs(one.y, one.p, zero_division=zero, **given)), one


@pytest.mark.parametrize("name", AVERAGED)
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_class_by_class(name: str) -> None:
    """NaN where a class is 0/0, theirs by choice and ours always; classes in the same order."""
    theirs, params = AVERAGED[name]
    for one in samples(3, CASES // 2):
        ours = getattr(sy, name)(one.y, y_pred=one.p, average=None, sample_weight=one.w, **params)
        value = theirs(
            one.y, one.p, average=None, sample_weight=one.w, zero_division=np.nan, **params
        )
        np.testing.assert_allclose(ours, value, rtol=BOUND)


def test_accuracy() -> None:
    for one in samples(4):
        ours = sy.accuracy(one.y, y_pred=one.p, sample_weight=one.w)
        assert agree(ours, sk.accuracy_score(one.y, one.p, sample_weight=one.w)), one


def test_one_against_the_rest() -> None:
    """Their multilabel matrices hold the cells of each class."""
    for one in samples(5, CASES // 2):
        table = sk.multilabel_confusion_matrix(one.y, one.p, sample_weight=one.w).astype(float)
        right, every = table[:, 0, 0] + table[:, 1, 1], table.sum(axis=(1, 2))
        given: dict[str, Any] = {"y_pred": one.p, "sample_weight": one.w}
        assert agree(sy.accuracy(one.y, average="macro", **given), (right / every).mean()), one
        assert agree(sy.accuracy(one.y, average="micro", **given), right.sum() / every.sum()), one


def test_balanced_accuracy() -> None:
    for one in samples(6):
        ours = sy.balanced_accuracy(one.y, y_pred=one.p, sample_weight=one.w)
        assert agree(ours, sk.balanced_accuracy_score(one.y, one.p, sample_weight=one.w)), one


def test_mcc() -> None:
    for one in samples(7):
        if len(set(one.y.tolist())) > 1 and len(set(one.p.tolist())) > 1:
            ours = sy.mcc(one.y, y_pred=one.p, sample_weight=one.w)
            theirs = sk.matthews_corrcoef(one.y, one.p, sample_weight=one.w)
            assert agree(ours, theirs, scale=1), one


@pytest.mark.parametrize("scheme", [None, "linear", "quadratic"])
def test_kappa(scheme: str | None) -> None:
    more: dict[str, Any] = {} if scheme is None else {"weights": scheme}
    for one in samples(8):
        if len({*one.y.tolist(), *one.p.tolist()}) > 1:
            ours = sy.kappa(one.y, one.p, sample_weight=one.w, **more)
            theirs = sk.cohen_kappa_score(one.y, one.p, sample_weight=one.w, weights=scheme)
            assert agree(ours, theirs, scale=1), one


def test_confusion() -> None:
    """Lines are the truth, columns the prediction, both in the order of the classes."""
    for one in samples(9):
        ours = sy.confusion(one.y, y_pred=one.p, sample_weight=one.w)
        theirs = sk.confusion_matrix(one.y, one.p, sample_weight=one.w)
        np.testing.assert_allclose(dense(ours), theirs, rtol=BOUND)
        assert list(ours.labels) == sorted({*one.y.tolist(), *one.p.tolist()})


def dense(table: Any) -> Array:
    return np.asarray(table.matrix, float)


# --- a score for each class ----------------------------------------------------------------------


@dataclass(frozen=True)
class Matrix:
    """Truth as classes, and probabilities that add up to 1 in every row."""

    y: Array
    s: Array
    w: Array | None
    classes: Array


def matrices(seed: int, cases: int = CASES // 2, tied: bool = True) -> Iterator[Matrix]:
    """Every class occurs; half of them with scores that tie."""
    dice = np.random.default_rng(seed)
    for case in range(cases):
        classes = names(dice, int(dice.choice([3, 5, 8])))
        count = int(dice.integers(20, 80))
        y = np.concatenate([np.arange(len(classes)), dice.integers(0, len(classes), count)])
        shape = (len(y), len(classes))
        raw = dice.integers(1, 5, shape).astype(float) if tied and case % 2 else dice.random(shape)
        raw[np.arange(len(y)), y] += dice.random(len(y)) < 0.5
        raw += 1e-3
        s = raw / raw.sum(axis=1, keepdims=True)
        yield Matrix(classes[y], s, weights(dice, len(y)), classes)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_auc_of_one_against_the_rest(average: str) -> None:
    for one in matrices(10):
        given: dict[str, Any] = {"multi_class": "ovr", "average": average, "sample_weight": one.w}
        assert agree(sy.auc(one.y, one.s, **given), sk.roc_auc_score(one.y, one.s, **given)), one


def test_auc_class_by_class() -> None:
    for one in matrices(11):
        given: dict[str, Any] = {"multi_class": "ovr", "average": None, "sample_weight": one.w}
        theirs = sk.roc_auc_score(one.y, one.s, **given)
        np.testing.assert_allclose(sy.auc(one.y, one.s, **given), theirs, rtol=BOUND)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_auc_of_pairs(average: str) -> None:
    """Theirs takes no weights here; ours does, and a weight is copies."""
    for one in matrices(12):
        given: dict[str, Any] = {"multi_class": "ovo", "average": average}
        assert agree(sy.auc(one.y, one.s, **given), sk.roc_auc_score(one.y, one.s, **given)), one
        if one.w is not None and one.w.dtype.kind == "i":
            y, s = np.repeat(one.y, one.w), np.repeat(one.s, one.w, axis=0)
            theirs = sk.roc_auc_score(y, s, **given)
            assert agree(sy.auc(one.y, one.s, sample_weight=one.w, **given), theirs), one


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k(k: int) -> None:
    """Without ties; with them theirs goes by the order of the columns."""
    for one in matrices(13, tied=False):
        given: dict[str, Any] = {"k": k, "sample_weight": one.w}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of three classes all are among the first three
            theirs = sk.top_k_accuracy_score(one.y, one.s, **given)
        assert agree(sy.top_k_accuracy(one.y, one.s, **given), theirs), one


def test_logloss() -> None:
    for one in matrices(14):
        theirs = sk.log_loss(one.y, one.s, sample_weight=one.w)
        assert agree(sy.logloss(one.y, one.s, sample_weight=one.w), theirs), one


def test_brier() -> None:
    """Of two classes half of the sum, as their scale_by_half="auto"."""
    for one in matrices(16):
        theirs = sk.brier_score_loss(one.y, one.s, sample_weight=one.w)
        assert agree(sy.brier(one.y, one.s, sample_weight=one.w), theirs), one


def test_brier_of_two_columns_is_that_of_the_positive_class() -> None:
    y, s = [0, 1, 1], [0.25, 0.5, 0.75]
    matrix = [[1 - p, p] for p in s]
    assert sy.brier(y, matrix) == sy.brier(y, s) == sk.brier_score_loss(y, np.array(matrix))


def test_the_class_of_the_highest_score_is_the_one_predicted() -> None:
    """Of equal scores the first column's, as argmax has it."""
    for one in matrices(15):
        called = one.classes[one.s.argmax(axis=1)]
        given: dict[str, Any] = {"average": "macro", "sample_weight": one.w}
        ours = sy.recall(one.y, one.s, **given)
        assert agree(ours, sk.recall_score(one.y, called, zero_division=np.nan, **given)), one


# --- differences that are meant ------------------------------------------------------------------


def test_a_class_that_is_never_predicted_is_left_out() -> None:
    """They count its precision as 0, which a model of the other classes cannot help."""
    y, p = ["a", "a", "b", "c"], ["a", "b", "b", "b"]
    assert sk.precision_score(y, p, average="macro") == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert sy.precision(y, y_pred=p, average="macro") == pytest.approx((1 + 1 / 3) / 2)
    assert sy.precision(y, y_pred=p, average="macro", zero_division=0) == pytest.approx(4 / 9)


def test_a_class_that_never_occurs_has_no_recall() -> None:
    y, p = ["a", "a", "b", "b"], ["a", "c", "b", "b"]
    assert sk.recall_score(y, p, average="macro") == pytest.approx((0.5 + 1 + 0) / 3)
    assert sy.recall(y, y_pred=p, average="macro") == 0.75
    # Their own balanced accuracy is the mean without it.
    assert sk.balanced_accuracy_score(y, p) == sy.balanced_accuracy(y, y_pred=p) == 0.75


def test_tied_classes_have_no_order() -> None:
    """Theirs sorts: of three equal scores the last two columns are the top two."""
    y, s = [0, 1, 2], [[1 / 3] * 3] * 3
    theirs = sk.top_k_accuracy_score(y, s, k=2)
    first = sk.top_k_accuracy_score([0, 0, 0], s, k=2, labels=[0, 1, 2])
    assert (theirs, first) == (pytest.approx(2 / 3), 0.0)
    assert sy.top_k_accuracy(y, s, k=2) == 2 / 3
    assert sy.top_k_accuracy([0, 0, 0], s, k=2, labels=[0, 1, 2]) == 2 / 3


def test_a_correlation_without_variation() -> None:
    assert sk.matthews_corrcoef(["a", "b", "c"], ["a", "a", "a"]) == 0
    with pytest.warns(sy.UndefinedWarning):
        assert math.isnan(sy.mcc(["a", "b", "c"], y_pred=["a", "a", "a"]))


def test_a_probability_of_zero() -> None:
    """They cut it to 2.2e-16: a loss of 36 for what is infinite."""
    y, s = ["a", "b", "c"], [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0], [0.25, 0.25, 0.5]]
    theirs = sk.log_loss(y, s)
    assert theirs > 12
    with pytest.warns(sy.UndefinedWarning, match="1 row"):
        assert math.isnan(sy.logloss(y, s))
    assert agree(sy.logloss(y, s, clip=float(np.finfo(float).eps)), theirs)
