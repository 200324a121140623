"""Differences of metrics without influence values: percentiles of paired replicates."""

from math import floor
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.metrics import catalogue
from steelyard.metrics.influence import BOOTSTRAP
from steelyard.reading.clusters import ClusterNumbers
from steelyard.reading.grouping import RowKeys
from steelyard.stats.differences import TARGETS
from steelyard.stats.poisson_weights import cluster_hashes, poisson_weights
from tests.laws.clustered_log import Columns, make_log

sy: Any = steelyard

COUNT = 100  # replicates, the fewest allowed
LOG = make_log(30, seed=8)
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "bootstrap": COUNT}
SCORES = {"old": "score", "new": "other"}
# The plain functions; fpr_at_tpr is better if it is lower.
FUNCTIONS = {
    "ks": (sy.ks, {}, 1),
    "tpr_at_fpr(0.3)": (sy.tpr_at_fpr, {"fpr": 0.3}, 1),
    "fpr_at_tpr(0.7)": (sy.fpr_at_tpr, {"tpr": 0.7}, -1),
}


def drawn(columns: Columns, replicate: int) -> Columns:
    """The rows of a replicate: each is repeated as often as the weight of its user says."""
    users = ClusterNumbers()
    codes = users.number(RowKeys(columns["user"])).codes
    times = poisson_weights(cluster_hashes(users), replicate)[codes]
    return {name: np.repeat(column, times) for name, column in columns.items()}


def brute(old: Columns, new: Columns, metric: str, scores: tuple[str, str]) -> tuple[float, float]:
    """The ends of the 95 % interval of D(new) − D(old), from plain functions of drawn rows."""
    function, parameters, sign = FUNCTIONS[metric]
    amounts = []
    for replicate in range(COUNT):
        values = [
            function(rows["click"], rows[score], **parameters)
            for rows, score in zip(
                (drawn(old, replicate), drawn(new, replicate)), scores, strict=True
            )
        ]
        amounts.append(sign * (values[1] - values[0]))
    amounts.sort()
    outside = floor((COUNT + 1) * 0.025)
    return amounts[outside - 1], amounts[-outside]


@pytest.mark.parametrize("metric", FUNCTIONS)
def test_two_scores_on_the_same_drawn_rows(metric: str) -> None:
    found = sy.compare(LOG.columns, **ROLES, score=SCORES, metrics=[metric], by="country")
    for row in found:
        rows = np.ones(len(LOG.columns["user"]), bool)
        for name, key in row.slice.items():
            rows &= LOG.columns[name] == key
        log = {name: column[rows] for name, column in LOG.columns.items()}
        wanted = brute(log, log, metric, ("score", "other"))
        assert (row.low, row.high) == pytest.approx(wanted, rel=1e-12, abs=1e-15)
        assert (row.p, row.q) == (None, None)
        assert row.details["clusters"] == len(np.unique(log["user"]))
        assert row.details["replicates"] == COUNT
        low, high = wanted
        claim = "worse" if high < 0 else "better" if low > 0 else "no difference seen"
        if row.slice and claim != "no difference seen":  # without p nothing corrects for slices
            claim = "cannot tell"
        assert row.outcome == claim
    assert f"intervals of bootstrap replicates, without p: {metric}" in str(found)


def test_two_logs_draw_the_users_of_both_together() -> None:
    half = np.arange(len(LOG.columns["user"])) % 2 == 0
    logs = [{n: c[rows] for n, c in LOG.columns.items()} for rows in (half, ~half)]
    row = sy.compare(*logs, **ROLES, score="score", metrics=["ks"]).row("ks")
    wanted = brute(logs[0], logs[1], "ks", ("score", "score"))
    assert (row.low, row.high) == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def test_equal_scores_do_not_differ_in_any_replicate() -> None:
    same = {**LOG.columns, "other": LOG.columns["score"]}
    row = sy.compare(same, **ROLES, score=SCORES, metrics=["ks"]).row("ks")
    assert (row.difference, row.low, row.high, row.outcome) == (0, 0, 0, "no difference seen")


def test_other_metrics_keep_the_intervals_of_their_influences() -> None:
    metrics = ["auc", "ks"]
    with_, without = (
        sy.compare(LOG.columns, **{**ROLES, "bootstrap": count}, score=SCORES, metrics=metrics)
        for count in (COUNT, None)
    )
    assert with_.row("auc") == without.row("auc")
    assert without.row("ks").low is None


def test_order_changes_no_bit() -> None:
    order = np.random.default_rng(5).permutation(len(LOG.columns["user"]))
    shuffled = {name: column[order] for name, column in LOG.columns.items()}
    options = {**ROLES, "score": SCORES, "metrics": ["ks"], "by": "country"}
    assert sy.compare(LOG.columns, **options) == sy.compare(shuffled, **options)


def test_few_replicates_and_one_cluster_are_the_reason_for_no_interval() -> None:
    options = {**ROLES, "score": SCORES, "metrics": ["ks"]}
    few = sy.compare(LOG.columns, **options, confidence=0.999).row("ks")
    assert few.why == "100 replicates are too few for a confidence of 0.999"
    one = {**LOG.columns, "user": np.zeros(len(LOG.columns["user"]), int)}
    assert sy.compare(one, **options).row("ks").why == "it has rows of fewer than two clusters"


def test_no_resampled_metric_has_a_target() -> None:
    """Where it had one, nothing could be told near it, as of other metrics."""
    for metric in catalogue.every():
        if metric.interval.kind == BOOTSTRAP:
            assert metric.better not in TARGETS
