"""Comparisons: paired differences, outcomes, slices, two logs, gates."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.stats import slices_differ
from steelyard.stats.student import t_quantile
from tests.laws.clustered_log import Columns, make_log

sy: Any = steelyard

LOG = make_log(60, seed=2)
ROLES: dict[str, Any] = {"label": "click", "cluster": "user", "group": "list"}
BOTH: dict[str, Any] = {**ROLES, "score": {"old": "score", "new": "other"}}
METRICS = ["auc", "ap", "gauc", "logloss", "ne", "copc", "f1", "ndcg@3"]


def compare(columns: Columns, *more: Any, **options: Any) -> Any:
    return sy.compare(columns, *more, **{**BOTH, "metrics": METRICS, **options})


def test_the_difference_is_that_of_two_evaluations() -> None:
    found = compare(LOG.columns, by="country")
    values = sy.evaluate(LOG.columns, **{**BOTH, "metrics": METRICS}, by="country")
    for row in found:
        old, new = (values.value(row.metric, s, slice=row.slice) for s in ("old", "new"))
        assert (row.baseline, row.candidate) == (old, new)
        wanted = expected(row.metric, old, new)
        assert row.difference == pytest.approx(wanted, rel=1e-12, abs=1e-15)


def expected(metric: str, old: float, new: float) -> float:
    """How much better the new value is; copc is best at 1, on the scale of logarithms."""
    if metric == "copc":
        return float(abs(np.log(old)) - abs(np.log(new)))
    return old - new if metric in ("logloss", "ne") else new - old


def test_standard_errors_are_those_of_leaving_one_cluster_out() -> None:
    left_out: dict[str, list[float]] = {}
    roles = {name: value for name, value in BOTH.items() if name != "cluster"}
    for user in range(LOG.users):
        found = sy.evaluate(LOG.without(user), **roles, metrics=METRICS)
        for name in METRICS:
            old, new = (found.value(name, score) for score in ("old", "new"))
            left_out.setdefault(name, []).append(expected(name, old, new))
    for row in compare(LOG.columns):
        values = np.array(left_out[row.metric])
        square = (LOG.users - 1) / LOG.users * ((values - values.mean()) ** 2).sum()
        assert row.details["standard_error"] == pytest.approx(np.sqrt(square), rel=0.05), row.metric


def test_equal_scores_have_no_difference_and_p_1() -> None:
    same = {**LOG.columns, "other": LOG.columns["score"]}
    for row in compare(same, by="country"):
        assert (row.difference, row.low, row.high, row.p) == (0, 0, 0, 1)
        assert row.outcome == "no difference seen"
    alike = {**LOG.columns, "other": LOG.columns["score"] ** 2}  # the same order
    row = sy.compare(alike, **BOTH, metrics=["auc"]).row("auc")
    assert (row.difference, row.p) == (0, 1)


def test_exchanged_sides_give_the_opposite() -> None:
    there, back = compare(LOG.columns), compare(LOG.columns, baseline="new")
    for one, other in zip(there, back, strict=True):
        assert one.difference == -other.difference
        if one.low is not None:
            assert (one.low, one.high) == (-other.high, -other.low)
        assert one.p == other.p


def test_order_changes_no_bit() -> None:
    order = np.random.default_rng(5).permutation(len(LOG.columns["user"]))
    shuffled = {name: column[order] for name, column in LOG.columns.items()}
    assert compare(LOG.columns, by="country") == compare(shuffled, by="country")


def test_three_scores_are_each_compared_with_the_baseline() -> None:
    scores = {"old": "score", "new": "other", "mean": "(score + other) / 2"}
    three = compare(LOG.columns, score=scores)
    assert three.candidates == ("new", "mean")
    two = compare(LOG.columns)
    for row in two:
        assert replace(three.row(row.metric, "new"), holm=None) == row


def test_two_logs_with_the_same_users() -> None:
    """The variance is that of U_after − U_before, over the users of either log."""
    half = np.arange(len(LOG.columns["user"])) % 2 == 0
    logs = [{n: c[rows] for n, c in LOG.columns.items()} for rows in (half, ~half)]
    roles = {**ROLES, "score": "score", "metrics": ["auc", "logloss"]}
    found = sy.compare(*logs, **roles)
    plain = {"label": "click", "score": "score", "metrics": ["auc", "logloss"]}
    left_out: dict[str, list[float]] = {"auc": [], "logloss": []}
    for user in range(LOG.users):
        rest = [{n: c[log["user"] != user] for n, c in log.items()} for log in logs]
        old, new = (sy.evaluate(log, **plain) for log in rest)
        for name, amounts in left_out.items():
            amounts.append(expected(name, old[name], new[name]))
    for name, amounts in left_out.items():
        values = np.array(amounts)
        square = (LOG.users - 1) / LOG.users * ((values - values.mean()) ** 2).sum()
        row = found.row(name)
        assert row.details["standard_error"] == pytest.approx(np.sqrt(square), rel=0.06), name
        assert row.details["clusters"] == LOG.users
    assert "60 clusters are in both logs" in str(found)


def test_two_logs_of_other_users_add_their_variances() -> None:
    early = LOG.columns["user"] < LOG.users // 2
    logs = [{n: c[rows] for n, c in LOG.columns.items()} for rows in (early, ~early)]
    roles = {"label": "click", "score": "score", "cluster": "user", "metrics": ["logloss"]}
    row = sy.compare(*logs, **roles).row("logloss")
    errors = [sy.evaluate(log, **roles).row("logloss").details["standard_error"] for log in logs]
    assert row.difference == pytest.approx(row.baseline - row.candidate)
    assert row.details["standard_error"] == pytest.approx(np.hypot(*errors), rel=1e-12)


def test_slices_on_one_side_only_have_no_difference() -> None:
    rows = LOG.columns["country"] != "FR"
    logs = [{n: c[rows] for n, c in LOG.columns.items()}, LOG.columns]
    roles = {**ROLES, "score": "score", "metrics": ["auc"], "by": "country"}
    row = sy.compare(*logs, **roles).row("auc", country="FR")
    assert (row.baseline, row.difference, row.low) == (None, None, None)
    assert row.outcome == "cannot tell"
    assert row.candidate is not None
    assert row.why == "the baseline has no value, since there are no rows"


def test_a_missing_value_has_the_reason_of_its_side() -> None:
    """In DE only the second log has no positives, in FR neither has negatives."""
    country, click = LOG.columns["country"], LOG.columns["click"]
    one = {**LOG.columns, "click": np.where(country == "FR", 1, click)}
    two = {**one, "click": np.where(country == "DE", 0, one["click"])}
    roles = {**ROLES, "score": "score", "metrics": ["auc"], "by": "country"}
    found = sy.compare(one, two, **roles)
    whys = {row.slice.get("country"): row.why for row in found}
    reasons = {
        name: sy.evaluate(two, **{**roles, "cluster": None}).row("auc", country=name).why
        for name in ("DE", "FR")
    }
    assert whys == {
        None: None,
        "US": None,
        "DE": f"the candidate has no value, since {reasons['DE']}",
        "FR": f"neither side has a value, since {reasons['FR']}",
    }
    for text in (str(found), found.to_markdown(), found.to_json(), found.to_html(), found.to_csv()):
        assert all(why in text for why in whys.values() if why is not None)


def test_a_number_of_a_preset_is_no_value_of_a_side() -> None:
    none = {**LOG.columns, "click": np.zeros_like(LOG.columns["click"])}
    roles = {"label": "click", "cluster": "user", "score": "score", "metrics": ["recall(0.5)"]}
    row = sy.compare(LOG.columns, none, **roles, preset="sklearn").row("recall")
    why = sy.evaluate(none, **{**roles, "cluster": None}).row("recall").why
    assert row.candidate is None
    assert row.why == f"the candidate has no value, since {why}"


@pytest.mark.parametrize(("role", "what"), [("by", "slice"), ("cluster", "cluster")])
def test_keys_that_are_text_in_one_log_are_refused_until_both_have_a_type(
    role: str, what: str
) -> None:
    texts = {**LOG.columns, "user": LOG.columns["user"].astype(str)}
    logs = (LOG.columns, texts)
    roles = {"label": "click", "score": "score", "metrics": ["logloss"], "cluster": "list"}
    told = f"user is .*numbers in one log and text in the other, so that no {what} of one"
    with pytest.raises(sy.InputError, match=told) as error:
        sy.compare(*logs, **{**roles, role: "user"})
    typed = str(error.value).rpartition("as in ")[2].rstrip(".")
    for row in sy.compare(*logs, **{**roles, role: typed}):
        assert (row.difference, row.baseline) == (0, row.candidate)


def test_a_row_that_is_not_there_says_what_is_missing() -> None:
    found = compare(LOG.columns, by=["country", ("country", "list % 2")], metrics=["auc", "gauc"])
    assert found.row("auc", country="DE").slice == {"country": "DE"}
    two = {"country": "DE", "list % 2": "1"}  # a number, written as text
    assert found.row("auc", slice=two).slice == {"country": "DE", "list % 2": 1}
    for wanted, told in (
        (("ap",), "ap was not compared: there is auc, gauc"),
        (("auc", "old"), "no candidate is called 'old': there is new."),
    ):
        with pytest.raises(sy.SpecError, match=told):
            found.row(*wanted)
    for keys, told in (
        ({"country": "de"}, "did you mean country='DE'"),
        ({"country": "Spain"}, "there are country='DE' · country='FR' · country='US'"),
        ({"device": "tv"}, "not sliced by device: it is sliced by country and by country, list"),
    ):
        with pytest.raises(sy.SpecError, match=told):
            found.row("auc", slice=keys)


def test_what_the_log_could_have_shown() -> None:
    row = compare(LOG.columns, confidence=0.9).row("auc")
    freedom = np.array([row.details["freedom"]])
    quantiles = t_quantile(0.95, freedom) + t_quantile(0.8, freedom)
    assert row.details["detectable"] == quantiles[0] * row.details["standard_error"]


def test_clicks_of_zero_have_no_logarithm() -> None:
    none = {**LOG.columns, "click": np.zeros_like(LOG.columns["click"])}
    roles = {"label": "click", "score": "score", "cluster": "user", "metrics": ["copc", "pcoc"]}
    for logs in ((none, LOG.columns), (LOG.columns, none)):
        for row in sy.compare(*logs, **roles):
            assert (row.difference, row.low, row.p) == (None, None, None)
            assert row.outcome == "cannot tell"
            assert row.why is not None
            zero = row.metric == "copc"  # its value is 0; that of pcoc is a division by 0
            assert ("logarithm" in row.why) == zero


def test_one_cluster_on_a_side_is_not_known_without_error() -> None:
    one = {**LOG.columns, "user": np.full(len(LOG.columns["user"]), 10**6)}
    roles = {"label": "click", "score": "score", "cluster": "user", "metrics": ["logloss", "auc"]}
    for logs in ((one, LOG.columns), (LOG.columns, one)):
        for row in sy.compare(*logs, **roles):
            assert row.difference is not None
            assert (row.low, row.p) == (None, None)
            assert row.why == "a value rests on fewer than two clusters"


def test_positives_of_one_cluster_prove_nothing() -> None:
    only = {**LOG.columns, "click": (LOG.columns["user"] == 3).astype(int)}
    names = ["recall(0.3)", "ap", "ne", "mcc(0.3)", "balanced_accuracy(0.3)", "pcoc", "auc"]
    for row in sy.evaluate(only, label="click", score="score", cluster="user", metrics=names).rows:
        assert row.value is not None
        assert row.low is None, row.metric
    both = {**only, "other": only["score"] * 0.9}
    for row in sy.compare(both, label="click", score=BOTH["score"], cluster="user", metrics=names):
        assert row.difference is not None
        assert row.low is None, row.metric


def test_a_constant_factor_differs_on_every_resample() -> None:
    """Both sides move alike: what is left of the standard error is rounding."""
    log = make_log(200, seed=9)
    log.columns["score"] = log.columns["score"] / 2
    log.columns["other"] = log.columns["score"] * 0.9
    found = sy.compare(log.columns, **BOTH, metrics=["copc"], by="country")
    for row in found:
        assert row.difference == pytest.approx(np.log(0.9), rel=1e-12)
        assert (row.low, row.high, row.outcome) == (row.difference, row.difference, "worse")
    assert found.tests[0].p is None


def test_slices_of_one_log_only_are_not_tested() -> None:
    log = make_log(300, seed=11)
    rows = log.columns["country"] != "FR"
    later = {**log.columns, "score": log.columns["other"]}
    logs = [{n: c[rows] for n, c in log.columns.items()}, later]
    found = sy.compare(*logs, **{**ROLES, "score": "score"}, metrics=["auc", "copc"], by="country")
    assert found.tests[0].slices == 2


def test_q_values_count_the_slices_that_are_tested() -> None:
    log = make_log(200, seed=4)
    found = compare(log.columns, by="country", metrics=["auc"])
    p = sorted(row.p for row in found if row.slice)
    q = sorted(row.q for row in found if row.slice)
    assert q[-1] == p[-1]
    assert q[0] == pytest.approx(min(3 * p[0], 1.5 * p[1], p[2]))
    few = compare(log.columns, by="country", metrics=["auc"], min_rows=10**6)
    assert all(row.q is None for row in few)
    (test,) = few.tests
    assert test.why == slices_differ.FEW
    (test,) = found.tests
    assert test.freedom == 2
    assert 0 <= test.p <= 1


def test_the_test_of_slices_finds_one_that_differs() -> None:
    log = make_log(400, seed=7)
    noise = np.random.default_rng(1).random(len(log.columns["user"]))
    german = log.columns["country"] == "DE"
    log.columns["other"] = np.where(german, noise, log.columns["other"])
    found = compare(log.columns, by="country", metrics=["auc"])
    assert found.tests[0].p < 1e-4
    worst = min((row for row in found if row.slice), key=lambda row: row.difference)
    assert worst.slice == {"country": "DE"}
    assert worst.outcome == "worse"
    assert str(found).index("DE") < str(found).index("FR")


def test_formats_hold_the_same_rows() -> None:
    found = compare(LOG.columns, by="country", metrics=["auc", "ks"])
    data = found.to_dict()
    assert data["schema"] == "steelyard.comparison/1"
    assert [row["metric"] for row in data["rows"]] == [row.metric for row in found]
    frame = found.to_polars()
    wanted = {"metric", "baseline", "candidate", "difference", "low", "high", "p", "q", "outcome"}
    assert wanted <= set(frame.columns)
    assert frame["difference"].to_list() == [row.difference for row in found]
    assert len(found.to_csv().splitlines()) == len(found) + 1
    assert "| auc |" in found.to_markdown()
    assert "<table>" in found._repr_html_()
    assert found.row("ks").why == (
        "its interval needs resampled clusters, with bootstrap=...: it is a maximum over "
        "thresholds, so its interval is optimistic"
    )


def test_the_test_of_slices_is_that_of_a_dense_covariance() -> None:
    """Clusters have rows in all three countries."""
    log = make_log(120, seed=6)
    state = sy.state(log.columns, **BOTH, by="country", metrics=["logloss"])
    evaluation = state.evaluation()
    tables = [table for table in evaluation.tables if table.names]
    (bound,) = evaluation.plan.metrics
    columns = []
    for table in tables:
        numbers = evaluation.column(table, bound, evaluation.sample(table)).numbers
        found = table.influences(bound, numbers)
        dense = np.zeros((3, log.users))
        without = found.all / (1 - found.shares[0])
        dense[found.lines.slices, found.lines.clusters] = without
        columns.append(dense[table.table.slices])
    change = columns[0] - columns[1]  # lower is better
    scale = np.sqrt(1 - 1 / np.count_nonzero(change, axis=1))
    covariance = scale[:, None] * scale * (change @ change.T)
    made = sy.compare(log.columns, **BOTH, by="country", metrics=["logloss"])
    amounts = np.array([row.difference for row in made if row.slice])
    contrast = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0]])
    gaps = contrast @ amounts
    statistic = gaps @ np.linalg.solve(contrast @ covariance @ contrast.T, gaps)
    assert made.tests[0].statistic == pytest.approx(statistic, rel=1e-9)


def test_notes_of_many_reasons_are_few() -> None:
    """Each slice has its own number of rows whose loss is infinite."""
    slices = np.repeat(np.arange(12), 12)
    sure = np.concatenate([np.arange(12) < count for count in range(1, 13)])
    log = {
        "y": np.ones(144, int),
        "old": np.where(sure, 0.0, 0.5),
        "new": np.full(144, 0.5),
        "k": slices,
        "user": np.arange(144) % 40,
    }
    roles = {"label": "y", "score": ["old", "new"], "cluster": "user", "metrics": ["logloss"]}
    found = sy.compare(log, **roles, by="k")
    assert len({row.why for row in found}) == 13
    notes = [line for line in str(found).splitlines() if line.startswith("–")]
    assert len(notes) == 6
    assert notes[-1].startswith("– other reasons, which JSON and CSV have: logloss in k=4, ")
