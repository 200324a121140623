"""How every metric gets its interval."""

from dataclasses import replace
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.metrics.catalogue import every
from steelyard.metrics.influence import INFLUENCE, INTERVAL_KINDS, LOG, LOGIT, PLAIN, SCALES
from steelyard.metrics.record import Metric
from steelyard.report import display
from tests.laws.clustered_log import make_log
from tests.shell.run import run


def test_every_number_has_influence_values_or_says_why_not() -> None:
    for metric in every():
        if metric.shape is not None:
            continue
        assert metric.interval.kind in INTERVAL_KINDS
        assert metric.scale in SCALES
        if metric.interval.kind == INFLUENCE:
            kind = type(metric)
            own_way = kind.influences is not Metric.influences
            assert own_way or kind.influences_of is not Metric.influences_of, metric.name
            own = [getattr(metric, name, "") for name in ("quotient", "influence", "slopes")]
            assert own == ["", "", ""] or any(own), metric.name
        else:
            assert metric.interval.why, metric.name


def test_brackets_are_printed_on_every_scale_but_the_plain_one() -> None:
    """An accuracy of exactly ½ has an interval that is symmetric on both scales."""
    rows = {"y": [1, 0, 1, 0] * 6, "s": [0.75, 0.75, 0.25, 0.25] * 6, "u": [*range(12)] * 2}
    found = sy.evaluate(
        rows, label="y", score="s", cluster="u", metrics=["accuracy", "copc", "logloss", "gini"]
    )
    accuracy = found.rows[0]
    assert accuracy.value == 0.5
    assert accuracy.low is not None
    assert accuracy.high is not None
    assert accuracy.low + accuracy.high == pytest.approx(1.0, rel=1e-15)
    scales = {row.metric: row.details["scale"] for row in found.rows}
    assert scales == {"accuracy": LOGIT, "copc": LOG, "logloss": PLAIN, "gini": PLAIN}
    for row in found.rows:
        marks = "±" if scales[row.metric] == PLAIN else "["
        assert display.bounds(row).startswith(marks), row.metric
    again = sy.Result.from_json(found.to_json())
    assert str(again) == str(found)


def test_percentiles_are_printed_with_both_ends() -> None:
    log = make_log(20).columns
    (row,) = sy.evaluate(
        log, label="click", score="score", cluster="user", metrics=["ks"], bootstrap=100
    ).rows
    middle = replace(row, value=0.5, low=0.25, high=0.75)
    assert display.bounds(middle) == "[0.25, 0.75]"


def test_a_cluster_is_never_ignored(tmp_path: Path) -> None:
    """It gives intervals, or the reason why there are none."""
    (row,) = sy.evaluate(label=[0, 1], score=[0.1, 0.9], cluster=[1, 2], metrics="auc").rows
    assert row.low is None
    why = "fewer than two clusters have rows of a class that it needs"
    assert row.details["no_interval"] == why
    csv = tmp_path / "rows.csv"
    csv.write_text("y,s,u\n0,0.1,1\n1,0.9,2\n")
    done = run("eval", str(csv), "--label", "y", "--score", "s", "--cluster", "u", "-m", "auc")
    assert done.exit_code == 0
    assert f"no interval of auc: {why}" in done.stdout
