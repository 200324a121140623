"""Values that rest on few clusters' rows of a class have no interval, and say so."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pytest

import steelyard as sy
from steelyard.comparison.judging import FEW_OF_CLASS
from steelyard.stats.intervals import AT_END, FEW_NEEDED, MAY_LEAVE, ONE_CLUSTER
from tests.laws.clustered_log import make_log

LABELS: dict[str, Any] = {"label": "y", "prediction": "p", "cluster": "u"}
SCORES: dict[str, Any] = {"label": "y", "score": ["a", "b", "c"], "classes": ["a", "b", "c"]}
AVERAGES = ("macro", "weighted", "micro")


class Example(NamedTuple):
    """A row: user, true class, predicted class, weight."""

    user: int
    true: str
    called: str
    weight: float


def users(rows: Iterable[Example]) -> int:
    return len({row.user for row in rows if row.weight})


def needed(metric: str, of: str, rows: list[Example]) -> list[list[Example]]:
    """By definition: the rows whose users must be two or more, for the value of one class."""
    true = [row for row in rows if row.true == of]
    called = [row for row in rows if row.called == of]
    others = [row for row in rows if row.true != of]
    not_called = [row for row in rows if row.called != of]
    return {
        "recall": [true],
        "fnr": [true],
        "precision": [called],
        "fdr": [called],
        "f1": [true + called, true],
        "specificity": [others],
        "fpr": [others],
        "npv": [not_called],
        "accuracy": [rows],
    }[metric]


def moving(metric: str, of: str, rows: list[Example]) -> list[Example]:
    """The rows that move a class's value, or its share of a weighted mean."""
    of_value = [row for part in needed(metric, of, rows) for row in part]
    return [*of_value, *(row for row in rows if row.true == of)]


def rests_on_one(metric: str, average: str, rows: list[Example]) -> bool:
    """Whether a class of the mean rests on one user."""
    if average == "micro":
        return False
    for of in {row.true for row in rows} | {row.called for row in rows}:
        parts = needed(metric, of, rows)
        has_value = any(row.weight for part in parts for row in part)
        if average == "weighted":
            has_value &= any(row.weight for row in rows if row.true == of)
        if not has_value or 1 not in map(users, parts):
            continue
        if average == "macro" or users(moving(metric, of, rows)) > 1:
            return True
    return False


def may_leave(metric: str, average: str, rows: list[Example]) -> bool:
    """Whether a class is without a value, or has one of fewer than five users."""
    if average == "micro":
        return False
    seen = [row for row in rows if row.weight]
    for of in {row.true for row in seen} | {row.called for row in seen}:
        if average == "weighted" and (
            metric in ("recall", "fnr", "f1", "accuracy") or of not in {row.true for row in seen}
        ):
            continue  # its weight is part of the denominator, or 0
        if users(needed(metric, of, rows)[0]) < 5:
            return True
    return False


def random_rows(seed: int) -> list[Example]:
    """Few users with few rows, where classes of one user are frequent; some logs have more."""
    random = np.random.default_rng(seed)
    most = 9 if seed % 3 == 0 else 4
    size = int(random.integers(4, 14 if most == 4 else 90))
    true, called = random.choice(list("aaabbc"), (2, size))
    called = np.where(random.random(size) < 0.4, true, called)
    user, weight = random.integers(0, most, size), random.choice([0.0, 0.5, 1.0, 1.0], size)
    return [Example(*row) for row in zip(user.tolist(), true, called, weight.tolist(), strict=True)]


METRICS = ("recall", "fnr", "precision", "fdr", "f1", "specificity", "fpr", "npv", "accuracy")


def test_no_interval_where_a_class_of_the_mean_rests_on_few_users() -> None:
    specs = {
        f"{metric}({average})": (metric, average) for metric in METRICS for average in AVERAGES
    }
    cases = [rows for rows in map(random_rows, range(150)) if any(row.weight for row in rows)]
    columns = [np.array(column) for column in zip(*(r for c in cases for r in c), strict=True)]
    made = dict(zip(("u", "y", "p", "w"), columns, strict=True))
    made["case"] = np.repeat(np.arange(len(cases)), [len(rows) for rows in cases])
    result = sy.evaluate(made, weight="w", by="case", metrics=list(specs), **LABELS)
    found = dict.fromkeys((MAY_LEAVE, FEW_NEEDED, None), 0)
    for row in result.rows:
        if not row.slice or row.value is None or row.details.get("no_interval") == ONE_CLUSTER:
            continue
        case = (*specs[row.metric], cases[int(row.slice["case"] or 0)])
        expected = MAY_LEAVE if may_leave(*case) else FEW_NEEDED if rests_on_one(*case) else None
        told = row.details.get("no_interval")
        assert (None if told == AT_END else told) == expected, row
        found[expected] += 1
    assert min(found.values()) >= 20, found


ONE_USER_EACH = {  # every class has rows of one user alone
    "y": list("aabbccdd"),
    "p": list("abbbcacd"),
    "u": [1, 1, 2, 2, 3, 3, 4, 4],
}


def test_a_weighted_mean_of_classes_of_one_user_each_has_the_interval_of_the_accuracy() -> None:
    """Weighted recall is the accuracy, whoever has the rows of a class."""
    macro, weighted, accuracy = sy.evaluate(
        ONE_USER_EACH, metrics=["recall(macro)", "recall(weighted)", "accuracy"], **LABELS
    ).rows
    assert (macro.low, macro.details["no_interval"]) == (None, MAY_LEAVE)
    assert weighted.value == accuracy.value
    assert weighted.low == pytest.approx(accuracy.low, rel=1e-12)
    assert weighted.high == pytest.approx(accuracy.high, rel=1e-12)


@pytest.mark.parametrize("metric", ["mcc", "kappa"])
def test_one_user_with_rows_of_other_classes_is_too_few(metric: str) -> None:
    y, p = ["a", "b", "c", "a", "a", "a", "a"], ["a", "c", "c", "b", "a", "a", "a"]
    for users_, why in (([1, 1, 1, 2, 2, 3, 3], FEW_NEEDED), ([1, 1, 2, 2, 2, 3, 3], None)):
        (row,) = sy.evaluate({"y": y, "p": p, "u": users_}, metrics=metric, **LABELS).rows
        assert row.details.get("no_interval") == why


def scored(of_c: list[int]) -> dict[str, Any]:
    """Rows of three classes with scores that overlap; of_c: the users of the rows of class c."""
    y = [*"aabbaabbabab", *("c" for _ in of_c)]
    random = np.random.default_rng(1)
    columns = {name: random.integers(1, 6, len(y)) / 8.0 for name in "abc"}
    return {**columns, "y": y, "u": [1, 2, 1, 2, 3, 3, 3, 1, 4, 4, 5, 5, *of_c]}


@pytest.mark.parametrize(
    ("spec", "needs_five"),
    [
        *(("auc(ovr)", True), ("auc(ovr, average=weighted)", False), ("auc(ovo)", True)),
        *(("auc(ovo, average=weighted)", True), ("auc(ovr, average=micro)", False)),
    ],
)
def test_the_auc_of_classes_needs_rows_of_five_users(spec: str, needs_five: bool) -> None:
    for of_c, few in (([1, 2, 3, 4, 4], True), ([1, 2, 3, 4, 5], False)):
        (row,) = sy.evaluate(scored(of_c), metrics=spec, cluster="u", **SCORES).rows
        why = MAY_LEAVE if few and needs_five else None
        assert row.details.get("no_interval") == why
        assert (row.low is None) == (why is not None)


def test_the_weighted_auc_of_classes_needs_others_of_two_users() -> None:
    """All rows of class a are of user 1, and all others of user 2: no negatives of c elsewhere."""
    rows = {**scored([1, 2, 3]), "u": [2] * 12 + [1, 2, 3]}
    (row,) = sy.evaluate(rows, metrics="auc(ovr, average=weighted)", cluster="u", **SCORES).rows
    assert row.details["no_interval"] == FEW_NEEDED


@pytest.mark.parametrize("spec", ["f1", "fbeta(2)", "recall", "ap"])
def test_positives_of_one_user_are_too_few(spec: str) -> None:
    log = make_log(12).columns
    click = np.where(log["user"] == 3, np.arange(len(log["user"])) % 2, 0)
    options: dict[str, Any] = {"label": "click", "cluster": "user", "metrics": [spec]}
    rows = {**log, "click": click}
    (row,) = sy.evaluate(rows, score="score", **options).rows
    assert row.details["no_interval"] == (ONE_CLUSTER if spec == "recall" else FEW_NEEDED)
    (compared,) = sy.compare(rows, score=["score", "other"], **options).rows
    assert (compared.low, compared.p) == (None, None)
    assert (compared.why == FEW_OF_CLASS) == (spec != "recall")


def test_only_clusters_that_the_positive_class_has_rows_of_count() -> None:
    """The precision of one class has the clusters and the interval that scores give it."""
    log = make_log(30, seed=4).columns
    called = (log["score"] >= 0.7) * 1
    assert 1 < len(set(log["user"][called == 1])) < 30
    options: dict[str, Any] = {"label": "click", "cluster": "user"}
    specs = ["precision", "recall", "f1"]
    of_scores = sy.evaluate(log, score="score", metrics=[f"{s}(0.7)" for s in specs], **options)
    found = sy.evaluate({**log, "p": called}, prediction="p", metrics=specs, **options)
    for row, expected in zip(found.rows, of_scores.rows, strict=True):
        assert row.value == expected.value
        assert row.details["clusters"] == expected.details["clusters"]
        assert row.low == pytest.approx(expected.low, rel=1e-12)
