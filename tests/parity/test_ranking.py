"""Parity of group and ranking metrics with scikit-learn, LightGBM and XGBoost, package by package.

Theirs are float sums: a value agrees within 1e-12 of itself.
"""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn import metrics as sk

import steelyard as sy
from steelyard.model import Array
from tests.parity.peers import lightgbm_says, shared, xgboost_says

BOUND = 1e-12


class Lists(NamedTuple):
    """Lists end to end: the rows of each query side by side, `sizes` of them."""

    grade: Array
    score: Array
    sizes: Array

    @property
    def group(self) -> Array:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    @property
    def parts(self) -> list[slice]:
        ends = np.cumsum(self.sizes).tolist()
        return [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]

    def binary(self, level: int) -> "Lists":
        return self._replace(grade=(self.grade >= level).astype(int))


def mixed(seed: int, groups: int = 60, smallest: int = 1, largest: int = 90) -> Lists:
    """Ragged lists with ties; every sixth has no relevant row, every seventh one score only."""
    dice = np.random.default_rng(seed)
    sizes = dice.integers(smallest, largest + 1, groups)
    grade = np.minimum(dice.geometric(0.5, sizes.sum()) - 1, 4)
    score = dice.integers(0, 20, sizes.sum()) / 8
    lists = Lists(grade, score, sizes)
    for rows in lists.parts[::6]:
        grade[rows] = 0
    for rows in lists.parts[::7]:
        score[rows] = 0.5
    return lists


@cache
def rank_test() -> Lists:
    """LightGBM's example, scored by one of its features, of which many rows have the same."""
    lines = shared("lightgbm", "rank.test").read_text().splitlines()
    sizes = shared("lightgbm", "rank.test.query").read_text().split()
    grade = [int(line.split()[0]) for line in lines]
    score = [float(line.partition(" 28:")[2].split(" ")[0] or 0) for line in lines]
    lists = Lists(np.array(grade), np.array(score), np.array(sizes, dtype=int))
    assert len(lists.grade) == lists.sizes.sum() == 768
    return lists


def weighed(lists: Lists, metric: str, **more: Any) -> float:
    result = sy.evaluate(
        label=lists.grade, score=lists.score, group_sizes=lists.sizes, metrics=metric, **more
    )
    return result[metric]


def agree(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=BOUND)


# --- scikit-learn --------------------------------------------------------------------------------

CUTS = [None, 1, 3, 10, 50]


@pytest.mark.parametrize("k", CUTS)
def test_sklearn_one_list_at_a_time(k: int | None) -> None:
    lists = mixed(1, groups=200, smallest=2, largest=40)
    for rows in lists.parts:
        grade, score = lists.grade[rows], lists.score[rows]
        if grade.any():
            ideal = sk.ndcg_score([grade], [score], k=k)
            assert agree(sy.ndcg(grade, score, k=k), ideal), (grade, score)
            assert agree(sy.dcg(grade, score, k=k), sk.dcg_score([grade], [score], k=k))


@pytest.mark.parametrize("k", CUTS)
def test_sklearn_preset(k: int | None) -> None:
    """Its mean has lists without a relevant row in it, as zeros."""
    lists = mixed(2, smallest=2)
    for name, theirs in (("ndcg", sk.ndcg_score), ("dcg", sk.dcg_score)):
        values = [theirs([lists.grade[r]], [lists.score[r]], k=k) for r in lists.parts]
        metric = name if k is None else f"{name}@{k}"
        assert agree(weighed(lists, metric, preset="sklearn"), math.fsum(values) / len(values))


def test_sklearn_without_relevant_rows() -> None:
    """The difference that is meant: they give 0, we say that there is none."""
    assert sk.ndcg_score([[0, 0]], [[1, 2]]) == 0
    with pytest.warns(sy.UndefinedWarning):
        assert math.isnan(sy.ndcg([0, 0], [1, 2]))


@pytest.mark.parametrize("group_weight", ["rows", "positives", "pairs", "equal"])
@pytest.mark.parametrize("single_class", ["skip", 0.5, 0])
def test_gauc_is_a_mean_of_sklearn_aucs(group_weight: str, single_class: str | float) -> None:
    lists = mixed(3).binary(1)
    total = weight = 0.0
    for rows in lists.parts:
        y, s = lists.grade[rows], lists.score[rows]
        positives, negatives = int(y.sum()), int((1 - y).sum())
        both = positives and negatives
        if not both and single_class == "skip":
            continue
        auc = sk.roc_auc_score(y, s) if both else float(single_class)
        weights = {
            "rows": len(y),
            "positives": positives,
            "pairs": positives * negatives,
            "equal": 1,
        }
        weight += weights[group_weight]
        total += auc * weights[group_weight]
    ours = sy.gauc(
        lists.grade,
        lists.score,
        group=lists.group,
        group_weight=group_weight,
        single_class=single_class,
    )
    assert agree(ours, total / weight)


# --- LightGBM ------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 5, 10, 200])
@pytest.mark.parametrize("lists", [rank_test, partial(mixed, 4)], ids=["rank.test", "mixed"])
def test_lightgbm(lists: Callable[[], Lists], k: int) -> None:
    rows = lists()
    order = {"ties": "stable", "empty": 1}
    for name, own in (("ndcg", {"gain": "exp2"}), ("map", {"denominator": "min"})):
        theirs = lightgbm_says(*rows, f"{name}@{k}")
        assert agree(weighed(rows, f"{name}@{k}", preset="lightgbm"), theirs)
        function = getattr(sy, name)
        assert agree(
            function(rows.grade, rows.score, group=rows.group, k=k, **own, **order), theirs
        )


def test_lightgbm_without_relevant_rows() -> None:
    """Nothing to find is a perfect list for them."""
    rows = Lists(np.array([0, 0]), np.array([0.1, 0.2]), np.array([2]))
    for metric in ("ndcg@1", "map@1"):
        assert lightgbm_says(*rows, metric) == weighed(rows, metric, preset="lightgbm") == 1


def test_lightgbm_ties_go_by_row() -> None:
    """Reversing the rows changes their number; by expectation it stays."""
    rows = Lists(np.array([1, 0]), np.array([0.5, 0.5]), np.array([2]))
    back = rows._replace(grade=rows.grade[::-1])
    assert lightgbm_says(*rows, "ndcg@1") == weighed(rows, "ndcg@1", preset="lightgbm") == 1
    assert lightgbm_says(*back, "ndcg@1") == weighed(back, "ndcg@1", preset="lightgbm") == 0
    assert weighed(rows, "ndcg@1") == weighed(back, "ndcg@1") == 0.5


# --- XGBoost -------------------------------------------------------------------------------------

XGBOOST = {"ndcg": "ndcg", "map": "map", "pre": "precision"}


@pytest.mark.parametrize("k", [1, 3, 5, 10, 200])
@pytest.mark.parametrize("name", XGBOOST)
@pytest.mark.parametrize("lists", [rank_test, partial(mixed, 5)], ids=["rank.test", "mixed"])
def test_xgboost(lists: Callable[[], Lists], name: str, k: int) -> None:
    """Its map and pre take grades of 0 and 1 only."""
    rows = lists() if name == "ndcg" else lists().binary(2)
    theirs = xgboost_says(*rows, f"{name}@{k}")
    assert agree(weighed(rows, f"{XGBOOST[name]}@{k}", preset="xgboost"), theirs)


@pytest.mark.parametrize("name", ["ndcg", "map"])
def test_xgboost_with_a_minus(name: str) -> None:
    """`ndcg@5-`: lists without a relevant row are 0."""
    rows = mixed(6).binary(2)
    theirs = xgboost_says(*rows, f"{name}@5-")
    assert theirs < xgboost_says(*rows, f"{name}@5") - 0.1
    assert agree(weighed(rows, f"{name}(empty=0)@5", preset="xgboost"), theirs)


def test_xgboost_linear_gain() -> None:
    rows = rank_test()
    theirs = xgboost_says(*rows, "ndcg@5", ndcg_exp_gain=False)
    assert agree(weighed(rows, "ndcg(gain=linear)@5", preset="xgboost"), theirs)


@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost_without_a_cut_cuts_at_32(name: str) -> None:
    """Its objective's default number of pairs, which a metric without @k takes for its cut."""
    rows = mixed(7).binary(1)
    assert rows.sizes.max() > 32
    theirs = xgboost_says(*rows, name)
    assert theirs == xgboost_says(*rows, f"{name}@32")
    ours = "precision@32" if name == "pre" else name
    assert agree(weighed(rows, ours, preset="xgboost"), theirs)


def test_xgboost_compares_float32() -> None:
    rows = Lists(np.array([0, 1]), np.array([0.1, 0.1 + 1e-10]), np.array([2]))
    assert xgboost_says(*rows, "ndcg@1") == weighed(rows, "ndcg@1", preset="xgboost") == 0
    assert lightgbm_says(*rows, "ndcg@1") == weighed(rows, "ndcg@1", preset="lightgbm") == 1


# --- weights of queries --------------------------------------------------------------------------


def test_weights_of_queries() -> None:
    """LightGBM's and XGBoost's weighted means are ours by a column of weights..."""
    rows, weight = mixed(8).binary(1), np.random.default_rng(8).integers(1, 9, 60) / 8
    kept = np.add.reduceat(rows.grade, np.cumsum([0, *rows.sizes[:-1]])) > 0
    of_row, stays = np.repeat(weight, rows.sizes), np.repeat(kept, rows.sizes)
    full = Lists(rows.grade[stays], rows.score[stays], rows.sizes[kept])
    means: dict[str, dict[str, Any]] = {"ndcg": {"gain": "exp2"}, "map": {"denominator": "min"}}
    for name, own in means.items():
        own |= {"ties": "stable", "group_weight": of_row[stays]}
        ours = getattr(sy, name)(full.grade, full.score, group=full.group, k=5, **own)
        assert agree(ours, lightgbm_says(*full, f"{name}@5", of_row[stays]))
        assert agree(ours, xgboost_says(*full, f"{name}@5", weight[kept]))


def test_an_empty_query_has_no_weight_in_their_ndcg() -> None:
    """...but both add 1, not its weight, for a query without a relevant row: (1 + 2)/(2 + 2).

    With small weights LightGBM's NDCG exceeds 1, and XGBoost stops. Ours does not share it.
    """
    rows = Lists(np.array([0, 0, 1, 0]), np.array([0.2, 0.1, 0.2, 0.1]), np.array([2, 2]))
    assert lightgbm_says(*rows, "ndcg@1", np.full(4, 2.0)) == 3 / 4
    assert xgboost_says(*rows, "ndcg@1", np.full(2, 2.0)) == 3 / 4
    ours = sy.ndcg(rows.grade, rows.score, group=rows.group, k=1, empty=1, group_weight=[2] * 4)
    assert ours == 1
