"""Parity with scikit-learn on random rows, and the differences that are meant.

Theirs are float sums: a value agrees within 1e-12 of itself. Where they subtract near-equal numbers
(MCC, a gap of two rates, a standardised area) the bound is 1e-12 of the scale, which is 1. Their
AUC adds differences of rates, each off by up to 2**-53, so a tiny one has fewer right digits: there
theirs is held to that bound, and ours to the exact value.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn import metrics as sk

import steelyard as sy
from steelyard.model import Array
from tests.effort import random_cases
from tests.oracles.answers import Row, Rows, rounded
from tests.oracles.curves import auc_by_pairs

CASES = random_cases(240, 600)  # pairs of a kind of scores and a kind of weights
BOUND = 1e-12


@dataclass(frozen=True)
class Sample:
    """Random rows with both classes."""

    y: Array
    s: Array
    w: Array | None

    def rows(self) -> Rows:
        weights = [1] * len(self.y) if self.w is None else self.w.tolist()
        every = zip(self.y.tolist(), self.s.tolist(), weights, strict=True)
        return Rows(tuple(Row(y == 1, s, Fraction(w)) for y, s, w in every))

    @property
    def called(self) -> Array:
        return self.s >= 0.5


def scores(dice: np.random.Generator, count: int) -> Array:
    """Fine, tied, tied throughout, float32, or from one end of float64 to the other."""
    kind = dice.integers(5)
    if kind == 0:
        return dice.random(count)
    if kind == 1:
        return dice.integers(0, 6, count) / 5
    if kind == 2:
        return np.full(count, 0.5)
    if kind == 3:
        return dice.random(count).astype(np.float32)
    signs: Array = dice.choice([-1, 1], count)
    sizes: Array = 10.0 ** dice.integers(-300, 300, count)
    both: Array = signs * sizes
    return both


def weights(dice: np.random.Generator, count: int) -> Array | None:
    """None, copies, fractions, or six orders of magnitude."""
    kind = dice.integers(4)
    if kind == 0:
        return None
    if kind == 1:
        return dice.integers(1, 5, count)
    if kind == 2:
        return dice.random(count) + 0.01
    return 10.0 ** dice.integers(-3, 4, count)


def samples(seed: int, cases: int = CASES) -> Iterator[Sample]:
    dice = np.random.default_rng(seed)
    while cases:
        count = int(dice.integers(2, 60))
        y = (dice.random(count) < dice.choice([0.1, 0.5, 0.9])).astype(int)
        if 0 < y.sum() < count:
            cases -= 1
            yield Sample(y, scores(dice, count), weights(dice, count))


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        yield


def agree(ours: float, theirs: float, *, scale: float = 0.0) -> bool:
    return math.isclose(ours, theirs, rel_tol=BOUND, abs_tol=BOUND * scale)


# --- curves --------------------------------------------------------------------------------------


def test_auc() -> None:
    for one in samples(24):  # a seed whose rows have tiny AUCs among them
        theirs = sk.roc_auc_score(one.y, one.s, sample_weight=one.w)
        ours = sy.roc_auc(one.y, one.s, sample_weight=one.w)
        if not agree(ours, theirs):
            assert abs(ours - theirs) <= len(one.y) * 2**-53, one
            assert ours == rounded(auc_by_pairs(one.rows())), one


def test_average_precision() -> None:
    for one in samples(2):
        theirs = sk.average_precision_score(one.y, one.s, sample_weight=one.w)
        assert agree(sy.average_precision(one.y, one.s, sample_weight=one.w), theirs), one


@pytest.mark.parametrize("max_fpr", [0.05, 0.3, 0.9, 1.0])
def test_standardised_partial_auc(max_fpr: float) -> None:
    for one in samples(3, CASES // 4):
        theirs = sk.roc_auc_score(one.y, one.s, sample_weight=one.w, max_fpr=max_fpr)
        ours = sy.partial_auc(one.y, one.s, sample_weight=one.w, max_fpr=max_fpr, standardize=True)
        assert agree(ours, theirs, scale=1), one


def test_roc_corners() -> None:
    """Ours are some of theirs, bit for bit without weights, and the rest of theirs lie between."""
    for one in samples(4, CASES // 2):
        ours = sy.roc(one.y, one.s)
        x, y, _ = sk.roc_curve(one.y, one.s, drop_intermediate=False)
        mine = list(zip(ours.fpr.tolist(), ours.tpr.tolist(), strict=True))
        theirs = list(zip(x.tolist(), y.tolist(), strict=True))
        assert set(mine) <= set(theirs), one
        for point in set(theirs) - set(mine):
            assert any(_between(point, a, b) for a, b in pairwise(mine)), one


def _between(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> bool:
    """On the upright or level stretch from a to b."""
    upright = a[0] == p[0] == b[0] and a[1] <= p[1] <= b[1]
    level = a[1] == p[1] == b[1] and a[0] <= p[0] <= b[0]
    return upright or level


def test_roc_unpacks_as_theirs() -> None:
    """Where no score is tied their points are ours, but for one inside the first stretch."""
    for one in samples(25, CASES // 4):
        score = one.s.argsort(kind="stable").argsort() + 0.0
        theirs = list(zip(*sk.roc_curve(one.y, score), strict=True))
        if _between(theirs[1][:2], theirs[0][:2], theirs[2][:2]):
            del theirs[1]  # they keep the first threshold whether it is a corner or not
        assert list(zip(*sy.roc(one.y, score), strict=True)) == theirs, one


def test_pr_is_theirs_without_the_intermediate_points() -> None:
    for one in samples(26, CASES // 2):
        theirs = sk.precision_recall_curve(one.y, one.s, drop_intermediate=True)
        for ours, column in zip(sy.pr(one.y, one.s), theirs, strict=True):
            assert ours.tolist() == column.tolist(), one


def test_confusion_shares() -> None:
    for one in samples(27, CASES // 4):
        for how in ("true", "pred", "all"):
            theirs = sk.confusion_matrix(one.y, one.s >= 0.5, labels=[0, 1], normalize=how)
            cells = sy.confusion(one.y, one.s, normalize=how)
            ours = np.array([[cells.tn, cells.fp], [cells.fn, cells.tp]])
            assert np.nan_to_num(ours).tolist() == theirs.tolist(), one  # theirs: 0/0 is 0


def test_gains_are_read_off_their_roc_curve() -> None:
    for sample in samples(12):
        ours = sy.gains(sample.y, sample.s, sample_weight=sample.w)
        theirs = sk.roc_curve(sample.y, sample.s, sample_weight=sample.w, drop_intermediate=False)
        at = {float(t): (float(fpr), float(tpr)) for fpr, tpr, t in zip(*theirs, strict=True)}
        weight = np.ones(len(sample.y)) if sample.w is None else sample.w
        up, down = weight[sample.y == 1].sum(), weight[sample.y == 0].sum()
        for x, y, threshold in zip(ours.depth, ours.capture, ours.thresholds, strict=True):
            fpr, tpr = at[float(threshold)]
            assert agree(float(y), tpr, scale=1), sample
            assert agree(float(x), float((tpr * up + fpr * down) / (up + down)), scale=1), sample
        assert np.allclose(ours.lift[1:], ours.capture[1:] / ours.depth[1:], rtol=1e-12, atol=0)


def test_score_histogram_counts_as_numpy() -> None:
    for sample in samples(13):
        edges, positives, negatives = sy.score_histogram(
            sample.y, sample.s, bins=7, sample_weight=sample.w
        )
        if len(set(edges.tolist())) < 8:
            continue
        for side, ours in ((1, positives), (0, negatives)):
            rows = sample.y == side
            weight = None if sample.w is None else sample.w[rows]
            theirs, _ = np.histogram(sample.s[rows].astype(np.float64), edges, weights=weight)
            assert np.allclose(ours, theirs, rtol=BOUND)


def test_roc_area() -> None:
    for one in samples(5, CASES // 2):
        ours = sy.roc(one.y, one.s, sample_weight=one.w)
        x, y, _ = sk.roc_curve(one.y, one.s, sample_weight=one.w)
        assert agree(sk.auc(ours.fpr, ours.tpr), sk.auc(x, y)), one


def test_roc_thresholds_make_the_points() -> None:
    for one in samples(6, CASES // 4):
        ours = sy.roc(one.y, one.s)
        for x, y, threshold in zip(ours.fpr, ours.tpr, ours.thresholds, strict=True):
            called = one.s >= threshold
            assert x == called[one.y == 0].mean()
            assert y == called[one.y == 1].mean()


@pytest.mark.parametrize("recall", [0.0, 0.5, 0.95, 1.0])
def test_precision_at_recall(recall: float) -> None:
    """Counts, so that their recall is k/P rounded once and compares as the fraction does."""
    for one in samples(7, CASES // 4):
        precision, reached, _ = sk.precision_recall_curve(one.y, one.s)
        theirs = precision[:-1][reached[:-1] >= recall].max()  # the last point is made up
        assert sy.precision_at_recall(one.y, one.s, recall=recall) == theirs, one


@pytest.mark.parametrize("precision", [0.25, 0.5, 0.9])
def test_recall_at_precision(precision: float) -> None:
    for one in samples(8, CASES // 4):
        reached, recall, _ = sk.precision_recall_curve(one.y, one.s)
        fit = recall[:-1][(reached[:-1] >= precision) & (recall[:-1] > 0)]
        if len(fit):
            assert sy.recall_at_precision(one.y, one.s, precision=precision) == fit.max(), one
        else:
            with pytest.warns(sy.UndefinedWarning, match="no threshold"):
                assert math.isnan(sy.recall_at_precision(one.y, one.s, precision=precision))


@pytest.mark.parametrize("fpr", [0.0, 0.2, 0.5])
def test_tpr_at_fpr(fpr: float) -> None:
    for one in samples(9, CASES // 4):
        x, y, _ = sk.roc_curve(one.y, one.s, drop_intermediate=False)
        assert sy.tpr_at_fpr(one.y, one.s, fpr=fpr) == y[x <= fpr].max(), one


def test_ks_and_youden() -> None:
    for one in samples(10, CASES // 4):
        x, y, thresholds = sk.roc_curve(one.y, one.s, sample_weight=one.w, drop_intermediate=False)
        gap = (y - x).max()
        assert agree(sy.ks(one.y, one.s, sample_weight=one.w), gap, scale=1), one
        best = sy.best_threshold(one.y, one.s, sample_weight=one.w)
        assert agree((y - x)[thresholds == best].item(), gap, scale=1), one


# --- counts --------------------------------------------------------------------------------------

COUNTS: dict[str, tuple[Callable[..., float], dict[str, Any], dict[str, Any], float]] = {
    "accuracy": (sk.accuracy_score, {}, {}, 0),
    "precision": (sk.precision_score, {}, {}, 0),
    "recall": (sk.recall_score, {}, {}, 0),
    "specificity": (sk.recall_score, {}, {"pos_label": 0}, 0),
    "npv": (sk.precision_score, {}, {"pos_label": 0}, 0),
    "f1": (sk.f1_score, {}, {}, 0),
    "fbeta": (sk.fbeta_score, {"beta": 0.5}, {"beta": 0.5}, 0),
    "mcc": (sk.matthews_corrcoef, {}, {}, 1),
    "balanced_accuracy": (sk.balanced_accuracy_score, {}, {}, 0),
}


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.filterwarnings("ignore::steelyard.errors.UndefinedWarning")
def test_counts(name: str) -> None:
    theirs, mine, options, scale = COUNTS[name]
    for one in samples(11, CASES // 3):
        ours = getattr(sy, name)(one.y, one.s, sample_weight=one.w, **mine)
        if not math.isnan(ours):  # what is undefined is a difference that is meant: see below
            value = theirs(one.y, one.called, sample_weight=one.w, **options)
            assert agree(ours, value, scale=scale), one


def test_confusion() -> None:
    for one in samples(12, CASES // 3):
        (tn, fp), (fn, tp) = sk.confusion_matrix(one.y, one.called)
        assert sy.confusion(one.y, one.s) == (tp, fp, fn, tn), one


# --- differences that are meant ------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Where we say something else on purpose: they give a number, we say that there is none."""

    metric: str
    theirs: Callable[[], float]
    they_say: float
    y: list[int]
    s: list[float]
    reason: str


ONES, ZEROS, MIXED = [1, 1, 1], [0, 0, 0], [1, 0, 1]
HIGH, LOW, SPLIT = [0.9, 0.8, 0.7], [0.1, 0.2, 0.3], [0.9, 0.2, 0.6]
NAN = float("nan")
DIFFERENCES = (
    Difference(
        "auc", lambda: sk.roc_auc_score(ONES, SPLIT), NAN, ONES, SPLIT,
        "no pair to order: they give NaN too, with a warning of another class",
    ),
    Difference(
        "ap", lambda: sk.average_precision_score(ZEROS, SPLIT), 0.0, ZEROS, SPLIT,
        "no positive to average over: 0 would be the value of a model, and there is none",
    ),
    Difference(
        "precision", lambda: sk.precision_score(MIXED, [0, 0, 0]), 0.0, MIXED, LOW,
        "nothing is called positive: 0/0 is not 0",
    ),
    Difference(
        "recall", lambda: sk.recall_score(ZEROS, [1, 0, 1]), 0.0, ZEROS, SPLIT,
        "no positive to find: 0/0 is not 0",
    ),
    Difference(
        "f1", lambda: sk.f1_score(ZEROS, ZEROS), 0.0, ZEROS, LOW,
        "nothing to find and nothing called: 0/0 is not 0",
    ),
    Difference(
        "mcc", lambda: sk.matthews_corrcoef(MIXED, [1, 1, 1]), 0.0, MIXED, HIGH,
        "a call that never varies has no correlation; 0 would say that it has none of it",
    ),
    Difference(
        "balanced_accuracy", lambda: sk.balanced_accuracy_score(ONES, [1, 0, 1]), 2 / 3,
        ONES, SPLIT,
        "they average over the classes that occur: one class's recall passes for a balance",
    ),
)  # fmt: skip


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.metric)
def test_differences_that_are_meant(row: Difference) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = row.theirs()
    assert row.reason
    assert repr(float(theirs)) == repr(row.they_say)
    with pytest.warns(sy.UndefinedWarning):
        assert math.isnan(getattr(sy, row.metric)(row.y, row.s))


def test_pr_curve_with_the_point_that_no_threshold_has() -> None:
    """They add (recall 0, precision 1), and so do we: code that unpacks theirs unpacks ours."""
    ours = sy.pr([0, 1], [0.9, 0.1])
    assert ours.precision.tolist() == [0.5, 0.0, 1.0]
    assert ours.recall.tolist() == [1.0, 0.0, 0.0]
    assert ours.thresholds.tolist() == [0.1, 0.9]
