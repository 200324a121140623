"""Logs that mislead a diagnosis: light rows, lost labels, equal rows, one user, grades."""

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from bench.drops import DEVICES, TYPES, drop, log, users, worse
from bench.drops import named as as_log
from steelyard.diagnosis.causes import decide
from steelyard.diagnosis.causes.search import Found, FoundSlice
from steelyard.diagnosis.models.effects import Effect, Estimate
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import run

OVER = ["country", "device", "ad_type"]
NAMED: dict[str, Any] = {"label": "click", "score": "pctr", "cluster": "user_id", "over": OVER}
GROUPED: dict[str, Any] = {**NAMED, "group": "user_id", "metric": "gauc"}
DESKTOP, SEARCH = DEVICES.index("desktop"), TYPES.index("search")
Log = dict[str, Any]


class Pair:
    """Two logs without a cause, before they have their scores."""

    def __init__(self, seed: int, count: int = 1000) -> None:
        self.random = np.random.default_rng(seed)
        people = users(self.random, count)
        self.before, self.after = log(self.random, people), log(self.random, people)

    def spoil(self, rows: Any, strength: float = 1.0) -> None:
        """The scores of some rows of the log after are noise."""
        self.after["x"][rows] = worse(self.random, self.after["x"][rows], strength)

    def diagnosis(self, **options: Any) -> sy.Diagnosis:
        return sy.diagnose(as_log(self.before), as_log(self.after), **NAMED | options)


def some(rows: Log, chosen: Any) -> Log:
    return {name: column[chosen] for name, column in rows.items()}


def test_users_of_one_class_hide_no_cause() -> None:
    """A third of the users has one row: GAUC does not read them, and they cannot be a cause."""
    pair, logs = Pair(0), []
    for rows in (pair.before, pair.after):
        rows["tenure"] = np.repeat("old", len(rows["click"]))
        single = some(rows, np.arange(len(rows["click"]) // 3))
        single |= {
            "user_id": 10**6 + np.arange(len(single["click"])),
            "tenure": np.repeat("new", len(single["click"])),
        }
        logs.append({name: np.concatenate([rows[name], single[name]]) for name in rows})
    pair.before, pair.after = logs
    pair.spoil(pair.after["device"] == DESKTOP)
    found = pair.diagnosis(**GROUPED | {"over": ["tenure", *OVER]})
    assert found.causes[0].slice["device"] == "desktop"


def test_rows_of_little_weight_hide_no_cause() -> None:
    pair = Pair(0, 1500)
    hit = pair.after["country"] == 4
    pair.after["x"][hit] *= -1
    for rows in (pair.before, pair.after):
        rows["w"] = np.where(pair.random.random(len(rows["click"])) < 0.3, 0.001, 1.0)
    assert [cause.slice for cause in pair.diagnosis(weight="w").causes] == [{"country": "JP"}]


@pytest.mark.parametrize("options", [{}, {"metric": "copc"}, {"cluster": "row"}])
@pytest.mark.parametrize("left_out", [0.0, np.nan])
def test_rows_without_a_weight_are_as_if_they_were_not_there(
    left_out: float, options: dict[str, Any]
) -> None:
    """Also where each row is a cluster of its own."""
    random, logs, others = np.random.default_rng(0), [], []
    for share in (0.1, 0.02):  # not the same number in both logs
        n = 2000
        rows: Log = {"y": random.random(n) < 0.3, "s": random.random(n), "k": random.choice(3, n)}
        kept = random.random(n) > share
        weight = np.where(kept, random.integers(1, 9, n) / 4, left_out)
        logs.append(rows | {"w": weight})
        others.append(some(logs[-1], kept))
    named: dict[str, Any] = {"label": "y", "score": "s", "weight": "w", "over": "k", "nan": "drop"}
    found, expected = (sy.diagnose(*pair, **named | options) for pair in (logs, others))
    lines, dropped = str(found).splitlines(), "rows left out (missing values)"
    assert [line for line in lines if dropped not in line] == str(expected).splitlines()


@pytest.mark.parametrize("metric", ["auc", "gauc", "ne"])
def test_all_clicks_are_in_one_slice(metric: str) -> None:
    """Without it there is no value, so that nothing is said of the change without it."""
    pair = Pair(0, 600)
    for rows in (pair.before, pair.after):
        rows["click"] = np.where(rows["device"] == 0, rows["click"], 0)
    pair.spoil(pair.after["device"] == 0, 0.9)
    found = pair.diagnosis(metric=metric, group="user_id")
    assert "without device = mobile:" not in str(found)


def test_a_log_of_a_part_of_the_day() -> None:
    pair = Pair(3, 600)
    pair.spoil(pair.after["device"] == DESKTOP)
    pair.after = some(pair.after, pair.after["hour"] >= 6)
    found = pair.diagnosis(metric="ne", over=["device", "hour"])
    assert [cause.slice for cause in found.causes] == [{"device": "desktop"}]


def test_lost_labels_are_no_mix() -> None:
    """Nine of ten clicks of search ads are lost: it has other pairs, and as many rows."""
    pair = Pair(1, 1500)
    for rows in (pair.before, pair.after):
        hit = rows["ad_type"] == SEARCH
        rows["x"][hit] += 1.5
        chance = 1 / (1 + np.exp(1.6 - 1.2 * rows["x"]))
        clicked = (pair.random.random(len(hit)) < chance).astype(int)
        rows["click"] = np.where(hit, clicked, rows["click"])
    hit = pair.after["ad_type"] == SEARCH
    pair.after["click"][hit] *= pair.random.random(hit.sum()) < 0.1
    found = pair.diagnosis()
    assert [cause.slice for cause in found.causes] == [{"ad_type": "search"}]
    assert pair.diagnosis(**GROUPED).kind != "mix"


@pytest.mark.parametrize("cluster", ["row", None])
def test_equal_rows_of_unknown_users_are_no_repeats(cluster: str | None) -> None:
    pair = Pair(1)
    pair.after = some(pair.after, pair.random.random(len(pair.after["click"])) < 0.5)
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    logs = [rows | {"pctr": rows["pctr"].round(2)} for rows in logs]
    found = sy.diagnose(*logs, **NAMED | {"cluster": cluster})
    assert found.kind != "repeated rows"
    assert "repeated" not in found.verdict


def test_users_who_left_are_a_mix() -> None:
    pair = Pair(0)
    left = pair.before["user_id"] % 4 == 0
    pair.before["x"] = np.where(left, -pair.before["x"], pair.before["x"])
    pair.after = some(pair.after, pair.after["user_id"] % 4 != 0)
    found = pair.diagnosis(**GROUPED)
    assert found.kind == "mix"
    assert "of user_id in both logs" in found.verdict


def test_a_slice_with_too_few_users_is_said() -> None:
    """Of twelve logs of 80 users this one changed beyond noise."""
    pair = Pair(9, 80)
    pair.spoil(pair.after["country"] == 1)
    verdict = pair.diagnosis().verdict
    assert "without country = IN, which is too small to be tested" in verdict
    assert "broad" not in verdict


def test_a_base_rate_that_fell_hides_no_cause_from_ne() -> None:
    pair = Pair(1, 1500)
    pair.spoil(pair.after["device"] == DESKTOP, 0.8)
    kept = (pair.after["click"] == 0) | (pair.random.random(len(pair.after["click"])) < 0.3)
    logs = [as_log(rows) for rows in (pair.before, some(pair.after, kept))]
    odds = 0.3 * logs[1]["pctr"] / (1 - logs[1]["pctr"])  # the model knows the lower rate
    logs[1] |= {"pctr": odds / (1 + odds)}
    found = sy.diagnose(*logs, **NAMED, metric="ne")
    assert [cause.slice for cause in found.causes] == [{"device": "desktop"}]


def test_a_log_of_one_user_has_no_interval() -> None:
    pair = Pair(0, 600)
    pair.before = some(pair.before, pair.before["user_id"] == 5)
    found = pair.diagnosis(**GROUPED)
    assert "fewer than two clusters carry the value" in found.verdict
    assert "low" not in found.lines[1].evidence


@pytest.mark.parametrize("least", [0, 1])
def test_grades_are_no_clicks(least: int) -> None:
    pair = Pair(0, 400)
    for rows in (pair.before, pair.after):
        noise = pair.random.normal(size=len(rows["x"]))
        rows["grade"] = np.digitize(rows["x"] + noise, [-0.5, 1]) + least
    found = pair.diagnosis(metric="ndcg@5", group="user_id", label="grade", over=["country"])
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    values = [
        sy.evaluate(rows, label="grade", score="pctr", group="user_id", metrics="ndcg@5")["ndcg@5"]
        for rows in logs
    ]
    assert [found.before, found.after] == values
    assert not any(word in str(found) for word in ("CTR", "COPC", "clicks were predicted"))


def test_a_control_that_stayed_points_to_the_model() -> None:
    pair = Pair(3)
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    logs = [rows | {"other": rows["pctr"]} for rows in logs]
    desktop = logs[1]["device"] == "desktop"
    noise = pair.random.random(len(desktop))
    logs[1]["pctr"] = np.where(desktop, noise, logs[1]["pctr"])
    line = sy.diagnose(*logs, **NAMED, control_score="other").lines[2]
    assert line.answers[-1] == "the control moved less, or not at all: look at the model first"


def test_a_control_that_may_have_moved() -> None:
    """One whose change is not beyond noise did not stay: that cannot be told."""
    pair = Pair(0, 400)
    pair.spoil(pair.after["device"] == DESKTOP, 0.3)
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    logs = [rows | {"other": np.log(rows["pctr"])} for rows in logs]
    line = sy.diagnose(*logs, **NAMED, control_score="other").lines[2]
    assert line.answers[-1] == "cannot tell whether the control moved with it"


def test_clicks_have_no_control() -> None:
    pair = Pair(0, 400)
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    line = sy.diagnose(*logs, **NAMED, control_score="pctr / 2", metric="ctr").lines[2]
    assert line.answers == ("CTR does not depend on a score",)


def test_one_user_with_most_of_the_change() -> None:
    """Forty times the rows of one user, each with another score: no row is repeated."""
    pair = Pair(0, 400)
    sizes = np.bincount(pair.before["user_id"])
    own = np.tile(np.flatnonzero(pair.before["user_id"] == sizes.argmax()), 40)
    more = some(pair.before, own)
    more["x"] = pair.random.normal(size=len(own))
    more["click"] = (more["x"] < 0).astype(int)
    pair.after = {
        name: np.concatenate([column, more[name]]) for name, column in pair.before.items()
    }
    found = pair.diagnosis()
    assert found.kind == "one cluster"
    assert f"without user_id = {sizes.argmax()}" in found.verdict


@pytest.mark.parametrize(("left", "is_accused"), [(-0.011, False), (-0.009, True), (0.021, False)])
def test_what_is_left_decides(left: float, is_accused: bool) -> None:
    """Of a change of −0.02: at least half must be gone, and others must not move more than all."""
    all_, rest = (Estimate(value, 0.001, 100.0, 101, 0.0) for value in (-0.02, left))
    found = Effect(all_, rest, rest)
    confirmed = Found(FoundSlice(((0, 0),)), found, found, 0.001)
    assert bool(decide._accused([confirmed])) == is_accused
    assert decide._accused([confirmed._replace(p=0.2)]) == []


def test_values_that_sql_must_quote() -> None:
    """A missing value and a column with a space, in the command to run next."""
    pair = Pair(0)
    pair.spoil(pair.after["device"] == DESKTOP)
    logs = []
    for rows in (pair.before, pair.after):
        log_ = as_log(rows)
        device = log_.pop("device").astype(object)
        device[device == "desktop"] = None
        logs.append(log_ | {"the device": device})
    found = sy.diagnose(*logs, **NAMED | {"over": ["country", "the device"]})
    assert [cause.slice for cause in found.causes] == [{"the device": None}]
    assert '"the device" IS NULL' in found.lines[-1].answers[0]


def test_a_date_tells_logs_apart_and_explains_nothing() -> None:
    pair = Pair(0)
    pair.spoil(pair.after["device"] == DESKTOP)
    logs = [as_log(rows) for rows in (pair.before, pair.after)]
    logs = [rows | {"date": np.repeat(day, len(rows["click"]))} for day, rows in enumerate(logs)]
    named = {name: value for name, value in NAMED.items() if name != "over"}
    found = sy.diagnose(*logs, **named)
    assert [cause.slice for cause in found.causes] == [{"device": "desktop"}]
    assert "not in date: the logs have no value in common" in found.notes


def test_hours_that_are_causes_have_a_time() -> None:
    """All clicks from hour 20 on are late: the hours are the causes, and say since when."""
    pair = Pair(0, 1500)
    late = pair.after["hour"] >= 20
    pair.after["click"][late] *= pair.random.random(late.sum()) < 0.2
    found = pair.diagnosis(metric="ctr", over=["device", "hour"])
    assert all(list(cause.slice) == ["hour"] for cause in found.causes)
    assert found.lines[7].evidence["value"] == 20


def test_a_mix_of_weights_is_told_in_weights() -> None:
    """The rows of each slice are as many as before: `a` alone lost weight."""
    random, shop = np.random.default_rng(0), np.array(["a", "b", "c", "c"] * 1500)
    logs = [
        {
            "y": (random.random(6000) < np.where(shop == "a", 0.9, 0.2)).astype(int),
            "s": np.where(shop == "a", 0.5, 0.2),
            "w": np.where(shop == "a", weight, 1.0),
            "shop": shop,
            "user": np.arange(6000) // 3,
        }
        for weight in (9.0, 1.0)
    ]
    roles: Log = {"label": "y", "score": "s", "weight": "w", "cluster": "user", "over": "shop"}
    told = " ".join(str(sy.diagnose(*logs, metric="copc", **roles)).split())
    # By hand: 3,000 of 1,500 * 9 + 4,500 is a sixth, 3,000 of 6,000 a half.
    assert "the share of shop = c went from 16.7 % to 50.0 % of the weight." in told


def test_more_rows_of_a_slice_are_a_mix_for_ne_too() -> None:
    """A slice with fewer clicks grows: the base rate is a part of the mix."""
    pair = Pair(0, 1500)
    for rows, share in ((pair.before, 0.2), (pair.after, 0.6)):
        rows["kind"] = (pair.random.random(len(rows["click"])) < share).astype(int)
        chance = 1 / (1 + np.exp(1.0 + 2.0 * rows["kind"] - 0.2 * rows["x"]))
        rows["click"] = (pair.random.random(len(chance)) < chance).astype(int)
    found = pair.diagnosis(metric="ne", over=["kind", "device"])
    assert found.kind == "mix"


def test_the_next_command_leaves_a_repeated_user_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pair = drop("repeated", 3)
    write_parquet("mon.parquet", pair.before)
    write_parquet("tue.parquet", pair.after)
    found = sy.diagnose("mon.parquet", "tue.parquet", **NAMED)
    assert found.kind == "repeated rows"
    (command,) = found.lines[-1].answers
    assert command.startswith("steelyard diagnose mon.parquet tue.parquet")
    assert '--where "user_id <> ' in command
    again = run(*shlex.split(command)[1:])
    assert again.exit_code == 0
    assert "repeated rows" not in again.stdout


def test_lists_of_clicks_have_a_cost() -> None:
    pair = Pair(0, 400)
    found = pair.diagnosis(metric="ndcg@5", group="user_id", over=["country"])
    assert "clicks were predicted there" in str(found)


def test_rows_of_other_lists_are_no_repeats() -> None:
    """Rows of one user with equal scores and classes may differ in list, grade or control."""
    rows = {
        "label": np.tile([0, 1], 200),
        "grade": np.tile([0, 1, 2, 3], 100),
        "pctr": np.full(400, 0.5),
        "user_id": np.repeat(np.arange(100), 4),
        "list": np.repeat(np.arange(200), 2),
        "other": np.tile([0.1, 0.1, 0.2, 0.2], 100),
        "country": np.repeat(["DE", "FR"], 200),
    }

    def repeated(label: str, group: str, **options: Any) -> list[int]:
        named = {**NAMED, "label": label, "group": group, "metric": "ndcg", "over": ["country"]}
        found = sy.diagnose(rows, rows, **named | options)
        counts: list[int] = found.lines[0].evidence["repeated_rows"]
        return counts

    assert repeated("label", "user_id") == [200, 200]
    assert repeated("label", "list") == [0, 0]
    assert repeated("grade", "user_id") == [0, 0]
    assert repeated("label", "user_id", control_score="other") == [0, 0]


@pytest.mark.parametrize("shared", [1, 3])
def test_versions_that_hardly_overlap_hide_no_cause(shared: int) -> None:
    """Most rows have a version that the other log lacks, which makes any cause look like a mix."""
    pair = Pair(3, 2000)
    for rows, first in ((pair.before, 0), (pair.after, 10 - shared)):
        rows["version"] = first + pair.random.integers(0, 10, len(rows["click"]))
    pair.spoil(pair.after["device"] == DESKTOP)
    found = pair.diagnosis(over=["version", *OVER])
    assert found.causes[0].slice == {"device": "desktop"}


def test_a_new_value_with_most_of_the_rows_is_a_mix() -> None:
    """What both logs have did not change; the new version is of users with video ads."""
    pair = Pair(3, 2000)
    video = TYPES.index("video")
    for rows in (pair.before, pair.after):
        rows["version"] = np.where(rows["ad_type"] == video, 2, 1)
    pair.before = some(pair.before, pair.before["version"] == 1)
    found = pair.diagnosis(over=["version", "country"])
    assert found.kind == "mix"
