"""The oracles of many classes against scikit-learn, and against the seeds' worked numbers."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sk

from steelyard.model import Array
from tests.oracles import classes as oracle
from tests.oracles.answers import Answer, Why
from tests.oracles.classes import Called, Scored

NEAR = 1e-12


def number(answer: Answer) -> float:
    assert isinstance(answer, Fraction) or not isinstance(answer, Why | tuple | list), answer
    return float(answer)


def sample(seed: int, weighted: bool) -> tuple[Array, Array, Array]:
    """Words; of some classes one is never called, and one never there."""
    dice = np.random.default_rng(seed)
    names = np.array(["ant", "bee", "cat", "dog", "elk"])
    truth = dice.choice(names[:4] if seed % 2 else names, 90)
    other = dice.choice(names[1:] if seed % 3 else names, 90)
    predicted = np.where(dice.random(90) < 0.5, truth, other)
    weight = dice.integers(1, 6, 90).astype(float) if weighted else np.ones(90)
    return truth, predicted, weight


def called(truth: Array, predicted: Array, weight: Array) -> list[Called]:
    every = zip(truth.tolist(), predicted.tolist(), weight.tolist(), strict=True)
    return [Called(t, p, Fraction(w)) for t, p, w in every]


def matrix(seed: int, tied: bool = False) -> tuple[Array, Array, list[Scored]]:
    dice = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(4), dice.integers(0, 4, 56)])
    raw = dice.integers(1, 4, (60, 4)).astype(float) if tied else dice.random((60, 4)) + 0.01
    raw[np.arange(60), truth] *= 1.5
    scores = raw / raw.sum(axis=1, keepdims=True)
    every = zip(truth.tolist(), scores.tolist(), strict=True)
    return truth, scores, [Scored(t, tuple(s)) for t, s in every]


each = pytest.mark.parametrize(("seed", "weighted"), [(s, w) for s in range(1, 5) for w in (0, 1)])

AVERAGED: dict[str, tuple[Callable[..., float], dict[str, Any]]] = {
    "precision": (sk.precision_score, {}),
    "recall": (sk.recall_score, {}),
    "f1": (sk.f1_score, {}),
    "fbeta": (sk.fbeta_score, {"beta": 0.5}),
}


@each
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
@pytest.mark.parametrize("name", AVERAGED)
def test_averages(name: str, average: str, seed: int, weighted: bool) -> None:
    truth, predicted, weight = sample(seed, weighted)
    rows = called(truth, predicted, weight)
    theirs, params = AVERAGED[name]
    for zero, there in (("skip", np.nan), (0, 0.0), (1, 1.0)):
        ours = getattr(oracle, name)(rows, average=average, zero_division=zero, **params)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = theirs(
                truth,
                predicted,
                average=average,
                sample_weight=weight,
                zero_division=there,
                **params,
            )
        assert number(ours) == pytest.approx(value, rel=NEAR)


@each
def test_single_numbers(seed: int, weighted: bool) -> None:
    truth, predicted, weight = sample(seed, weighted)
    rows = called(truth, predicted, weight)
    given = {"sample_weight": weight}
    expected = sk.accuracy_score(truth, predicted, **given)
    assert number(oracle.accuracy(rows)) == pytest.approx(expected, rel=NEAR)
    expected = sk.matthews_corrcoef(truth, predicted, **given)
    assert number(oracle.mcc(rows)) == pytest.approx(expected, rel=1e-11)
    for weights in (None, "linear", "quadratic"):
        expected = sk.cohen_kappa_score(truth, predicted, weights=weights, **given)
        assert number(oracle.kappa(rows, weights)) == pytest.approx(expected, rel=1e-11)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class that is only predicted
        expected = sk.balanced_accuracy_score(truth, predicted, **given)
    assert number(oracle.balanced_accuracy(rows)) == pytest.approx(expected, rel=NEAR)
    table = sk.confusion_matrix(truth, predicted, **given)
    assert np.array(oracle.confusion(rows), float).tolist() == table.tolist()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("tied", [False, True])
def test_areas(seed: int, tied: bool) -> None:
    truth, scores, rows = matrix(seed, tied)
    for ways, averages in (("ovr", ("macro", "micro", "weighted")), ("ovo", ("macro", "weighted"))):
        for average in averages:
            ours = oracle.auc(rows, [0, 1, 2, 3], ways, average)
            theirs = sk.roc_auc_score(truth, scores, multi_class=ways, average=average)
            assert number(ours) == pytest.approx(theirs, rel=NEAR)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_top_k_and_logloss(seed: int) -> None:
    truth, scores, rows = matrix(seed)
    for k in (1, 2, 3):
        theirs = sk.top_k_accuracy_score(truth, scores, k=k)
        assert number(oracle.top_k_accuracy(rows, [0, 1, 2, 3], k)) == pytest.approx(theirs)
    theirs = sk.log_loss(truth, scores)
    assert number(oracle.logloss(rows, [0, 1, 2, 3])) == pytest.approx(theirs, rel=NEAR)


def test_top_k_of_ties_by_hand() -> None:
    """Three classes tie for the second and third place: two thirds of the orders have ours."""
    row = Scored("b", (0.4, 0.2, 0.2, 0.2))
    for k, share in ((1, 0), (2, Fraction(1, 3)), (3, Fraction(2, 3)), (4, 1)):
        assert oracle.top_k_accuracy([row], ["a", "b", "c", "d"], k) == share


def test_weights_are_copies() -> None:
    truth, predicted, weight = sample(3, weighted=True)
    rows = called(truth, predicted, weight)
    copies = [row._replace(w=Fraction(1)) for row in rows for _ in range(int(row.w))]
    for name in ("accuracy", "balanced_accuracy", "mcc", "kappa", "precision", "recall", "f1"):
        assert getattr(oracle, name)(rows) == getattr(oracle, name)(copies)


# --- the seeds' table of three classes -----------------------------------------------------------

TABLE = [[500, 20, 100], [10, 480, 200], [10, 50, 370]]  # lines are what was called, as printed
ROWS = [Called(t, p, Fraction(TABLE[p][t])) for t in range(3) for p in range(3)]


def test_the_seeds_table() -> None:
    assert oracle.confusion(ROWS) == [list(line) for line in zip(*TABLE, strict=True)]
    assert {one: tuple(map(int, each)) for one, each in oracle.cells(ROWS).items()} == {
        0: (500, 120, 20, 1100),
        1: (480, 210, 70, 980),
        2: (370, 60, 300, 1010),
    }
    for name, value in {"accuracy": 0.7758620690, "balanced_accuracy": 0.7955015134}.items():
        assert round(number(getattr(oracle, name)(ROWS)), 10) == value
    for name, value in {
        "precision": 0.7875229677,
        "recall": 0.7955015134,
        "f1": 0.7747046012,
    }.items():
        assert round(number(getattr(oracle, name)(ROWS, average="macro")), 10) == value
    for name in ("precision", "recall", "f1"):
        assert getattr(oracle, name)(ROWS, average="micro") == Fraction(1350, 1740)
    for average in ("macro", "micro"):
        ours = number(oracle.accuracy(ROWS, average=average))
        assert round(ours, 10) == 0.8505747126


def test_what_is_skipped_is_counted() -> None:
    rows = [Called("a", "a"), Called("a", "b"), Called("c", "a")]
    assert oracle.skipped(rows, oracle.precision_ratio) == 1  # c is never called
    assert oracle.skipped(rows, oracle.recall_ratio) == 1  # b is never there
    assert oracle.skipped(rows, oracle.f1_ratio) == 0
    assert oracle.precision(rows, average="macro") == Fraction(1, 4)
    assert oracle.recall(rows, average="macro") == Fraction(1, 4)
    assert oracle.balanced_accuracy(rows) == Fraction(1, 4)
