"""Influence values and intervals of metrics of many classes."""

from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.stats.intervals import AT_END
from tests.laws import influences as laws
from tests.laws.influences import Case, Columns

RANDOM = np.random.default_rng(5)
NAMES = np.array(["a", "b", "c", "d", "only called", "only true"])
QUOTIENTS = ("precision", "recall", "f1", "fdr", "fnr", "fpr", "npv", "specificity")
AVERAGES = ("macro", "micro", "weighted")


AVERAGED = [
    *(f"{name}({average})" for name in QUOTIENTS for average in AVERAGES),
    *(f"fbeta(beta=2, average={average})" for average in AVERAGES),
]
FILLED = [
    f"{name}({average}, zero_division={value})"
    for name, value in (("precision", 1), ("recall", 0), ("f1", 0))
    for average in AVERAGES
]
ONE_VS_REST = [f"accuracy({average})" for average in AVERAGES]
KAPPAS = ["kappa", "kappa(linear)", "kappa(quadratic)"]
OF_SCORES = [
    *(f"auc({kind})" for kind in ("ovr", "ovo")),
    *(f"auc({kind}, average=weighted)" for kind in ("ovr", "ovo")),
    *("auc(ovr, average=micro)", "top_k_accuracy", "top_k_accuracy(k=1)", "logloss", "brier"),
]


def columns(clusters: int, rows: int) -> Columns:
    """Rows of four classes that each user likes more or less."""
    cluster = np.concatenate([np.arange(clusters), RANDOM.integers(0, clusters, rows - clusters)])
    likes = RANDOM.random((clusters, 4)) ** 2
    true = np.array([RANDOM.choice(4, p=likes[c] / likes[c].sum()) for c in cluster])
    called = np.where(RANDOM.random(rows) < 0.5, true, RANDOM.integers(0, 4, rows))
    slice_ = np.array(["few classes", "one class", "x", "y"])[RANDOM.integers(0, 4, rows)]
    weight = RANDOM.integers(1, 9, rows) / 4.0
    return {"y": NAMES[true], "p": NAMES[called], "c": cluster, "g": slice_, "w": weight}


def uneven(clusters: int, rows: int) -> Columns:
    """Such rows with a class that is never true, one that is never called, and slices of few."""
    made = columns(clusters, rows)
    made["y"][RANDOM.random(rows) < 0.06] = "only true"
    made["p"][(RANDOM.random(rows) < 0.06) & (made["y"] != "only true")] = "only called"
    few = made["g"] == "few classes"
    made["y"][few & ~np.isin(made["y"], ["a", "b"])] = "a"
    made["p"][few & ~np.isin(made["p"], ["a", "b"])] = "c"
    for side in ("y", "p"):
        made[side][made["g"] == "one class"] = "b"
    return made


def scored(made: Columns, count: int = 5) -> Columns:
    """The same rows with a probability for each class, often tied; the fifth is never true."""
    rows, true = len(made["y"]), np.searchsorted(NAMES[:4], made["y"]).clip(0, 3)
    scores = RANDOM.integers(1, 9, (rows, count)) * 1.0
    scores[np.arange(rows), true] += RANDOM.integers(0, 6, rows)
    shares = scores / scores.sum(axis=1, keepdims=True)
    of_classes = {f"of {name}": shares[:, place] for place, name in enumerate(NAMES[:count])}
    return {**made, **of_classes, "y": NAMES[true]}


PREDICTED = uneven(12, 400)
TWO = {
    **PREDICTED,
    "y": np.isin(PREDICTED["y"], ["a", "b"]) * 1,
    "p": np.isin(PREDICTED["p"], ["a", "c"]) * 1,
}
OF_LABELS = {"label": "y", "prediction": "p"}
OF_CLASSES, OF_FOUR = (
    {"label": "y", "score": [f"of {name}" for name in names], "classes": list(names)}
    for names in (NAMES[:5], NAMES[:4])
)
EVERY = [*AVERAGED, *ONE_VS_REST, *KAPPAS, "accuracy", "balanced_accuracy", "mcc"]
CASES = {
    "all classes": Case(PREDICTED, EVERY, **OF_LABELS),
    "0/0 filled": Case(PREDICTED, FILLED, **OF_LABELS),
    "chosen classes": Case(
        PREDICTED,
        [*AVERAGED, *ONE_VS_REST, *KAPPAS],
        classes=["c", "only true", "never", "a"],
        **OF_LABELS,
    ),
    "two classes": Case(
        TWO,
        [*QUOTIENTS, "fbeta(beta=0.5)", "accuracy", "mcc", "kappa"],
        positive=0,
        **OF_LABELS,
    ),
    "scores": Case(scored(PREDICTED), OF_SCORES, **OF_CLASSES),
}


@pytest.mark.parametrize("name", CASES)
def test_influences_are_derivatives_by_the_weight_of_a_cluster(name: str) -> None:
    assert laws.farthest(CASES[name]) < 1e-5


@pytest.mark.parametrize("name", CASES)
def test_no_bit_depends_on_the_order_of_rows_or_on_other_slices(name: str) -> None:
    laws.check_order(CASES[name], seed=3)


@pytest.mark.parametrize("name", ["chosen classes", "two classes", "scores"])
def test_rows_of_one_cluster_have_no_interval(name: str) -> None:
    laws.check_one_cluster(CASES[name])


@pytest.mark.parametrize("of", ["predictions", "scores"])
def test_standard_errors_are_near_those_of_the_jackknife(of: str) -> None:
    rows = columns(40, 2000)
    specs, options = (EVERY, OF_LABELS) if of == "predictions" else (OF_SCORES, OF_FOUR)
    case = Case(rows if of == "predictions" else scored(rows, 4), specs, **{**options, "by": None})
    found = laws.errors(case.evaluate())
    for place, error in laws.jackknife(case).items():
        assert found[place] == pytest.approx(error, rel=0.04), place


def test_a_slice_of_one_class_has_the_values_that_it_can_have() -> None:
    found = laws.by_place(CASES["all classes"].evaluate(), "details")
    values = laws.by_place(CASES["all classes"].evaluate(), "value")
    for metric in ("mcc", "kappa", "npv(macro)"):
        assert values[metric, "one class"] is None
        assert "standard_error" not in found[metric, "one class"]
    for metric in ("accuracy", "f1(macro)", "recall(weighted)"):
        assert values[metric, "one class"] == 1.0
        assert found[metric, "one class"]["no_interval"] == AT_END


def test_clusters_without_a_chosen_class_do_not_count_for_kappa() -> None:
    rows = {"y": ["a", "b", "a", "b", "c"], "p": ["a", "a", "a", "b", "c"], "u": [1, 1, 2, 3, 4]}
    for classes, clusters in ((None, 4), (["a", "b"], 3)):
        options: dict[str, Any] = {
            "label": "y",
            "prediction": "p",
            "cluster": "u",
            "classes": classes,
        }
        found = sy.evaluate(rows, metrics="kappa", **options)
        assert found.rows[0].details["clusters"] == clusters


def test_intervals_do_not_depend_on_the_unit_of_weights() -> None:
    rows = {"y": ["a", "b", "a", "b"], "p": ["a", "a", "a", "b"], "u": [1, 2, 3, 4]}
    roles: dict[str, Any] = {**OF_LABELS, "cluster": "u", "weight": "w"}
    found = [
        laws.intervals(sy.evaluate({**rows, "w": np.full(4, weight)}, metrics=EVERY, **roles))
        for weight in (1.0, 2.0**1000, 5e-324)
    ]
    assert found[0] == found[1] == found[2]
