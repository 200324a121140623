"""The demo: the log has the troubles it promises, always the same, and is whole or not there."""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

import steelyard as sy
from steelyard.cli import drop_demo
from steelyard.cli.commands import demo
from steelyard.demo.ads_log import MISCALIBRATED, TOO_HIGH, ads_log
from steelyard.demo.drop_examples import DROPS
from steelyard.errors import SourceError
from steelyard.model import Array
from steelyard.sources.duck.connection import write_parquet
from tests.shell.run import run
from tests.sources.blocks import read

Log = dict[str, Array]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo")
    assert run("demo", "--to", str(made)).exit_code == 0
    return made


@pytest.fixture(scope="module")
def log(folder: Path) -> Log:
    names = ["click", "pctr", "user_id", "country", "device", "weight"]
    return read(folder / demo.NAME, names)


def test_the_log_is_the_same_every_time(log: Log) -> None:
    again = ads_log()
    assert list(again) == list(log)
    for name, column in again.items():
        np.testing.assert_array_equal(log[name], column)


def test_the_log_is_a_realistic_size(log: Log) -> None:
    assert len(log["click"]) == 200_000
    assert 0.02 < log["click"].mean() < 0.04
    assert [log[name].dtype.name for name in ("pctr", "user_id", "weight")] == [
        "float32",
        "int64",
        "float32",
    ]
    assert log["weight"].min() > 0
    assert 0 <= log["pctr"].min() < log["pctr"].max() <= 1


def test_scores_tie(log: Log) -> None:
    values, counts = np.unique(log["pctr"], return_counts=True)
    assert len(values) < 1_000
    assert counts.max() > 20_000  # the default score


def test_few_users_are_busy_and_most_have_one_class(log: Log) -> None:
    _, user, rows = np.unique(log["user_id"], return_inverse=True, return_counts=True)
    assert 15_000 < len(rows) <= 20_000
    assert rows.max() > 1_000
    assert np.median(rows) < 5
    clicks = np.bincount(user, log["click"])
    single = (clicks == 0) | (clicks == rows)
    assert 0.5 < single.mean() < 0.95


def test_one_country_is_off_and_the_others_are_not(log: Log) -> None:
    for country in set(log["country"]):
        here = log["country"] == country
        clicks, predicted = log["click"][here].sum(), log["pctr"][here].sum(dtype=np.float64)
        wanted = 1 / TOO_HIGH if country == MISCALIBRATED else 1.0
        # Poisson: the clicks of a country vary by 1/√500 at most; three of those.
        assert clicks / predicted == pytest.approx(wanted, rel=0.13), country


def test_the_tables_hold_scikit_learn_s_numbers(log: Log, folder: Path) -> None:
    done = run("demo", "--to", str(folder))
    values = dict(re.findall(r"^(\w+) +(\d\.\d{6})$", done.stdout, re.MULTILINE))
    label, score = log["click"], log["pctr"]
    assert float(values["auc"]) == pytest.approx(roc_auc_score(label, score), abs=5e-7)
    assert float(values["ap"]) == pytest.approx(average_precision_score(label, score), abs=5e-7)
    lines = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line}
    for country in sorted(set(log["country"])):
        here = log["country"] == country
        _, rows, clicks, predicted, ratio, area = lines[country]
        total = log["pctr"][here].sum(dtype=np.float64)
        assert int(rows.replace(",", "")) == here.sum()
        assert int(clicks.replace(",", "")) == label[here].sum()
        assert predicted == f"{total:,.1f}"
        assert float(ratio) == pytest.approx(label[here].sum() / total, abs=5e-4)
        assert float(area) == pytest.approx(roc_auc_score(label[here], score[here]), abs=5e-7)


def test_the_output_is_the_same_every_time_and_fits_a_terminal(folder: Path) -> None:
    first, second = (run("demo", "--to", str(folder)) for _ in range(2))
    assert (first.stdout, first.stderr) == (second.stdout, second.stderr)
    said = (first.stdout + first.stderr).replace(str(folder), "")
    assert max(map(len, said.splitlines())) <= 90


def test_the_command_it_shows_gives_the_table_it_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    done = run("demo")
    (line,) = (line for line in done.stderr.splitlines() if "steelyard eval" in line)
    again = run(*line.split()[1:])
    assert again.exit_code == 0
    assert done.stdout.startswith(again.stdout)


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(_temporary: str, _path: str) -> None:
        raise KeyboardInterrupt

    (tmp_path / demo.NAME).write_text("the one before")
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_parquet(tmp_path / demo.NAME, {"x": np.arange(3)})
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the one before"]


def test_only_its_own_name_is_written(folder: Path) -> None:
    wanted = {demo.NAME, demo.REPORT, drop_demo.BEFORE, drop_demo.AFTER, drop_demo.PAGE}
    assert {path.name for path in folder.iterdir()} == wanted


def test_the_report_has_the_country_that_is_off(log: Log, folder: Path) -> None:
    page = (folder / demo.REPORT).read_text(encoding="utf-8")
    here = log["country"] == MISCALIBRATED
    copc = log["click"][here].sum() / log["pctr"][here].sum(dtype=np.float64)
    assert f"{roc_auc_score(log['click'], log['pctr']):.4f}" in page
    assert str(copc)[:12] in page
    assert len(page) < 300_000


def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / demo.NAME).mkdir()
    with pytest.raises(SourceError, match="cannot be written"):
        write_parquet(tmp_path / demo.NAME, {"x": np.arange(3)})
    assert run("demo", "--to", str(tmp_path)).exit_code == 2
    assert run("demo", "--to", str(tmp_path / "none")).exit_code == 2


# --- a drop --------------------------------------------------------------------------------------
def test_the_demo_ends_with_a_diagnosis(folder: Path) -> None:
    """The verdict that it prints is that of its logs, and the page has it too."""
    done = run("demo", "--to", str(folder))
    drop = DROPS[drop_demo.NAMES[0]]
    before, after = drop.logs()
    columns = {"label": "click", "score": "pctr", "cluster": "user_id"}
    options: dict[str, Any] = {**columns, "over": list(drop.over), "metric": drop.metric}
    found = sy.diagnose(before, after, **options)
    assert [cause.slice for cause in found.causes] == [{"country": "DE"}]
    assert found.verdict in " ".join(done.stdout.split())
    page = (folder / drop_demo.PAGE).read_text(encoding="utf-8")
    assert "country = DE" in page
    assert 'data-kind="waterfall"' in page


def command_of(printed: str) -> list[str]:
    (command,) = re.findall(r"steelyard diagnose .*\\\n.*", printed)
    return shlex.split(command.replace("\\\n", " "))[1:]


def test_the_names_of_drops_are_those_of_their_logs() -> None:
    assert tuple(DROPS) == drop_demo.NAMES


@pytest.mark.parametrize("name", drop_demo.NAMES)
def test_a_drop_makes_two_logs_and_the_command_that_it_shows_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(drop_demo.BEFORE).write_text("the one before")  # replaced, as the demo's own files are
    done = run("demo", "--drop", name)
    assert (done.exit_code, done.stdout) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {drop_demo.BEFORE, drop_demo.AFTER}
    assert max(map(len, done.stderr.splitlines())) <= 90
    for path, log in zip((drop_demo.BEFORE, drop_demo.AFTER), DROPS[name].logs(), strict=True):
        for column, values in read(Path(path), list(log)).items():
            np.testing.assert_array_equal(values, log[column])
        assert f"{len(log['click']):,}" in done.stderr
    found = run(*command_of(done.stderr), "--format", "json", "-q")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["kind"] == KINDS[name]


def test_a_week_is_ten_logs_and_the_command_that_it_shows_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("demo", "--drop", "week")
    assert (done.exit_code, done.stdout) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {f"day={n}.parquet" for n in range(4, 14)}
    assert max(map(len, done.stderr.splitlines())) <= 90
    found = run(*command_of(done.stderr), "--format", "json", "-q")
    assert json.loads(found.stdout)["trend"]["change_point"] == "day=12"
    assert json.loads(found.stdout)["causes"][0]["slice"] == {"country": "DE"}


KINDS = {
    "broken-feature": "slice",
    "more-video": "mix",
    "delayed-labels": "slice",
    "new-type": "mix",
    "repeated-user": "repeated rows",
}


def test_a_drop_that_is_not_known_is_refused(tmp_path: Path) -> None:
    done = run("demo", "--drop", "broken", "--to", str(tmp_path))
    assert done.exit_code == 2
    assert "'broken' is not one of 'broken-feature', 'more-video'" in done.stderr
    assert not list(tmp_path.iterdir())
