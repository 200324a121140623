"""Several scores compared: all pairs, Holm's correction, the groups of a pair, ranked lists."""

import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import errors
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.report.charts.chart import Points
from steelyard.report.charts.of_comparison import comparison_chart
from tests.laws.clustered_log import make_log

sy: Any = steelyard

LOG = make_log(60, seed=2)
SCORES = {"old": "score", "new": "other", "mean": "(score + other) / 2"}
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "group": "list"}
METRICS = ["auc", "gauc", "ndcg@3", "ks"]


def compare(**options: Any) -> Any:
    return sy.compare(LOG.columns, **{**ROLES, "score": SCORES, "metrics": METRICS, **options})


def holm(p: list[float]) -> list[float]:
    """Holm (1979), literally: the smallest p times m, the next times m − 1, never falling."""
    found, before = [0.0] * len(p), 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        before = max(before, min(1.0, (len(p) - rank) * p[place]))
        found[place] = before
    return found


@pytest.mark.parametrize("all_pairs", [False, True])
def test_p_of_the_totals_is_corrected_for_the_pairs_of_each_metric(all_pairs: bool) -> None:
    found = compare(all_pairs=all_pairs, by="country")
    for metric in ("auc", "gauc", "ndcg@3"):
        rows = [row for row in found if row.metric == metric and not row.slice]
        assert len(rows) == (3 if all_pairs else 2)
        assert [row.holm for row in rows] == pytest.approx(holm([row.p for row in rows]))
    assert all(row.holm is None for row in found if row.slice or row.metric == "ks")
    one = sy.compare(LOG.columns, **ROLES, score=["score", "other"], metrics=METRICS)
    assert all(row.holm is None for row in one)
    assert "Holm" not in str(one)
    pairs = "3" if all_pairs else "2"
    assert f"Holm p is p corrected for the {pairs} pairs of each metric" in str(found)


def test_each_pair_is_the_comparison_of_these_two_scores() -> None:
    every = compare(all_pairs=True, by="country")
    assert len(every) == 3 * len(METRICS) * 4  # the total and three countries
    for against, score in combinations(SCORES, 2):
        two = {name: SCORES[name] for name in (against, score)}
        for row in compare(score=two, by="country"):
            same = every.row(row.metric, score, against=against, slice=row.slice)
            assert (same.against, same.score) == (against, score)
            for name in ("baseline", "candidate", "difference", "low", "high", "p", "q", "outcome"):
                assert getattr(same, name) == getattr(row, name), name
    tested = {(test.metric, test.score, test.against) for test in every.tests}
    assert len(tested) == len(every.tests) == 9
    assert "auc by country: mean against new" in str(every)
    assert "Every score is compared with every other." in every.to_html()
    assert "mean against new" in every.to_html()
    for against in ("old", "new"):
        chart = comparison_chart(every, "forest", score="mean", against=against)
        assert f"mean against {against}" in chart.title
        shown = next(mark.x[0] for mark in chart.marks if isinstance(mark, Points))
        assert shown == every.row("auc", "mean", against=against).difference


def test_a_score_is_measured_once_for_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    measure = EvaluatedTable.influences

    def counted(table: EvaluatedTable, bound: Any, numbers: Any) -> Any:
        calls.append((table.score, table.names, bound.name))
        return measure(table, bound, numbers)

    monkeypatch.setattr(EvaluatedTable, "influences", counted)
    compare(all_pairs=True, by="country")
    assert len(calls) == len(set(calls)) == 3 * 2 * 3  # scores, tables, metrics with influences


def test_all_pairs_need_neither_a_baseline_nor_a_second_log() -> None:
    with pytest.raises(errors.InputError, match=r"but baseline=\.\.\. is given: leave out one"):
        compare(all_pairs=True, baseline="new")
    with pytest.raises(errors.InputError, match="but there are two logs: leave out one"):
        sy.compare(*[LOG.columns] * 2, **ROLES, score="score", all_pairs=True)
    with pytest.raises(errors.InputError, match="no score is called 'mean': the baseline is one"):
        compare(all_pairs=True).row("auc", "new", against="mean")


# --- groups --------------------------------------------------------------------------------------
def test_groups_have_the_values_of_two_evaluations() -> None:
    found = compare(by="country", all_pairs=True)
    values = sy.evaluate(
        LOG.columns, **{**ROLES, "score": SCORES, "metrics": METRICS}, by="country"
    )
    for metric, slice_ in (("ndcg@3", {}), ("gauc", {"country": "DE"})):
        table = found.groups(metric, "mean", against="new", slice=slice_)
        sides = [values.groups(metric, score=score, slice=slice_) for score in ("new", "mean")]
        assert table["list"] == sides[0]["list"]
        assert table["n"] == sides[0]["n"]
        for name, side in zip(("baseline", "candidate"), sides, strict=True):
            assert table[name] == side[metric]
        for _, _, _, old, new, amount in zip(*map(table.__getitem__, table.columns), strict=True):
            assert amount == (None if None in (old, new) else new - old)
    assert found.groups() == found.groups("gauc", "new", against="old")


def test_the_mean_of_the_differences_of_lists_is_the_difference() -> None:
    found = compare()
    known = [amount for amount in found.groups("ndcg@3")["difference"] if amount is not None]
    assert np.mean(known) == pytest.approx(found.row("ndcg@3").difference, rel=1e-12)


def test_worst_and_best_are_the_largest_losses_and_gains() -> None:
    table = compare().groups("ndcg@3")
    known = sorted(amount for amount in table["difference"] if amount is not None)
    losses, gains = [a for a in known if a < 0], [a for a in known if a > 0][::-1]
    assert losses
    assert gains
    assert table.worst(5)["difference"] == losses[:5]
    assert table.best(5)["difference"] == gains[:5]
    assert table.worst(10**6)["difference"] == losses
    assert table.ordered()["difference"] == known
    lines = {line["list"]: line for line in table}
    assert all(lines[line["list"]] == line for line in table.worst(5))


def test_groups_of_two_logs_are_matched_by_key() -> None:
    """Lists 1 and 2 are in both logs; a list of one log alone has no difference."""
    first = {"list": [1, 1, 2, 2, 3, 3], "click": [1, 0, 1, 0, 1, 0], "s": [2, 1, 2, 1, 2, 1]}
    second = {"list": [4, 4, 1, 1, 2, 2], "click": [1, 0, 1, 0, 1, 0], "s": [2, 1, 1, 2, 2, 1]}
    found = sy.compare(first, second, label="click", score="s", group="list", metrics="mrr")
    assert "intervals by list" in str(found)  # no cluster was given: lists are what varies
    table = found.groups("mrr")
    assert list(table) == [
        {"list": 1, "n": 2, "positives": 1, "baseline": 1, "candidate": 0.5, "difference": -0.5},
        {"list": 2, "n": 2, "positives": 1, "baseline": 1, "candidate": 1, "difference": 0},
        {"list": 3, "n": 2, "positives": 1, "baseline": 1, "candidate": None, "difference": None},
        {"list": 4, "n": 2, "positives": 1, "baseline": None, "candidate": 1, "difference": None},
    ]
    again = pickle.loads(pickle.dumps(found))
    assert list(again.groups("mrr")) == list(table)
    assert again.groups_csv() == found.groups_csv()


def test_a_slice_of_one_log_alone_has_its_groups() -> None:
    first = {"list": [1, 1, 2, 2], "click": [1, 0] * 2, "s": [2, 1] * 2, "day": [1, 1, 1, 1]}
    second = {**first, "day": [1, 1, 2, 2]}
    roles = {"label": "click", "score": "s", "group": "list", "metrics": "mrr", "by": "day"}
    table = sy.compare(first, second, **roles).groups("mrr", day=2)
    assert (table["list"], table["baseline"], table["candidate"]) == ([2], [None], [1.0])


def test_groups_that_are_not_there_are_refused() -> None:
    with pytest.raises(errors.SpecError, match="has no table of groups"):
        compare(metrics="auc").groups()
    with pytest.raises(errors.SpecError, match="has no table of groups"):
        compare(metrics="auc").groups_csv()
    with pytest.raises(errors.SpecError, match="has no table of groups"):
        compare(metrics="auc").to_text(worst=3)
    assert compare(metrics="auc").group_metrics == ()
    assert compare().group_metrics == ("gauc", "ndcg@3")
    with pytest.raises(errors.SpecError, match="auc is not a mean over groups"):
        compare().groups("auc")


# --- ranked lists --------------------------------------------------------------------------------
def test_lists_are_the_clusters_of_ranking_metrics() -> None:
    """The interval is that of cluster=list, which a user may still name otherwise."""
    roles = {"label": "click", "group": "list", "score": ["score", "other"]}
    named = sy.compare(LOG.columns, **roles, cluster="list", metrics=["ndcg@3", "map"])
    assert sy.compare(LOG.columns, **roles, metrics=["ndcg@3", "map"]) == named
    users = sy.compare(LOG.columns, **roles, cluster="user", metrics=["ndcg@3", "map"])
    assert users.row("map").low != named.row("map").low
    arrays = {
        "label": LOG.columns["click"],
        "group": LOG.columns["list"],
        "score": {"score": LOG.columns["score"], "other": LOG.columns["other"]},
    }
    found = sy.compare(**arrays, metrics="map", confidence=0.9)
    assert "90 % intervals by group" in str(found)


def test_metrics_may_be_an_iterator() -> None:
    assert compare(metrics=iter(METRICS)) == compare()
    roles = {"label": "click", "group": "list", "score": ["score", "other"]}
    assert sy.compare(LOG.columns, **roles, metrics=iter(["map"])).metrics == ("map",)


@pytest.mark.parametrize(
    "changed", [{"metrics": ["map", "auc"]}, {"metrics": "gauc"}, {"group": ["list", "user"]}]
)
def test_other_metrics_and_keys_of_two_columns_need_a_cluster(changed: dict[str, Any]) -> None:
    roles = {"label": "click", "group": "list", "score": ["score", "other"], "metrics": "map"}
    with pytest.raises(errors.InputError, match="a comparison needs cluster="):
        sy.compare(LOG.columns, **{**roles, **changed})
