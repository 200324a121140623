"""Matrices of labels against scikit-learn on random rows."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk

import steelyard
from steelyard.model import Array
from tests.effort import random_cases
from tests.parity.random_rows import agree, weights

sy: Any = steelyard
CASES = random_cases(30, 120)
AVERAGES = ("macro", "micro", "samples", "weighted")
COUNTS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "precision": (sk.precision_score, {}),
    "recall": (sk.recall_score, {}),
    "f1": (sk.f1_score, {}),
    "fbeta": (sk.fbeta_score, {"beta": 2}),
}


@dataclass(frozen=True)
class Sample:
    """Labels and scores of each row, and its weight."""

    y: Array
    s: Array
    w: Array | None


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        ([1, 2], "sample_weight has 2 rows but y_true has 3"),
        (np.ones((3, 2)), r"sample_weight has 2 dimensions \(shape \(3, 2\)\)"),
        (2.0, "sample_weight cannot be read as an array"),
        ([1, None, np.nan], "sample_weight has 2 missing values .* at row 1: fill them; a weight"),
        (np.ma.masked_equal([1, 2, 3], 3), "sample_weight has 1 missing value .* at row 2"),
        ([1, np.inf, 1], "sample_weight has 1 infinite value, the first at row 1"),
        ([1, -1, 1], "sample_weight has 1 negative value, the first at row 1"),
    ],
)
def test_weights_of_rows_are_checked_before_they_are_those_of_cells(weight: Any, said: str) -> None:
    y = [[0, 1], [1, 0], [1, 1]]
    for measure in (sy.lrap, sy.auc, partial(sy.f1, average="macro")):
        with pytest.raises(sy.InputError, match=said):
            measure(y, np.array(y) / 2, sample_weight=weight)


def samples(seed: int) -> Iterator[Sample]:
    """Few and many labels, scores with ties."""
    dice = np.random.default_rng(seed)
    for _ in range(CASES):
        rows, labels = int(dice.integers(2, 40)), int(dice.integers(2, 7))
        y = (dice.random((rows, labels)) < dice.random()).astype(int)
        s = np.round(dice.random(y.shape), int(dice.integers(1, 4)))
        yield Sample(y, s, weights(dice, rows))


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("average", [*AVERAGES, None])
@pytest.mark.parametrize("name", COUNTS)
def test_counts(name: str, average: str | None) -> None:
    theirs, params = COUNTS[name]
    for one in samples(1):
        p = (one.s >= 0.5).astype(int)
        given: dict[str, Any] = {"average": average, "sample_weight": one.w, **params}
        if average == "weighted" and not one.y.any():
            continue  # no label has weight, and ours no value; theirs is 0
        value = theirs(one.y, p, zero_division=0, **given)
        for second in (p, p.astype(bool), one.s, pd.DataFrame(p), p.tolist()):
            ours = getattr(sy, name)(one.y, second, zero_division=0, **given)
            assert np.allclose(ours, value, rtol=1e-12, atol=0), one


def test_accuracy_is_that_of_whole_rows() -> None:
    for one in samples(2):
        p = (one.s >= 0.5).astype(int)
        theirs = sk.accuracy_score(one.y, p, sample_weight=one.w)
        assert agree(sy.accuracy(one.y, p, sample_weight=one.w), theirs), one
        share = 1 - sk.hamming_loss(one.y, p, sample_weight=one.w)
        assert agree(sy.accuracy(one.y, p, average="micro", sample_weight=one.w), share), one


@pytest.mark.parametrize("average", [*AVERAGES, None])
@pytest.mark.parametrize(
    ("name", "theirs"), [("auc", sk.roc_auc_score), ("ap", sk.average_precision_score)]
)
def test_curves(name: str, theirs: Callable[..., Any], average: str | None) -> None:
    """Where no label and no row is 0/0: theirs has 0 or NaN there, ours leaves it out."""
    compared = 0
    for one in samples(3):
        axis = 1 if average == "samples" else 0
        full = one.y.any(axis=axis) & ~one.y.all(axis=axis)
        kept = one.y[full] if axis else one.y[:, full]
        scores = one.s[full] if axis else one.s[:, full]
        if min(kept.shape) < 2:
            continue
        w = one.w[full] if one.w is not None and axis else one.w
        given: dict[str, Any] = {"average": average, "sample_weight": w}
        ours, value = getattr(sy, name)(kept, scores, **given), theirs(kept, scores, **given)
        assert np.allclose(ours, value, rtol=1e-11, atol=0), one
        compared += 1
    assert compared > CASES // 3


def test_label_ranking_average_precision() -> None:
    theirs = sk.label_ranking_average_precision_score
    for one in samples(4):
        for second in (one.s, one.s.tolist(), pd.DataFrame(one.s)):
            ours = sy.lrap(one.y, second, sample_weight=one.w)
            assert agree(ours, theirs(one.y, one.s, sample_weight=one.w)), one
