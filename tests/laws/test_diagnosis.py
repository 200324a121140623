"""What holds for any two logs: the order of rows changes nothing, and planted causes are found."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from bench.diagnosis import trials
from bench.drops import drop, few_users
from steelyard.diagnosis.causes import search
from steelyard.diagnosis.causes.search import FoundSlice
from steelyard.diagnosis.models.effects import Model, effect
from steelyard.diagnosis.two_logs import samples
from steelyard.diagnosis.two_logs.reading import OF_GROUPS, read
from steelyard.request.diagnose import DIAGNOSED, DiagnoseRequest

OVER = ["country", "device", "ad_type", "hour"]
NAMED: dict[str, Any] = {"label": "click", "score": "pctr", "over": OVER}
Log = Mapping[str, Any]


def some(log: Log, count: int = 6000) -> dict[str, Any]:
    return {name: column[:count] for name, column in log.items()}


def shuffled(log: Log, seed: int) -> dict[str, Any]:
    order = np.random.default_rng(seed).permutation(len(log["click"]))
    return {name: column[order] for name, column in log.items()}


@pytest.mark.parametrize(
    "options",
    [
        {"cluster": "user_id"},
        {"cluster": "row"},
        {"cluster": None},
        {"cluster": "user_id", "group": "user_id", "metric": "gauc"},
        {"cluster": "user_id", "group": "user_id", "metric": "ndcg", "over": ["country"]},
        {"cluster": "CAST(user_id AS VARCHAR)"},
    ],
)
@pytest.mark.parametrize("most", [search.MOST_ROWS, 2000])
def test_the_order_of_rows_changes_nothing(
    options: dict[str, Any], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither do text keys of users, and a search of fewer rows."""
    monkeypatch.setattr(search, "MOST_ROWS", most)
    pair = drop("slice", 7)
    before, after = some(pair.before), some(pair.after)
    pages = [
        sy.diagnose(*logs, **NAMED | options).to_json()
        for logs in ((before, after), (shuffled(before, 1), shuffled(after, 2)))
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("metric", DIAGNOSED)
def test_parts_add_up_and_values_are_those_of_evaluate(metric: str) -> None:
    pair = drop("slice", 7)
    before, after = some(pair.before), some(pair.after, 5000)
    grouped: dict[str, Any] = {"group": "user_id"} if metric in OF_GROUPS else {}
    named = NAMED | {"over": ["country"]} if metric == "ndcg" else NAMED
    found = sy.diagnose(before, after, metric=metric, cluster="user_id", **named, **grouped)
    for table in found.parts:
        total = sum((each.part.total for each in table.slices), Fraction(0)) + table.base
        assert total == table.change
    name = "prevalence" if metric == "ctr" else metric
    values = [
        sy.evaluate(log, label="click", score="pctr", metrics=name, **grouped)[name]
        for log in (before, after)
    ]
    assert [found.before, found.after] == values
    assert float(found.parts[0].change) == pytest.approx(values[1] - values[0], rel=1e-9)


@pytest.mark.parametrize("metric", ["auc", "gauc"])
def test_weights_count_as_copies(metric: str) -> None:
    pair = drop("slice", 7)
    logs = []
    for log, seed in ((some(pair.before), 1), (some(pair.after), 2)):
        weight = np.random.default_rng(seed).integers(1, 4, len(log["click"]))
        copies = {name: np.repeat(column, weight) for name, column in log.items()}
        logs.append((log | {"w": weight}, copies))
    named = NAMED | {"cluster": "user_id", "group": "user_id", "metric": metric}
    weighted = sy.diagnose(logs[0][0], logs[1][0], weight="w", **named)
    copied = sy.diagnose(logs[0][1], logs[1][1], **named)
    assert [weighted.before, weighted.after] == [copied.before, copied.after]
    for mine, theirs in zip(weighted.parts, copied.parts, strict=True):
        assert [each.part.total for each in mine.slices] == [
            each.part.total for each in theirs.slices
        ]
        own, wanted = ([float(each.part.within) for each in t.slices] for t in (mine, theirs))
        assert own == (wanted if metric == "auc" else pytest.approx(wanted, rel=1e-12))


def test_the_calibration_slope_is_that_of_evaluate() -> None:
    """Its fit reads cells of rows, that of the metric every row."""
    pair = drop("slice", 7)
    found = sy.diagnose(pair.before, pair.after, cluster="user_id", **NAMED)
    fits = found.lines[4].evidence["recalibration"]
    for side, log in (("before", pair.before), ("after", pair.after)):
        slope = sy.calibration_slope(log["click"], log["pctr"])
        assert fits[side]["slope"] == pytest.approx(slope, rel=1e-6)


def test_the_change_without_a_slice_is_that_of_the_other_rows() -> None:
    pair = drop("slice", 7)
    options = {**NAMED, "cluster": "user_id"}
    two = read(DiagnoseRequest(before=pair.before, after=pair.after, **options)).two
    country = FoundSlice(((0, 3),))
    found = effect(Model(two, "auc"), country.masks(two))
    value = two.dimensions[0].keys[3]
    rest = [
        {name: column[log["country"] != value] for name, column in log.items()}
        for log in (pair.before, pair.after)
    ]
    before, after = (sy.auc(log["click"], log["pctr"]) for log in rest)
    assert found.without.value == after - before


@pytest.mark.parametrize("cause", ["slice", "mix", "broad", "repeated", "none"])
def test_planted_causes_are_found(cause: str) -> None:
    """Three of each; bench/diagnosis.py counts hundreds."""
    found = list(trials(cause, 3))
    assert sum(trial.right for trial in found) >= 2
    if cause != "slice":
        assert not any(trial.accused for trial in found)


@pytest.mark.parametrize("seed", range(3))
def test_few_users_are_tested_together(seed: int) -> None:
    """A hundred users are enough for a slice that is far beyond chance."""
    pair = few_users(seed, planted=True)
    found = sy.diagnose(pair.before, pair.after, cluster="user_id", **NAMED)
    assert [cause.slice for cause in found.causes] == [pair.planted]
    pair = few_users(seed, planted=False)
    assert sy.diagnose(pair.before, pair.after, cluster="user_id", **NAMED).causes == ()


def test_what_becomes_large_enough_without_a_cause_is_no_candidate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A p value counts the candidates among all rows; those left without a cause add none."""
    monkeypatch.setattr(search, "LEAST_SHARE", 0.1)
    random = np.random.default_rng(0)
    logs = []
    for broken in (False, True):
        country = random.choice(["US", "DE", "FR", "IN"], 20_000, p=[0.82, 0.06, 0.06, 0.06])
        lost = broken & np.isin(country, ["US", "DE"])
        logs.append(
            {
                "click": (random.random(20_000) < np.where(lost, 0.2, 0.5)).astype(int),
                "pctr": random.random(20_000),
                "country": country,
                "user_id": random.integers(0, 2000, 20_000),
            }
        )
    named = NAMED | {"over": ["country"], "metric": "ctr"}
    found = sy.diagnose(*logs, cluster="user_id", **named)
    (line,) = (line for line in found.lines if line.question == "which slice?")
    assert line.evidence["tests"] == 1
    assert [each["slice"] for each in line.evidence["found"]] == [{"country": "US"}]


def test_a_pair_with_all_rows_of_one_of_its_values_is_that_value() -> None:
    """A column of continents adds no candidates but the continents, where countries are known."""
    pair = drop("slice", 7)
    counts = []
    for over in ({}, {"continent": "CASE WHEN country IN ('US', 'MX') THEN 1 ELSE 2 END"}):
        named = NAMED | {"over": {"country": "country"} | over, "cluster": "user_id"}
        found = sy.diagnose(pair.before, pair.after, **named)
        (line,) = (line for line in found.lines if line.question == "which slice?")
        counts.append(line.evidence["tests"])
    assert counts[1] == counts[0] + 2


@pytest.mark.parametrize("metric", ["auc", "ne"])
def test_a_sample_without_rows_proposes_nothing(
    metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_ROWS", 1)
    pair = drop("slice", 7)
    options = NAMED | {"cluster": "user_id", "metric": metric}
    assert sy.diagnose(pair.before, pair.after, **options).causes == ()


@pytest.mark.parametrize("cluster", ["row", "user_id"])
def test_a_sample_has_rows_of_each_log_alike(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few different rows are sampled by their counts, and a short log is not made shorter."""
    random = np.random.default_rng(0)
    logs = [
        {
            "click": random.integers(0, 2, size),
            "pctr": random.choice([0.2, 0.4, 0.6], size),
            "country": random.choice(["DE", "FR"], size),
            "user_id": random.integers(0, 3000, size),
        }
        for size in (30_000, 1000)
    ]
    options = NAMED | {"over": ["country"], "cluster": cluster}
    two = read(DiagnoseRequest(before=logs[0], after=logs[1], **options)).two
    before, after = samples.sample(two, 2000).logs
    assert abs(len(before) - 2000) < 200
    assert len(after) == 1000
    for column in ("click", "pctr"):
        own = before.positive if column == "click" else before.score
        assert abs(own.mean() - logs[0][column].mean()) < 0.03
