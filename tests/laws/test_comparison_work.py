"""Comparisons do no work twice: one measurement a score, one numbering of groups and lines."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import kernels
from steelyard.evaluation.table_values import EvaluatedTable
from steelyard.metrics.influence import Influences, of_lines
from steelyard.states.sums import state as sums_state
from steelyard.stats.differences import renumbered
from steelyard.views.clusters import ClusterLines, lines_of
from tests.laws.clustered_log import make_log

sy: Any = steelyard

LOG = make_log(60, seed=3)
SCORES = {"old": "score", "new": "other", "mean": "(score + other) / 2"}
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "group": "list", "by": "country"}
METRICS = ["auc", "gauc", "logloss"]
TABLES = 2  # the total and the countries


def test_each_score_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[Any] = Counter()
    measure = EvaluatedTable.influences

    def counted(table: EvaluatedTable, bound: Any, numbers: Any) -> Influences:
        calls[table.score, table.names, bound.name] += 1
        return measure(table, bound, numbers)

    monkeypatch.setattr(EvaluatedTable, "influences", counted)
    sy.compare(LOG.columns, score=SCORES, metrics=METRICS, **ROLES)
    assert len(calls) == len(SCORES) * TABLES * len(METRICS)
    assert set(calls.values()) == {1}


def test_groups_and_lines_of_one_log_are_numbered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    for place, name in ((kernels.active(), "code_keys"), (sums_state, "_lines")):
        monkeypatch.setattr(place, name, _counting(getattr(place, name), calls))
    sy.compare(LOG.columns, score=SCORES, metrics=METRICS, **ROLES)
    assert calls["code_keys"] == 3  # of countries, of users, and of lists
    by_slice_alone = len(SCORES)  # the sums that are shown with every value
    assert calls["_lines"] == by_slice_alone + 1


def _counting(function: Any, calls: Counter[str]) -> Any:
    def counted(*arguments: Any) -> Any:
        calls[function.__name__] += 1
        return function(*arguments)

    return counted


def test_groups_of_other_rows_have_numbers_of_their_own() -> None:
    """Two logs of as many rows and other lists."""
    lists = LOG.columns["list"][::-1] + 1000
    later = {**LOG.columns, "list": lists, "user": lists}
    roles = {**ROLES, "score": "score", "metrics": ["gauc"]}
    found = sy.compare(LOG.columns, later, **roles)
    for row in found:
        own = sy.evaluate(later, **{**roles, "cluster": None}).value("gauc", slice=row.slice)
        assert row.candidate == own


def test_what_was_sorted_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[EvaluatedTable] = []
    measure = EvaluatedTable.influences

    def recorded(table: EvaluatedTable, bound: Any, numbers: Any) -> Influences:
        others = [each for each in held if each is not table]
        assert not any(each.cluster_views for each in others)
        held.append(table)
        return measure(table, bound, numbers)

    monkeypatch.setattr(EvaluatedTable, "influences", recorded)
    sy.compare(LOG.columns, score=SCORES, metrics=METRICS, **ROLES)
    assert not any(table.cluster_views for table in held)


@pytest.mark.parametrize("clusters", [None, np.array([3, 0, 4, 1, 2])])
def test_lines_under_other_numbers(clusters: Any) -> None:
    """Slice 2 is left out, slice 1 has no lines, and a new number has none."""
    slices, own = np.array([0, 0, 0, 2, 3, 3]), np.array([0, 2, 4, 1, 1, 3])
    starts = slices.searchsorted(np.arange(5))
    column, present = np.arange(6.0), np.array([1, 0, 1, 1, 1, 0], bool)
    share = np.array([0.5, 0.25, 0.25, 1.0, 0.125, 0.875])
    found = of_lines(ClusterLines(slices, own, starts), column, share, present)
    moved = renumbered(found, np.array([3, 1, -1, 0]), clusters, 5)
    new = {0: 3, 3: 0}
    wanted = sorted(
        (new[s], c if clusters is None else int(clusters[c]), v, h, p)
        for s, c, v, h, p in zip(
            *(each.tolist() for each in (slices, own, column, share, present)), strict=True
        )
        if s in new
    )
    lines = moved.lines
    columns = (lines.slices, lines.clusters, moved.columns[0], moved.shares[0], moved.present[0])
    assert list(zip(*(each.tolist() for each in columns), strict=True)) == wanted
    assert lines.starts.tolist() == [0, 2, 2, 2, 5, 5]


@pytest.mark.parametrize(("count", "width"), [(3, 50), (50, 1_000), (70_000, 70_000), (3, 2**31)])
def test_lines_are_the_pairs_of_slice_and_cluster_in_order(count: int, width: int) -> None:
    """Ids of 32 bits and of 64, in a table of all and hashed."""
    random = np.random.default_rng(4)
    slices, clusters = random.integers(0, count, 500), random.integers(0, width, 500)
    slices[0], clusters[0] = count - 1, width - 1
    lines, codes = lines_of(slices, clusters.astype(np.uint32), count)
    rows = list(zip(slices.tolist(), clusters.tolist(), strict=True))
    wanted = sorted(set(rows))
    assert list(zip(lines.slices.tolist(), lines.clusters.tolist(), strict=True)) == wanted
    assert [wanted[code] for code in codes.tolist()] == rows
