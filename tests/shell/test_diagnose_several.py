"""Several logs in time order, and earlier logs: in Python, on the command line, and odd ones."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard
from steelyard.demo.drop_examples import week
from steelyard.diagnosis.page.html_page import trend_picture
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse some of what is handed over here

NAMED: dict[str, Any] = {"label": "click", "score": "pctr"}
FULL: dict[str, Any] = NAMED | {"cluster": "user_id", "over": ["country", "device"]}
TYPED = ("--label", "click", "--score", "pctr", "--cluster", "user_id", "--over", "country,device")
ROWS = 5000
Log = dict[str, Any]


@pytest.fixture(scope="module")
def days() -> dict[str, Log]:
    """Ten days of 5,000 rows: the scores of one country are mixed up from day=12 on."""
    return {
        name: {column: values[:ROWS] for column, values in rows.items()}
        for name, rows in week().items()
    }


@pytest.fixture(scope="module")
def written(days: dict[str, Log], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file for each day, and a state of it."""
    folder = tmp_path_factory.mktemp("days")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, rows in days.items():
            write_parquet(f"{name}.parquet", rows)
            state(f"{name}.parquet").save(f"{name}.sy")
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same files, in the folder that the test runs in."""
    for path in written.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def found(days: dict[str, Log]) -> Any:
    return sy.diagnose(list(days.values()), **FULL)


def state(rows: Any, **options: Any) -> Any:
    return sy.state(rows, **NAMED | {"cluster": "user_id", "metrics": ["auc", "ks"]} | options)


def without_names(trend: dict[str, Any]) -> str:
    """A trend as JSON, without what tells its sources apart."""
    for log in trend["logs"]:
        log.pop("source")
        log.pop("is_saved")
    return re.sub(r"log (\d+)|day=(\d+)", lambda m: f"day={int(m[1] or int(m[2]) - 3)}", str(trend))


def test_the_change_point_and_the_two_logs_at_it_are_diagnosed(found: Any, days: Any) -> None:
    assert found.trend.change_point.name == "log 9"
    assert found.verdict.startswith("AUC fell from log 9 on, ")
    assert "unusual against 8 earlier logs" in found.verdict
    alone = sy.diagnose(days["day=11"], days["day=12"], **FULL)
    assert found.verdict == f"{found.trend.verdict}. From log 8 to log 9: {alone.verdict}"
    assert (found.kind, found.causes, found.parts) == (alone.kind, alone.causes, alone.parts)
    questions = [line.question for line in alone.lines]
    assert [line.question for line in found.lines] == questions
    assert found.lines[1].answers[-1].startswith("logs from log 9 on against those before: t = −")
    assert found.lines[1].evidence["unusual"] is True
    assert found.notes[:2] == (
        "before: log 8 · after: log 9",
        "10 logs in this order: log 1, log 2, …, log 10",
    )


def test_the_values_and_intervals_are_those_of_evaluate(found: Any, days: Any) -> None:
    for log, rows in zip(found.trend.logs, days.values(), strict=True):
        row = sy.evaluate(rows, **NAMED, cluster="user_id", metrics="auc").row("auc")
        assert (log.rows, log.value, log.low, log.high) == (row.n, row.value, row.low, row.high)
        assert log.error == row.details["standard_error"]


def test_the_table_is_on_every_page(found: Any) -> None:
    text, page = found.to_text(), found.to_markdown()
    assert re.search(
        r"^log 9 +5,000 +0\.\d{4} +\[0\.\d+, 0\.\d+\] +change point$", text, re.MULTILINE
    )
    assert re.search(r"^\| log 9 \| 5,000 \| .* \| change point \|$", page, re.MULTILINE)
    assert text.index("change point") < text.index("comparable?")
    html = found.to_html()
    assert html.index("change point") < html.index("comparable?")
    assert 'href="#trend"' in html
    data = json.loads(found.to_json())
    assert data["trend"]["change_point"] == "log 9"
    assert data["trend"]["cut"]["place"] == 8
    assert len(data["trend"]["logs"]) == 10
    assert len(data["trend"]["steps"]) == 9
    assert data == found.to_dict()


def test_files_states_and_any_order_of_rows_give_the_same_bits(
    found: Any, days: Any, folder: Path
) -> None:
    known = without_names(found.to_dict()["trend"])
    turned = [{name: column[::-1] for name, column in rows.items()} for rows in days.values()]
    states = [state(rows) for rows in days.values()]
    for logs in (turned, "day=*.parquet", folder / "day=*.parquet", states, "day=*.sy"):
        options = FULL if "sy" not in str(logs) and logs is not states else {}
        again = sy.diagnose(logs, **options)
        assert without_names(again.to_dict()["trend"]) == known


def test_states_have_a_trend_without_causes(folder: Path) -> None:
    found = sy.diagnose("day=*.sy")
    assert (found.kind, found.causes, found.parts) == ("trend", (), ())
    assert found.verdict == f"{found.trend.verdict}."
    (command,) = found.lines[-1].answers
    files = "day=11.parquet day=12.parquet"
    options = "--label click --score pctr --cluster user_id -m auc"
    assert command == f"steelyard diagnose {files} {options}"
    assert run(*command.split()[1:]).exit_code == 0
    assert (found.before, found.after) == (found.trend.logs[7].value, found.trend.logs[8].value)
    assert "change point" in found.to_text()
    assert "change point" in found.to_markdown()
    assert "not searched: a state has no rows" in found.to_html()
    assert sy.diagnose("day=*.sy", metric="ks").trend.change_point.name == "day=12"


def test_the_picture_of_a_trend(found: Any) -> None:
    """A point and an interval for each log, and a rule above the log of the change point."""
    marks: Any = trend_picture(found.trend).marks
    bars, line, points, rule = marks
    values = [log.value for log in found.trend.logs]
    assert points.x.tolist() == line.x.tolist() == values
    assert bars.low.tolist() == [log.low for log in found.trend.logs]
    assert rule.y == found.trend.logs.index(found.trend.change_point) - 0.5
    assert "trend-chart" in found.to_html()


def test_the_command_for_states_of_groups(folder: Path) -> None:
    grouped = {"group": "user_id", "metrics": "gauc"}
    made = [
        sy.state(f"day={day}.parquet", **NAMED, cluster="user_id", **grouped)
        for day in (10, 11, 12)
    ]
    found = sy.diagnose(made, metric="gauc")
    (command,) = found.lines[-1].answers
    assert "--group user_id" in command
    assert run(*command.split()[1:]).exit_code == 0


def test_a_pair_of_which_one_is_a_state(days: Any) -> None:
    first, *_, last = days.values()
    found = sy.diagnose([state(first), last], **FULL)
    assert found.lines[1].answers == ("not searched: a state has no rows",)


def test_states_of_arrays_do_not_know_where_their_rows_are(days: Any) -> None:
    found = sy.diagnose([state(rows) for rows in days.values()])
    assert found.lines[-1].answers == (
        "steelyard diagnose with the logs that log 8 and log 9 were made of",
    )


def test_states_without_clusters_have_no_intervals(days: Any) -> None:
    found = sy.diagnose([state(rows, cluster=None) for rows in days.values()])
    assert found.trend.change_point.name == "log 9"
    assert found.trend.noise is None
    assert all(log.low is None for log in found.trend.logs)
    few = sy.diagnose([state(rows, cluster=None) for rows in list(days.values())[:3]])
    assert "not tested" in few.verdict


def test_the_confidence_is_that_of_all_intervals(days: Any) -> None:
    rows = list(days.values())[:3]
    saved = sy.diagnose([state(each) for each in rows], confidence=0.8)
    read = sy.diagnose(rows, confidence=0.8, **FULL)
    assert [log.low for log in saved.trend.logs] == [log.low for log in read.trend.logs]


def test_a_metric_that_no_diagnosis_knows_has_a_trend(days: Any, folder: Path) -> None:
    found = sy.diagnose("day=*.parquet", metric="ks", **FULL)
    assert found.kind == "trend"
    assert "ks fell from day=12 on" in found.verdict
    assert found.lines[-1].answers[0].startswith("steelyard diagnose day=11.parquet day=12")
    with pytest.raises(steelyard.InputError, match="'ks' has no diagnosis"):
        sy.diagnose("day=11.parquet", "day=12.parquet", metric="ks", **FULL)


@pytest.mark.parametrize("metric", ["ctr", "copc", "logloss", "ne", "gauc", "ndcg@3"])
def test_every_metric(metric: str, days: Any) -> None:
    group = {"group": "user_id"} if metric in ("gauc", "ndcg@3") else {}
    options = FULL | {"over": ["country"]} | group  # constant within a user
    found = sy.diagnose(list(days.values())[:6], metric=metric, **options)
    name = "prevalence" if metric == "ctr" else metric
    value = sy.evaluate(days["day=4"], **NAMED, **group, metrics=name)[name]
    assert found.trend.logs[0].value == value
    assert found.before == pytest.approx(found.trend.pair()[0].value, rel=1e-12)


def test_two_logs_of_a_pattern_or_a_list_are_a_pair(days: Any, folder: Path) -> None:
    known = sy.diagnose("day=11.parquet", "day=12.parquet", **FULL)
    for logs in (["day=11.parquet", "day=12.parquet"], "day=1[12].parquet"):
        found = sy.diagnose(logs, **FULL)
        assert (found.trend, found.verdict) == (None, known.verdict)


# --- earlier logs ---------------------------------------------------------------------------------
def test_earlier_logs_say_whether_the_log_after_is_unusual(days: Any, folder: Path) -> None:
    found = sy.diagnose("day=11.parquet", "day=12.parquet", earlier="day=?.parquet", **FULL)
    answer = found.lines[1].answers[-1]
    assert answer.startswith("unusual against 6 earlier logs: 0.")
    tested = found.lines[1].evidence["earlier"]
    values = [
        sy.evaluate(days[f"day={day}"], **NAMED, metrics="auc")["auc"] for day in range(4, 10)
    ]
    assert (tested["low"], tested["high"]) == (min(values), max(values))
    distance = found.after - np.mean(values)
    spread = np.std(values, ddof=1) * np.sqrt(1 + 1 / 6)
    assert tested["t"] == pytest.approx(distance / spread, rel=1e-9)
    assert tested["unusual"] is True
    assert found.notes[-1] == "6 earlier logs: day=4, day=5, day=6, day=7 and 2 more"
    known = sy.diagnose("day=11.parquet", "day=12.parquet", **FULL)
    assert found.verdict == known.verdict


def test_a_usual_day_is_not_unusual(days: Any) -> None:
    earlier = [days[f"day={day}"] for day in range(4, 10)]
    found = sy.diagnose(days["day=9"], days["day=10"], earlier=earlier, **FULL)
    assert found.lines[1].answers[-1].startswith("not unusual against 6 earlier logs")
    assert found.lines[1].evidence["earlier"]["unusual"] is False


def test_fewer_than_five_earlier_logs(days: Any, folder: Path) -> None:
    earlier = ["day=[45].parquet", "day=6.parquet"]
    found = sy.diagnose("day=11.parquet", "day=12.parquet", earlier=earlier, **FULL)
    needed = "to call a log unusual, 5 earlier logs are needed"
    answer = f"whether it is unusual cannot be told from 3 earlier logs: {needed}"
    assert found.lines[1].answers[-1] == answer
    assert found.to_dict()["lines"][1]["evidence"]["earlier"]["p"] is None


def test_a_pattern_of_earlier_logs_may_match_the_log_after(folder: Path) -> None:
    found = sy.diagnose("day=11.parquet", "day=12.parquet", earlier="day=*.parquet", **FULL)
    assert found.lines[1].evidence["earlier"]["earlier"] == 9


def test_earlier_states_and_earlier_logs_of_a_trend(days: Any) -> None:
    earlier = [state(days[f"day={day}"]) for day in range(4, 10)]
    found = sy.diagnose(days["day=11"], days["day=12"], earlier=earlier, **FULL)
    assert "unusual against 6 earlier logs" in found.lines[1].answers[-1]
    later = [days[f"day={day}"] for day in (10, 11, 12, 13)]
    whole = sy.diagnose(later, earlier=earlier, **FULL)
    assert whole.trend.change_point.name == "log 9"


# --- odd logs -------------------------------------------------------------------------------------
def test_a_log_without_a_class_is_left_out_of_the_trend(days: Any) -> None:
    odd = days["day=8"] | {"click": np.zeros(ROWS, np.int8)}
    logs = [odd if name == "day=8" else rows for name, rows in days.items()]
    found = sy.diagnose(logs, **FULL)
    assert "; no value in log 5. From log 8 to log 9" in found.verdict
    assert found.trend.logs[4].value is None
    assert "there are no positives" in found.to_text()
    with pytest.raises(steelyard.InputError, match="auc has a value in 1 of 3 logs"):
        sy.diagnose([days["day=4"], odd, odd], **FULL)


def refused(words: str, logs: Any, **options: Any) -> None:
    with pytest.raises(steelyard.SteelyardError, match=re.escape(words)):
        sy.diagnose(logs, **options)


def test_a_log_without_the_column_is_named(days: Any, folder: Path) -> None:
    odd = {name: column for name, column in days["day=5"].items() if name != "pctr"}
    write_parquet("day=5.parquet", odd)
    refused("in the log day=5: ", "day=*.parquet", **FULL)


def test_columns_are_recognised_in_the_first_log_alone(days: Any) -> None:
    logs = [dict(rows) for rows in list(days.values())[:3]]
    logs[1]["label"] = 1 - logs[1]["click"]  # a better name, and other rows
    found = sy.diagnose(logs, cluster="user_id", over=["country"])
    values = [sy.evaluate(each, **NAMED, metrics="auc")["auc"] for each in logs]
    assert [log.value for log in found.trend.logs] == values


def test_logs_that_are_not_logs(days: Any, folder: Path) -> None:
    refused("no file matches 'week=*.parquet'", "week=*.parquet", **FULL)
    refused("a diagnosis compares two logs or more", "day=4*.parquet", **FULL)
    refused("a diagnosis compares two logs or more", ["day=4.parquet"], **FULL)
    twice = ["day=4.parquet", "day=5.parquet", "./day=4.parquet"]
    refused("'day=4.parquet' is given twice, the second time as './day=4.parquet'", twice, **FULL)
    refused("there is no file 'no.parquet'", ["day=4.parquet", "day=5.parquet", "no.parquet"])
    Path("day=5.sy").write_bytes(b"no state")
    refused("in the log day=5: ", ["day=5.sy", "day=6.sy", "day=7.sy"])
    refused("a diagnosis compares two logs or more", "day=6.sy")
    refused("a diagnosis compares two logs or more", [state(days["day=6"])])
    mixed = ["day=6.sy", "day=7.parquet"]
    assert sy.diagnose(mixed, cluster="user_id").kind == "trend"
    with pytest.raises(steelyard.InputError, match="is a pair of conditions"):
        sy.diagnose(*mixed, where=("hour < 9", "hour > 9"), cluster="user_id")


def test_equal_names_in_other_folders_stay_apart(days: Any, folder: Path) -> None:
    for name in ("mon", "tue", "wed"):
        Path(name).mkdir()
        write_parquet(f"{name}/log.parquet", days["day=4"])
    found = sy.diagnose(["mon/log.parquet", "tue/log.parquet", "wed/log.parquet"], **FULL)
    assert [log.name for log in found.trend.logs] == ["mon", "tue", "wed"]


def test_states_that_do_not_fit(days: Any) -> None:
    first, second, third = (state(days[f"day={day}"]) for day in (4, 5, 6))
    other = state(days["day=6"], metrics=["ks"])
    refused("in the log log 3: ", [first, second, other])
    for option, value in (("clip", 0.01), ("nan", "drop"), ("cluster", "country")):
        options = {option: value}
        odd = state(days["day=6"], **options)
        refused("the logs log 1 and log 3 were read differently", [first, second, odd])
        refused(f"the state was made with {option}=", [first, second, third], **options)
    refused("the state was made with where=None", [first, second, third], where="hour < 9")
    refused("the state was made with weight=None", [first, second, third], weight="hour")
    refused("confusion", [first, second, third], metric="confusion")
    sliced = state(days["day=6"], by=["country"])
    assert sy.diagnose([first, second, sliced]).trend.logs[2].value == sliced.result()["auc"]


def test_logs_that_are_all_equal(days: Any) -> None:
    found = sy.diagnose([days["day=4"]] * 7, **FULL)
    assert found.trend.change_point is None
    assert found.trend.cut.p == 1.0
    assert found.kind == "within noise"


def test_one_log_and_two_conditions_is_no_trend(days: Any, folder: Path) -> None:
    wheres = ("hour < 12", "hour >= 12")
    found = sy.diagnose(["day=4.parquet", "day=5.parquet", "day=6.parquet"], where=wheres, **FULL)
    assert found.trend is None
    with pytest.raises(steelyard.InputError, match="is a pair of conditions"):
        sy.diagnose("day=4.parquet", where=wheres, earlier="day=*.parquet", **FULL)


# --- the command ----------------------------------------------------------------------------------
def test_the_command_takes_a_pattern_several_logs_and_earlier_ones(folder: Path) -> None:
    quoted = run("diagnose", "day=*.parquet", *TYPED)
    assert quoted.exit_code == 0
    assert quoted.stdout.startswith("AUC fell from day=12 on, ")
    assert quoted.stdout.endswith("10 logs in this order: day=4, day=5, …, day=13\n")
    by_shell = run("diagnose", *sorted(f"day={day}.parquet" for day in range(4, 14)), *TYPED)
    assert by_shell.stdout == quoted.stdout
    for path in folder.glob("*.sy"):
        path.unlink()
    whole = run("diagnose", ".", *TYPED)
    assert whole.stdout.replace("./day", "day") == quoted.stdout
    as_typed = run(
        "diagnose", *(f"day={day}.parquet" for day in (6, 5, 4)), *TYPED, "--format", "json"
    )
    names = [log["name"] for log in json.loads(as_typed.stdout)["trend"]["logs"]]
    assert names == ["day=6", "day=5", "day=4"]
    assert as_typed.stderr == "3 logs in this order: day=6, day=5, day=4\n"
    pair = ("day=11.parquet", "day=12.parquet")
    done = run("diagnose", *pair, *TYPED, "--earlier", "day=[4-8].parquet")
    assert "unusual against 5 earlier logs" in done.stdout
    assert "5 earlier logs: day=4, day=5, day=6, day=7 and 1 more" in done.stdout


def test_wrong_commands(folder: Path) -> None:
    files = [f"day={day}.parquet" for day in (4, 5, 6)]
    done = run("diagnose", *files, *TYPED, "--where", "hour < 9", "--where", "hour < 8")
    assert done.exit_code == 2
    assert "--where is given once for all logs" in done.stderr
    assert run("diagnose").exit_code == 2
    assert run("diagnose", "day=4*.parquet", *TYPED).exit_code == 2
    assert run("diagnose", "*.csv").exit_code == 2
