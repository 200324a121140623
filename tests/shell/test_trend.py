"""What a trend says of values and standard errors that are given: verdict, pair and table."""

from typing import Any

import pytest

from steelyard.diagnosis.page.trend_words import layout, make_trend, unusual_text
from steelyard.diagnosis.trends.log_cuts import unusual
from steelyard.diagnosis.trends.log_names import expanded, from_a_shell, in_time_order, names
from steelyard.diagnosis.trends.trend import Trend, TrendLog
from steelyard.report import text

STEADY = [0.710, 0.712, 0.708, 0.711, 0.709, 0.710, 0.712, 0.708]


def logs(values: list[float | None], error: float | None = 0.002) -> list[TrendLog]:
    return [
        TrendLog(f"day={n}", 1000, value, error=error, freedom=50.0, why=None if value else "why")
        for n, value in enumerate(values, start=1)
    ]


def trend(values: list[float | None], error: float | None = 0.002, metric: str = "auc") -> Trend:
    return make_trend(metric, logs(values, error), 0.95)


def pair(found: Trend) -> list[str]:
    return [log.name for log in found.pair()]


def test_the_last_log_is_unusual() -> None:
    found = trend([*STEADY, 0.68])
    assert found.verdict.startswith(
        "AUC fell at day=9, 0.7100 (mean of 8 logs) → 0.6800, −0.0300: unusual against 8 earlier "
        "logs (0.7080 to 0.7120), p = "
    )
    assert found.change_point is found.logs[8]
    assert pair(found) == ["day=8", "day=9"]


def test_several_logs_after_the_change() -> None:
    found = trend([*STEADY, 0.73, 0.732])
    assert "rose from day=9 on, 0.7100 (mean of 8 logs) → 0.7310 (mean of 2)" in found.verdict
    assert pair(found) == ["day=8", "day=9"]
    table = text.draw([layout(found)], 80).splitlines()
    assert [line for line in table if "change point" in line] == [
        "day=9   1,000  0.7300  change point"
    ]


def test_fewer_than_five_earlier_logs_are_no_measure_of_what_is_usual() -> None:
    found = trend([0.68, 0.681, *STEADY])
    assert found.change_point is found.logs[2]
    assert "unusual" not in found.verdict
    assert "more than logs differ on either side of it" in found.verdict


def test_days_that_differ_are_not_unusual_however_small_the_noise() -> None:
    found = trend([0.70, 0.72, 0.69, 0.73, 0.71, 0.70, 0.73, 0.69], error=1e-6)
    assert found.change_point is None
    assert all(step.p is not None and step.p < 1e-9 for step in found.steps)
    assert "has no change point in 8 logs (0.6900 to 0.7300)" in found.verdict
    assert "is not unusual, p = 1" in found.verdict
    assert pair(found) == ["day=7", "day=8"]


def test_a_change_within_sampling_noise_is_no_change_point() -> None:
    found = trend([*STEADY, 0.68], error=0.05)
    assert found.is_unusual
    assert found.change_point is None
    assert found.verdict.endswith("−0.0300 from day=9 on, is within sampling noise")


def test_without_standard_errors_the_spread_between_logs_decides() -> None:
    found = trend([*STEADY, 0.68], error=None)
    assert found.change_point is found.logs[8]
    assert found.to_dict()["cut"]["log"] == "day=9"
    assert "noise_p" not in found.to_dict()["cut"]


def test_a_drift_is_no_step_and_its_ends_are_compared() -> None:
    found = trend([0.75 - 0.01 * n + (0.001 if n % 2 else 0.0) for n in range(10)])
    assert found.verdict.startswith("AUC fell steadily over 10 logs, −0.0100 a log: a line fits")
    assert pair(found) == ["day=1", "day=10"]
    assert "change point" not in text.draw([layout(found)], 80)


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_few_logs_have_sampling_noise_alone(count: int) -> None:
    values = [0.70, 0.60, 0.601, 0.602, 0.603][:count]
    found = trend([*values], error=0.002)
    assert found.cut is None
    assert found.verdict == (
        "AUC fell beyond sampling noise from day=1 to day=2, −0.1000; to call a log unusual, 5 "
        "earlier logs are needed"
    )
    assert pair(found) == ["day=1", "day=2"]
    quiet = trend([*values], error=0.2)
    assert quiet.verdict.startswith("AUC moved within sampling noise from log to log; to call")
    assert pair(quiet) == [f"day={count - 1}", f"day={count}"]
    assert "not tested" in trend([*values], error=None).verdict


def test_steps_are_adjusted_for_how_many_there_are() -> None:
    alone, among = trend([0.70, 0.71]), trend([0.70, 0.71, 0.71, 0.71, 0.71])
    assert alone.steps[0].p is not None
    assert among.steps[0].p == pytest.approx(4 * alone.steps[0].p, rel=1e-12)


def test_a_log_without_a_value_is_left_out_and_named() -> None:
    found = trend([*STEADY[:4], None, *STEADY[4:], 0.68, None])
    assert found.verdict.endswith("; no value in day=5, day=11")
    assert pair(found) == ["day=9", "day=10"]
    assert "why" in text.draw([layout(found)], 80)


def test_values_of_any_metric() -> None:
    found = trend([1e-9 * n for n in (5, 6, 5, 6, 5, 90)], error=None, metric="mse")
    assert "mse rose at day=6, 5.4e-09 (mean of 5 logs) → 9e-08, +8.46e-08" in found.verdict


def test_a_log_against_earlier_ones_in_words() -> None:
    usual = unusual([0.70, 0.71, 0.72, 0.69, 0.70], 0.71)
    assert unusual_text("auc", usual, 0.95).startswith(
        "not unusual against 5 earlier logs: 0.6900 to 0.7200, mean 0.7040, t = +0.48, p = 0.6"
    )
    assert unusual_text("auc", unusual(STEADY, 0.6), 0.95).startswith("unusual against 8 earlier")
    few = unusual([0.7], 0.6)
    assert unusual_text("auc", few, 0.95) == (
        "whether it is unusual cannot be told from 1 earlier log: to call a log unusual, 5 earlier "
        "logs are needed"
    )
    equal = unusual([0.7] * 5, 0.6)
    assert "t = −∞, p = 0" in unusual_text("auc", equal, 0.95)


# --- names and order ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("paths", "known"),
    [
        (["a/x=1.csv", "a/x=2.csv"], ["x=1", "x=2"]),
        (["a/x.csv", "b/x.csv"], ["a", "b"]),
        (["a/1/x.csv", "a/2/y.csv"], ["1/x", "2/y"]),
        (["x.csv", "x.sy"], ["x.csv", "x.sy"]),
        (["a/x.csv", "x.csv"], ["a/x", "x"]),
        (["a", "a/b"], ["a", "a/b"]),
        (["./a.csv", "b.csv"], ["a", "b"]),
        (["only/one.csv"], ["only/one"]),
    ],
)
def test_short_names_differ(paths: list[str], known: list[str]) -> None:
    assert names(paths) == known


def test_logs_in_memory_are_numbered() -> None:
    some: list[Any] = [{"a": [1]}, "b.csv", {"a": [1]}]
    assert names(some) == ["log 1", "b", "log 3"]


def test_numbers_in_names_are_numbers() -> None:
    paths = ["d10", "d9", "d1", "d010", "d2x3", "d2x12", "e" + "1" * 5000]
    assert in_time_order(paths) == ["d1", "d2x3", "d2x12", "d9", "d010", "d10", paths[-1]]
    assert from_a_shell(["d1", "d10", "d9"])
    assert not from_a_shell(["d9", "d10"])
    assert not from_a_shell(["d10", "d9", "d1"])


def test_a_folder_holds_logs_that_are_files_or_folders(tmp_path: Any) -> None:
    for name in ("day=10.csv", "day=9.sy", "notes.txt", "_SUCCESS", ".hidden.csv"):
        (tmp_path / name).write_text("x")
    (tmp_path / "day=8").mkdir()
    (tmp_path / "day=8" / "part.csv").write_text("x")
    found = [path.removeprefix(f"{tmp_path}/") for path in expanded(tmp_path)]
    assert found == ["day=8", "day=9.sy", "day=10.csv"]
    assert expanded(str(tmp_path / "day=*")) == expanded(tmp_path)
    assert expanded(str(tmp_path / "**" / "*.csv"))[0].endswith("part.csv")
