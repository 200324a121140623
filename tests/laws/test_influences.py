"""Influence values: derivatives of the metric, and what follows from them for standard errors."""

from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard import plan
from steelyard.metrics import catalogue
from steelyard.metrics.influence import BOOTSTRAP, INFLUENCE, INTERVAL_KINDS, NONE, SCALES
from steelyard.metrics.record import Metric
from tests.laws.clustered_log import Columns, make_log

sy: Any = steelyard

LOG = make_log()
STEP = 1e-5
OF_ROWS = (
    *("auc", "gini", "ap", "accuracy", "balanced_accuracy", "f1", "fbeta(2)", "fdr", "fnr", "fpr"),
    *("mcc", "npv", "precision", "prevalence", "recall", "specificity", "precision(0.3)"),
    *("brier", "copc", "pcoc", "logloss", "ne", "rig", "unc", 'ecpm("bid")'),
    'ecpm("bid", kind=realised)',
)
OF_GROUPS = ("gauc", "gauc(positives)")
OF_LISTS = (
    *("uauc", "gauc(pairs)", "ndcg@3", "map", "mrr", "hit_rate@2", "precision@2", "recall@2"),
    *("recall(micro)@2", "f1@2", "r_precision", "err", "rbp", "cg@2", "dcg"),
    "ndcg(group_weight=rows)@3",
)
OF_NUMBERS = (
    *("mae", "mse", "rmse", "bias", "mape", "smape", "wape", "r2", "rmsle", "pinball(0.3)"),
    "poisson_deviance",
)
SCORED: dict[str, Any] = {"label": "click", "score": "score", "group": "list"}
NUMBERS: dict[str, Any] = {"label": "truth", "prediction": "guess"}


def errors_of(columns: Columns, metrics: Any, roles: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The rows of the total, by metric."""
    found = sy.evaluate(columns, **roles, cluster="user", metrics=list(metrics), **more)
    return {row.metric: row for row in found.rows.totals()}


def influences(metrics: Any, roles: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The influence of each user on each metric, as the evaluation has it."""
    state = sy.state(LOG.columns, **roles, cluster="user", metrics=list(metrics), **more)
    evaluation = state.evaluation()
    (table,) = evaluation.tables
    found = {}
    for bound in evaluation.plan.metrics:
        numbers = evaluation.column(table, bound, evaluation.sample(table)).numbers
        one = table.influences(bound, numbers)
        column = np.zeros(LOG.users)
        column[[state.clusters.key(number) for number in one.lines.clusters.tolist()]] = one.all
        found[bound.name] = column
    return found


def derivatives(metrics: Any, roles: dict[str, Any]) -> dict[str, Any]:
    """How the values move with the weights of each user, by central differences."""
    found: dict[str, Any] = {}
    for user in range(LOG.users):
        ends = [
            sy.evaluate(
                LOG.reweighted(user, 1 + step), **roles, weight="weight", metrics=list(metrics)
            )
            for step in (STEP, -STEP)
        ]
        for up, down in zip(ends[0].rows, ends[1].rows, strict=True):
            column = found.setdefault(up.metric, np.zeros(LOG.users))
            column[user] = (up.value - down.value) / (2 * STEP)
    return found


@pytest.mark.parametrize(
    ("metrics", "roles"),
    [((*OF_ROWS, *OF_GROUPS), SCORED), (OF_NUMBERS, NUMBERS)],
    ids=["scores", "numbers"],
)
def test_the_influence_of_a_cluster_is_the_derivative_by_its_weight(
    metrics: tuple[str, ...], roles: dict[str, Any]
) -> None:
    mine, limit = influences(metrics, roles, weight="weight"), derivatives(metrics, roles)
    assert mine.keys() == limit.keys()
    for name, column in mine.items():
        largest = np.abs(limit[name]).max()
        np.testing.assert_allclose(column, limit[name], rtol=0, atol=2e-7 * largest, err_msg=name)
        assert abs(column.sum()) < 1e-10 * largest * LOG.users  # all weights doubled change nothing


@pytest.mark.parametrize(
    ("metrics", "roles"),
    [((*OF_ROWS, *OF_GROUPS, *OF_LISTS), SCORED), (OF_NUMBERS, NUMBERS)],
    ids=["scores", "numbers"],
)
def test_standard_errors_are_those_of_leaving_one_cluster_out(
    metrics: tuple[str, ...], roles: dict[str, Any]
) -> None:
    """Within 4 % on 120 users; the difference shrinks with their number (1 % on 300)."""
    log, left_out = make_log(120, seed=1), dict[str, list[float]]()
    for user in range(log.users):
        for row in sy.evaluate(log.without(user), **roles, metrics=list(metrics)).rows:
            left_out.setdefault(row.metric, []).append(row.value)
    for name, row in errors_of(log.columns, metrics, roles).items():
        values = np.array(left_out[name])
        square = (log.users - 1) / log.users * ((values - values.mean()) ** 2).sum()
        assert row.details["standard_error"] == pytest.approx(np.sqrt(square), rel=0.04), name
        assert row.low < row.value < row.high, name


def test_300_users_agree_with_the_jackknife_within_one_per_cent() -> None:
    log, metrics = make_log(300, seed=3), ["auc", "ap", "ne", "copc", "gauc", "logloss"]
    roles = {**SCORED, "weight": "weight"}
    left_out: dict[str, list[float]] = {}
    for user in range(log.users):
        for row in sy.evaluate(log.without(user), **roles, metrics=metrics).rows:
            left_out.setdefault(row.metric, []).append(row.value)
    for name, row in errors_of(log.columns, metrics, roles).items():
        values = np.array(left_out[name])
        square = (log.users - 1) / log.users * ((values - values.mean()) ** 2).sum()
        assert row.details["standard_error"] == pytest.approx(np.sqrt(square), rel=0.01), name


def test_order_parts_and_slices_change_no_bit() -> None:
    metrics = ["auc", "ap", "gauc", "copc", "logloss", "ne", "f1", "mcc", "ndcg@3"]
    roles = {**SCORED, "weight": "weight", "by": ["country"]}
    whole = sy.evaluate(LOG.columns, **roles, cluster="user", metrics=metrics)
    order = np.random.default_rng(1).permutation(len(LOG.columns["user"]))
    shuffled = {name: column[order] for name, column in LOG.columns.items()}
    again = sy.evaluate(shuffled, **roles, cluster="user", metrics=metrics)
    assert [*again.rows] == [*whole.rows]
    cut = len(order) // 3
    parts = [
        {name: column[rows] for name, column in shuffled.items()}
        for rows in (slice(None, cut), slice(cut, None))
    ]
    states = [sy.state(part, **roles, cluster="user", metrics=metrics) for part in parts]
    merged = sy.merge(*states[::-1])
    assert [*merged.result().rows] == [*whole.rows]
    saved = type(merged).loads(merged.dumps())
    assert [*saved.result().rows] == [*whole.rows]
    assert merged.dumps() == sy.state(LOG.columns, **roles, cluster="user", metrics=metrics).dumps()
    for row in whole.rows:
        if row.slice:
            one = {
                n: c[LOG.columns["country"] == row.slice["country"]] for n, c in LOG.columns.items()
            }
            alone = errors_of(one, [row.metric], {**SCORED, "weight": "weight"})[row.metric]
            assert (row.low, row.high) == (alone.low, alone.high)


def test_clusters_of_text_are_those_of_numbers() -> None:
    text = {**LOG.columns, "user": LOG.columns["user"].astype(str)}
    metrics = ["auc", "logloss", "gauc"]
    assert [r.low for r in errors_of(text, metrics, SCORED).values()] == [
        r.low for r in errors_of(LOG.columns, metrics, SCORED).values()
    ]


def test_every_number_has_influence_values_a_bootstrap_or_a_reason() -> None:
    for metric in catalogue.every():
        if metric.shape is None:
            assert metric.interval.kind in INTERVAL_KINDS
            assert (metric.interval.kind == INFLUENCE) == (not metric.interval.why), metric.name
            assert metric.scale in SCALES
            if metric.interval.kind == INFLUENCE:
                kind = type(metric)
                own_way = kind.influences is not Metric.influences
                assert own_way or kind.influences_of is not Metric.influences_of, metric.name
                functions = [getattr(metric, n, None) for n in ("quotient", "influence")]
                assert any(functions) or not hasattr(metric, "influence"), metric.name


def test_metrics_without_influence_values_say_why() -> None:
    found = sy.evaluate(LOG.columns, **SCORED, cluster="user", metrics=["ks", "ece", "auc"])
    ks, ece, auc = found.rows
    assert (ks.low, ece.low) == (None, None)
    assert auc.low is not None
    kinds = [bound.metric.interval.kind for bound in plan.make(["ks", "ece", "auc"]).metrics]
    assert kinds == [BOOTSTRAP, NONE, INFLUENCE]
    assert "ks (it is a maximum over thresholds" in str(found)


def test_confidence_widens_and_ends_of_the_range_have_no_interval() -> None:
    wide, narrow = (
        errors_of(LOG.columns, ["auc"], SCORED, confidence=level)["auc"] for level in (0.99, 0.5)
    )
    assert wide.low < narrow.low < narrow.high < wide.high
    perfect = {**LOG.columns, "score": LOG.columns["click"] * 0.5 + 0.25}
    row = errors_of(perfect, ["auc"], SCORED)["auc"]
    assert (row.value, row.low, row.details["no_interval"]) == (
        *(1.0, None),
        "it is at the end of its range",
    )


def test_one_cluster_and_one_class_have_no_interval() -> None:
    one = {**LOG.columns, "user": np.zeros(len(LOG.columns["user"]), np.int64)}
    for row in errors_of(one, ["auc", "logloss"], {"label": "click", "score": "score"}).values():
        assert row.low is None
        assert row.details["no_interval"] == "it has rows of fewer than two clusters"
    single = {**LOG.columns, "click": np.zeros_like(LOG.columns["click"])}
    row = errors_of(single, ["auc"], SCORED)["auc"]
    assert (row.value, row.low, row.why) == (None, None, "there are no positives")


def test_a_missing_cluster_is_refused_or_dropped_and_counted() -> None:
    users = LOG.columns["user"].astype(float)
    users[3] = np.nan
    log = {**LOG.columns, "user": users}
    with pytest.raises(sy.InputError, match="user has 1 missing value"):
        errors_of(log, ["auc"], SCORED)
    row = errors_of(log, ["auc"], SCORED, nan="drop")["auc"]
    assert row.dropped == 1
    assert row.low is not None


def test_a_number_that_a_preset_fills_in_has_no_interval() -> None:
    """scikit-learn's mcc is 0 where no row is called positive."""
    log = {**LOG.columns, "score": LOG.columns["score"] / 4}
    row = errors_of(log, ["mcc"], {"label": "click", "score": "score"}, preset="sklearn")["mcc"]
    assert (row.value, row.low, row.high) == (0.0, None, None)
